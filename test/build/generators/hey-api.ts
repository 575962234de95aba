import { client } from './generated/hey-api/client.gen.ts';
import {
  inspectionsCreate,
  inspectionsUpdate,
  inventoryList,
  inventoryRead,
  partsCreate,
  partsList,
  receivingInspectionsCreate,
  shipmentsCreate,
  shipmentsItemsAdd,
  shipmentsUpdate,
  suppliersCreate,
  suppliersUpdate,
  xChangesList,
  xEvents,
  xSpecificationsCreate,
} from './generated/hey-api/index.ts';
import { type Answered, type Api, tell } from './story.ts';

client.setConfig({ baseUrl: `${process.env.BASE}/api/v2`, auth: process.env.TOKEN ?? '' });

interface Fetched<Data> {
  data?: { data: Data } | undefined;
  error?: Answered<unknown>['problem'];
  response?: Response;
}

async function answered<Data>(call: Promise<Fetched<Data>>): Promise<Answered<Data>> {
  const { data, error, response } = await call;
  return {
    status: response?.status ?? 0,
    data: data?.data,
    etag: response?.headers.get('ETag') ?? null,
    problem: error,
  };
}

const api: Api = {
  createSupplier: body => answered(suppliersCreate({ body })),
  updateSupplier: (id, body, ifMatch) =>
    answered(suppliersUpdate({ path: { id }, body, headers: { 'If-Match': ifMatch } })),
  createPart: body => answered(partsCreate({ body })),
  createTemplate: body => answered(xSpecificationsCreate({ body })),
  createReceipt: body => answered(receivingInspectionsCreate({ body })),
  lotsOf: part_id => answered(inventoryList({ query: { part_id } })),
  readLot: id => answered(inventoryRead({ path: { id } })),
  createInspection: body => answered(inspectionsCreate({ body })),
  passInspection: id => answered(inspectionsUpdate({ path: { id }, body: { passed: true } })),
  createShipment: body => answered(shipmentsCreate({ body })),
  addShipmentItem: (shipment_id, body) => answered(shipmentsItemsAdd({ path: { shipment_id }, body })),
  ship: (id, day) => answered(shipmentsUpdate({ path: { id }, body: { actual_ship_date: day } })),
  async listParts(query) {
    const { data, response } = await partsList({ query });
    return { status: response?.status ?? 0, data: data?.data, total: data?.meta.total ?? 0 };
  },
  async listChanges(since, families) {
    const { data } = await xChangesList({ query: { since, families } });
    return { cursor: data?.meta.cursor ?? '', changes: data?.data ?? [] };
  },
  firstEvent: () =>
    new Promise(found => {
      const onSseEvent = ({ event }: { event?: string }) => {
        if (event !== undefined) found(event);
      };
      void xEvents({ onSseEvent }).then(async ({ stream }) => {
        for await (const _each of stream) break;
      });
    }),
};

console.log(JSON.stringify(await tell(api)));
process.exit(0);
