import { type FamilyName, families } from '../../../shared/families/registry.ts';
import type { Station } from '../../support/station.ts';
import type { DescribedOperation } from './described-interface.ts';
import { RecordReference, SAME_AS_IN_PATH } from './generated-value.ts';

type Parameters = Record<string, string>;

const KEPT = 200;

/** The records that a station has, so that generated requests can name them: by family, and by the path of an item. */
export class RecordPool {
  readonly #ids = new Map<string, number[]>();
  readonly #items = new Map<string, Parameters[]>();

  note(family: string, id: number): void {
    const ids = this.#ids.get(family) ?? [];
    if (!ids.includes(id)) ids.push(id);
    // The first ones are those that other records were prepared for.
    if (ids.length > KEPT) ids.splice(KEPT / 2, 1);
    this.#ids.set(family, ids);
  }

  /** Takes note of what a `Location` names: `/api/v2/orders/1/items/3`. */
  noteLocation(location: string): void {
    const [, owner = '', id = '', segment = '', item = ''] =
      /^\/api\/v2(\/[\w-]+|\/x\/[\w-]+)\/([\w-]+)(?:\/(\w+)\/(\d+))?$/.exec(location) ?? [];
    const family = familyAt(owner);
    if (family !== undefined) this.note(family, Number(id));
    if (segment === '' && owner !== '/x/imports') return;
    const key = `${owner}/${segment}`;
    const items = this.#items.get(key) ?? [];
    items.push({ owner: id, item });
    if (items.length > KEPT) items.splice(KEPT / 2, 1);
    this.#items.set(key, items);
  }

  /** The parameters of a path that exists, as far as one is known. */
  parametersOf({ path, parameters }: DescribedOperation, pick: number): Parameters {
    const names = parameters.filter(each => each.in === 'path').map(({ name }) => name);
    const [, owner = '', segment] = /^((?:\/x)?\/[\w-]+)\/\{\w+\}(?:\/(\w+)\/\{\w+\})?/.exec(path) ?? [];
    if (path.includes('{family}')) {
      const known = [...this.#ids.keys()];
      const family = known[pick % known.length] ?? 'company';
      return { family, id: String(this.#idOf(family, pick)) };
    }
    if (segment !== undefined || owner === '/x/imports') {
      const items = this.#items.get(owner === '/x/imports' ? `${owner}/` : `${owner}/${segment}`) ?? [];
      const item = items[pick % Math.max(1, items.length)] ?? { owner: '1', item: '1' };
      const [ownerName = '', itemName = ''] = names;
      return { [ownerName]: item.owner ?? '', [itemName]: segment === 'files' ? 'a.csv' : (item.item ?? '') };
    }
    const id = String(this.#idOf(familyAt(owner) ?? '', pick));
    return Object.fromEntries(names.map(name => [name, id]));
  }

  /** The value with ids in the place of its references, and those of the path where they must be the same. */
  resolved(value: unknown, path: Parameters): unknown {
    if (value instanceof RecordReference) {
      const id = this.#idOf(value.family, value.pick);
      return value.isText ? String(id) : id;
    }
    if (Array.isArray(value)) return value.map(each => this.resolved(each, path));
    if (value === null || typeof value !== 'object') return value;
    const members = Object.entries(value).map(([name, member]) => {
      return [name, member === SAME_AS_IN_PATH ? Number(path[name]) : this.resolved(member, path)];
    });
    return Object.fromEntries(members);
  }

  #idOf(family: string, pick: number): number {
    // An inspected entity is a part unless said.
    const ids = this.#ids.get(family === 'entity' ? 'part' : family) ?? [1];
    return ids[pick % ids.length] ?? 1;
  }
}

function familyAt(path: string): FamilyName | undefined {
  const plain = path.replace(/^\/x(?=\/)/, '');
  return Object.values(families).find(family => family.path === plain)?.name as FamilyName | undefined;
}

/** Two or three records of each family, related to each other as they would be. */
export async function prepareRecords(station: Station): Promise<RecordPool> {
  const pool = new RecordPool();
  const make = async (path: string, body: unknown): Promise<number> => {
    const { status, headers, body: answer } = await station.post(path, body);
    if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(answer)}`);
    const location = headers.get('Location') ?? '';
    pool.noteLocation(location);
    return Number(location.slice(location.lastIndexOf('/') + 1));
  };
  pool.note('company', 1);
  for (const round of [1, 2]) {
    const supplier = await make('/suppliers', { name: `Supplier ${round}` });
    const customer = await make('/x/customers', { name: `Customer ${round}` });
    const location = await make('/x/locations', { name: `Shelf ${round}` });
    await make('/x/locations', { name: `Hall ${round}` });
    const type = await make('/x/part-types', { name: `Type ${round}` });
    const code = await make('/x/error-codes', { name: `Code ${round}` });
    await make('/x/equipment', { name: `Scale ${round}` });
    const part = await make('/parts', {
      name: `Part ${round}`,
      supplier_id: supplier,
      part_type_id: type,
      unit_of_measure: 'kg',
    });
    const template = await make('/x/specifications', {
      name: `Template ${round}`,
      characteristics: [
        { name: 'Length', dimensions: '10 mm', tolerance: '±0.1' },
        { name: 'Look', is_optional: true },
      ],
    });
    const line = {
      part_id: part,
      quantity_accepted: 1_000_000,
      serial_number: `L-${round}`,
      unit_of_measure: 'kg',
      location_id: location,
    };
    const receipt = await make('/receiving-inspections', { supplier_id: supplier });
    await make(`/receiving-inspections/${receipt}/items`, line);
    const { body: lots } = await station.get('/inventory', { part_id: part });
    const lot = (lots as { data: { id: number }[] }).data[0]?.id ?? 0;
    pool.note('inventory', lot);
    const item = { part_id: part, quantity: 2, serial_number: `L-${round}` };
    const order = await make('/orders', { customer_id: customer });
    await make(`/orders/${order}/items`, { order_id: order, ...item });
    const shipment = await make('/shipments', { contact_id: customer });
    await make(`/shipments/${shipment}/items`, item);
    const inspection = await make('/inspections', { entity_id: part, drawing_id: template, sample_size: 2 });
    await make(`/inspections/${inspection}/samples`, {});
    const result = await make('/lab-results', { specification_id: template, lab_data: '{"pH":"3.5"}' });
    const complaint = await make('/complaints', {
      complaint_number: `C-${round}`,
      complaint_date: '2026-01-31',
      part_id: part,
      error_code_id: code,
    });
    const ncr = await make('/ncrs', {
      ncr_number: `N-${round}`,
      source: 'internal',
      lab_result_id: result,
      complaint_id: complaint,
    });
    await make('/cars', { car_number: `CAR-${round}`, ncr_id: ncr });
    await make('/x/adjustments', { inventory_id: lot, quantity: 1, reason: 'Counted' });
    await make('/x/imports', {
      mapping: {
        source: 'generated',
        steps: [{ file: 'a.csv', family: 'location', key: 'no', fields: { name: 'name' } }],
      },
    });
  }
  return pool;
}
