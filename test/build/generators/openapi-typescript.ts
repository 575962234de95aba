import createClient from 'openapi-fetch';
import type { paths } from './generated/openapi-typescript.ts';
import { type Answered, type Api, tell } from './story.ts';

const client = createClient<paths>({
  baseUrl: `${process.env.BASE}/api/v2`,
  headers: { Authorization: `Bearer ${process.env.TOKEN}` },
});

interface Fetched<Data> {
  data?: { data: Data };
  error?: unknown;
  response: Response;
}

type Problem = NonNullable<Answered<unknown>['problem']>;

async function answered<Data>(call: Promise<Fetched<Data>>): Promise<Answered<Data>> {
  const { data, error, response } = await call;
  return {
    status: response.status,
    data: data?.data,
    etag: response.headers.get('ETag'),
    problem: error as Problem | undefined,
  };
}

const api: Api = {
  createSupplier: body => answered(client.POST('/suppliers', { body })),
  updateSupplier: (id, body, ifMatch) =>
    answered(
      client.PUT('/suppliers/{id}', { params: { path: { id }, header: { 'If-Match': ifMatch } }, body }),
    ),
  createPart: body => answered(client.POST('/parts', { body })),
  createTemplate: body => answered(client.POST('/x/specifications', { body })),
  createReceipt: body => answered(client.POST('/receiving-inspections', { body })),
  lotsOf: part_id => answered(client.GET('/inventory', { params: { query: { part_id } } })),
  readLot: id => answered(client.GET('/inventory/{id}', { params: { path: { id } } })),
  createInspection: body => answered(client.POST('/inspections', { body })),
  passInspection: id =>
    answered(client.PUT('/inspections/{id}', { params: { path: { id } }, body: { passed: true } })),
  createShipment: body => answered(client.POST('/shipments', { body })),
  addShipmentItem: (shipment_id, body) =>
    answered(client.POST('/shipments/{shipment_id}/items', { params: { path: { shipment_id } }, body })),
  ship: (id, day) =>
    answered(client.PUT('/shipments/{id}', { params: { path: { id } }, body: { actual_ship_date: day } })),
  async listParts(query) {
    const { data, response } = await client.GET('/parts', { params: { query } });
    return { status: response.status, data: data?.data, total: data?.meta.total ?? 0 };
  },
  async listChanges(since, families) {
    const { data } = await client.GET('/x/changes', { params: { query: { since, families } } });
    return { cursor: data?.meta.cursor ?? '', changes: data?.data ?? [] };
  },
  async firstEvent() {
    const { response } = await client.GET('/x/events', { parseAs: 'stream' });
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
      return /^event: (\w+)/m.exec(chunk)?.[1] ?? '';
    return '';
  },
};

console.log(JSON.stringify(await tell(api)));
process.exit(0);
