/**
 * What an integration does first, told once and run with each generated client: `Api` is what the adapter of a generator gives, in the
 * types that the generator made.
 */
export interface Api {
  createSupplier(body: { name: string }): Promise<Answered<{ id: number; name: string | null }>>;
  updateSupplier(id: number, body: { name: string }, ifMatch: string): Promise<{ status: number }>;
  createPart(body: NewPart): Promise<Answered<{ id: number; identification: string | null }>>;
  createTemplate(body: NewTemplate): Promise<Answered<{ id: number }>>;
  createReceipt(
    body: NewReceipt,
  ): Promise<Answered<{ id: number; items: { quantity_accepted: number | null }[] }>>;
  lotsOf(partId: number): Promise<Answered<{ id: number; quantity: number | null }[]>>;
  readLot(
    id: number,
  ): Promise<Answered<{ batch_number: string | null; part: { identification: string | null } | null }>>;
  createInspection(body: NewInspection): Promise<Answered<{ id: string; passed: boolean | null }>>;
  passInspection(id: number): Promise<Answered<{ passed: boolean | null }>>;
  createShipment(body: { requested_ship_date: string }): Promise<Answered<{ id: number }>>;
  addShipmentItem(id: number, body: NewShipmentItem): Promise<Answered<{ quantity: number | null }>>;
  ship(id: number, day: string): Promise<Answered<{ actual_ship_date: string | null }>>;
  listParts(query: {
    sort: ('-id' | 'name')[];
    fields: ('name' | 'identification')[];
    expand: 'supplier'[];
  }): Promise<Answered<{ id: number }[]> & { total: number }>;
  listChanges(
    since: string,
    families: string[],
  ): Promise<{ cursor: string; changes: { family: string; change: string }[] }>;
  /** The first event of the stream. */
  firstEvent(): Promise<string>;
}

/** `data` where it was done; where not, the code and the fields at fault. */
export interface Answered<Data> {
  status: number;
  data?: Data | undefined;
  etag?: string | null;
  problem?: { code: string; errors?: Record<string, string[]> | undefined } | undefined;
}

interface NewPart {
  name: string;
  identification: string;
  supplier_id?: number;
  unit_type: 'Volume';
  unit_of_measure: 'ml' | 'kg';
}

interface NewTemplate {
  name: string;
  identification: string;
  characteristics: { name: string; dimensions: string; tolerance: string }[];
}

interface NewReceipt {
  supplier_id: number;
  items: { part_id: number; serial_number: string; quantity_accepted: number; unit_of_measure: 'ml' }[];
}

interface NewInspection {
  entity_id: number;
  entity_type: 'part';
  drawing_id: number;
  sample_size: number;
}

interface NewShipmentItem {
  part_id: number;
  serial_number: string;
  quantity: number;
}

/** Runs the story and says in lines what was seen; ids and times are left out, so that all clients say the same. */
export async function tell(api: Api): Promise<string[]> {
  const told: string[] = [];
  const { data: supplier, etag } = await api.createSupplier({ name: 'Generated' });
  told.push(`supplier ${supplier?.name}`);
  const supplierId = supplier?.id ?? 0;
  const drops = { name: 'Drops', unit_type: 'Volume', unit_of_measure: 'ml' } as const;
  const part = await api.createPart({ ...drops, identification: 'GEN-1', supplier_id: supplierId });
  told.push(`part ${part.data?.identification}`);
  const partId = part.data?.id ?? 0;
  const neck = { name: 'Neck', dimensions: '30', tolerance: '±0.5' };
  const template = await api.createTemplate({
    name: 'Bottle',
    identification: 'GEN-T',
    characteristics: [neck],
  });
  told.push(`template ${template.status}`);
  const receipt = await api.createReceipt({
    supplier_id: supplierId,
    items: [{ part_id: partId, serial_number: 'GEN-LOT', quantity_accepted: 12.5, unit_of_measure: 'ml' }],
  });
  told.push(`receipt ${receipt.data?.items.map(item => item.quantity_accepted)}`);
  const lots = await api.lotsOf(partId);
  told.push(`lots ${lots.data?.map(lot => lot.quantity)}`);
  const lot = await api.readLot(lots.data?.[0]?.id ?? 0);
  told.push(`lot ${lot.data?.batch_number} of ${lot.data?.part?.identification}`);
  const inspection = await api.createInspection({
    entity_id: partId,
    entity_type: 'part',
    drawing_id: template.data?.id ?? 0,
    sample_size: 1,
  });
  told.push(`inspection ${inspection.data?.passed}`);
  const passed = await api.passInspection(Number(inspection.data?.id));
  told.push(`passed ${passed.data?.passed}`);
  const shipment = await api.createShipment({ requested_ship_date: '2026-03-02' });
  const shipmentId = shipment.data?.id ?? 0;
  const item = await api.addShipmentItem(shipmentId, {
    part_id: partId,
    serial_number: 'GEN-LOT',
    quantity: 5,
  });
  told.push(`shipped ${item.data?.quantity}`);
  const today = new Date().toISOString().slice(0, 10);
  const shipped = await api.ship(shipmentId, today);
  told.push(`today ${shipped.data?.actual_ship_date === today}`);
  const left = await api.lotsOf(partId);
  told.push(`left ${left.data?.map(each => each.quantity)}`);
  const refused = await api.createPart({ ...drops, unit_of_measure: 'kg', identification: 'GEN-2' });
  told.push(
    `refused ${refused.status} ${refused.problem?.code} ${Object.keys(refused.problem?.errors ?? {})}`,
  );
  const renamed = await api.updateSupplier(supplierId, { name: 'Renamed' }, etag ?? '');
  const stale = await api.updateSupplier(supplierId, { name: 'Late' }, etag ?? '');
  told.push(`renamed ${renamed.status}, late ${stale.status}`);
  const listed = await api.listParts({
    sort: ['-id', 'name'],
    fields: ['name', 'identification'],
    expand: ['supplier'],
  });
  told.push(`listed ${listed.total}: ${Object.keys(listed.data?.[0] ?? {}).sort()}`);
  const { changes, cursor } = await api.listChanges('0', ['supplier', 'part']);
  told.push(`changes ${changes.map(each => `${each.family} ${each.change}`)} ${cursor !== ''}`);
  told.push(`event ${await api.firstEvent()}`);
  return told;
}
