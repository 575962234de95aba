import { setConfig } from './generated/kubb/.kubb/fetch.ts';
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
  xSpecificationsCreate,
} from './generated/kubb/index.ts';
import { type Answered, type Api, tell } from './story.ts';

const authorization = `Bearer ${process.env.TOKEN}`;
setConfig({
  baseURL: `${process.env.BASE}/api/v2`,
  headers: { Authorization: authorization, 'Content-Type': 'application/json' },
});

/** Kubb's own `fetch` gives the body and no status: this one keeps the last answer beside it. */
let last = new Response();
const send = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  last = await send(input, init);
  return last;
};

async function answered<Data>(call: Promise<{ data: Data }>): Promise<Answered<Data>> {
  const body = await call;
  if ('code' in body)
    return { status: last.status, problem: body as unknown as NonNullable<Answered<Data>['problem']> };
  return { status: last.status, data: body.data, etag: last.headers.get('ETag') };
}

const api: Api = {
  createSupplier: body => answered(suppliersCreate(body)),
  updateSupplier: (id, body, ifMatch) => answered(suppliersUpdate(id, body, { 'If-Match': ifMatch })),
  createPart: body => answered(partsCreate(body)),
  createTemplate: body => answered(xSpecificationsCreate(body)),
  createReceipt: body => answered(receivingInspectionsCreate(body)),
  lotsOf: part_id => answered(inventoryList({ part_id })),
  readLot: id => answered(inventoryRead(id)),
  createInspection: body => answered(inspectionsCreate(body)),
  passInspection: id => answered(inspectionsUpdate(id, { passed: true })),
  createShipment: body => answered(shipmentsCreate(body)),
  addShipmentItem: (id, body) => answered(shipmentsItemsAdd(id, body)),
  ship: (id, day) => answered(shipmentsUpdate(id, { actual_ship_date: day })),
  async listParts(query) {
    const { data, meta } = await partsList(query);
    return { status: last.status, data, total: meta.total };
  },
  async listChanges(since, families) {
    const { data, meta } = await xChangesList({ since, families });
    return { cursor: meta.cursor, changes: data };
  },
  async firstEvent() {
    // Its own call reads JSON alone.
    const response = await send(`${process.env.BASE}/api/v2/x/events`, {
      headers: { Authorization: authorization },
    });
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
      return /^event: (\w+)/m.exec(chunk)?.[1] ?? '';
    return '';
  },
};

console.log(JSON.stringify(await tell(api)));
process.exit(0);
