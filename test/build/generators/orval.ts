import {
  getXEventsUrl,
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
} from './generated/orval.ts';
import { type Answered, type Api, tell } from './story.ts';

const authorization = { Authorization: `Bearer ${process.env.TOKEN}` };
const mine: RequestInit = { headers: authorization };

interface Fetched<Data> {
  status: number;
  headers: Headers;
  data: { status?: string; data?: Data };
}

/** Of the answers, the one that was sent: `status` tells them apart. */
async function answered<Data>(call: Promise<Fetched<Data> | Other>): Promise<Answered<Data>> {
  const { status, headers, data } = await call;
  if ('code' in data) return { status, problem: data as NonNullable<Answered<Data>['problem']> };
  return { status, data: (data as { data?: Data }).data, etag: headers.get('ETag') };
}

interface Other {
  status: number;
  headers: Headers;
  data: object;
}

const api: Api = {
  createSupplier: body => answered(suppliersCreate(body, mine)),
  updateSupplier: (id, body, ifMatch) =>
    suppliersUpdate(id, body, { headers: { ...authorization, 'If-Match': ifMatch } }),
  createPart: body => answered(partsCreate(body, mine)),
  createTemplate: body => answered(xSpecificationsCreate(body, mine)),
  createReceipt: body => answered(receivingInspectionsCreate(body, mine)),
  lotsOf: part_id => answered(inventoryList({ part_id }, mine)),
  readLot: id => answered(inventoryRead(id, mine)),
  createInspection: body => answered(inspectionsCreate(body, mine)),
  passInspection: id => answered(inspectionsUpdate(id, { passed: true }, mine)),
  createShipment: body => answered(shipmentsCreate(body, mine)),
  addShipmentItem: (id, body) => answered(shipmentsItemsAdd(id, body, mine)),
  ship: (id, day) => answered(shipmentsUpdate(id, { actual_ship_date: day }, mine)),
  async listParts(query) {
    const answer = await partsList(query, mine);
    if (answer.status !== 200) throw new Error(`parts ${answer.status}`);
    return { status: answer.status, data: answer.data.data, total: answer.data.meta.total };
  },
  async listChanges(since, families) {
    const answer = await xChangesList({ since, families }, mine);
    if (answer.status !== 200) throw new Error(`changes ${answer.status}`);
    return { cursor: answer.data.meta.cursor, changes: answer.data.data };
  },
  async firstEvent() {
    // Its own call would wait for the end of the stream.
    const response = await fetch(getXEventsUrl(), mine);
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
      return /^event: (\w+)/m.exec(chunk)?.[1] ?? '';
    return '';
  },
};

console.log(JSON.stringify(await tell(api)));
process.exit(0);
