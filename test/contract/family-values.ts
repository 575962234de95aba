/** Valid values for every field of every family, worked out from the fields' kinds. */
import type { Collection, Family } from '../../shared/contract/define-family.ts';
import type { Field } from '../../shared/contract/fields.ts';
import { families, familyOf } from '../../shared/families/registry.ts';
import { listOperations } from '../../shared/operations/operations.ts';
import type { Fields } from '../support/expect-shape.ts';
import type { Station } from '../support/station.ts';

/** What the kind alone does not say, by family or collection and field: one value for a create, one for an update. */
const special: Record<string, [unknown, unknown] | null> = {
  // Closing a shipment is what test/rules is about.
  'shipment.actual_ship_date': null,
  // So is what becomes of goods that do not conform.
  'ncr.disposition': null,
  'ncr.disposition_quantity': null,
  'ncr.disposition_location_id': null,
  'inventory.lot_unit': ['kg', 'g'],
  'part.unit_of_measure': ['gal', 'ml'],
  'part.unit_type': ['Volume', null],
  'part.parent_part_id': null,
  'move.from_location_id': null,
  // Only a handling unit stands in another place: test/server/rules/places.test.ts.
  'location.within_id': null,
  'location.gln': ['4012345000009', '0614141000012'],
  // Picks are of a shipment's lots: the same file.
  'move.shipment_id': null,
  // What is finished or withdrawn is not changed: test/server/rules/counting.test.ts.
  'stock-count.is_finished': [false, false],
  'stock-count.is_withdrawn': [false, false],
  'stock-count-item.quantity_recounted': null,
  // That of its lot, which must be the same.
  'inspection.entity_id': null,
  'inspection.entity_type': ['part', 'part'],
  'inspection.drawing_id': null,
  'inspection.sample_size': [2, 3],
  // A receipt of the one supplier counts against no order of the other: test/server/rules/purchase-orders.test.ts.
  'receiving-inspection.purchase_order_id': null,
  'purchase-order-item.sscc': ['106141412345678908', '340123450000000000'],
  // One that is in force would open inspections of what other tests receive.
  'inspection-plan.is_active': [false, false],
  'user.roles': [['viewer'], ['operator', 'viewer']],
  'car.description': [{ text: 'Seals are broken.' }, { text: 'All of them.', by: ['ann'] }],
  'lab-result.lab_data': ['{"pH":"3.5"}', '{"lead":"<0.05","pH":"3.60"}'],
};

const byKind: Record<Field['kind'], [unknown, unknown]> = {
  id: [undefined, undefined],
  text: ['text "é" <b>', 'another text'],
  'long-text': ['two\nlines', ' three\n\nlines '],
  integer: [3, 4],
  number: [0.1, '2.500001'],
  boolean: [true, '0'],
  date: ['2026-03-01', '2026-12-31'],
  timestamp: ['2026-03-01T08:30:00+01:00', '2026-12-31T23:59:59.999Z'],
  choice: [undefined, undefined],
  reference: [undefined, undefined],
  'text-list': [['a', 'b'], []],
  json: [undefined, undefined],
};

export type Turn = 0 | 1;

/** Makes values, and the records that references need, one for each family and turn. */
export class FamilyValues {
  readonly #station: Station;
  readonly #made = new Map<string, Promise<number>>();

  constructor(station: Station) {
    this.#station = station;
  }

  /** A body that gives every writable field but the collections. */
  async all(described: Family | Collection, turn: Turn): Promise<Fields> {
    const body: Fields = {};
    for (const [name, field] of Object.entries(described.fields)) {
      const value = field.writable ? await this.value(described, name, field, turn) : undefined;
      if (value !== undefined) body[name] = value;
    }
    return body;
  }

  /** A body of what a create must give, and of what must be its own, and no more. */
  async least(described: Family | Collection): Promise<Fields> {
    const body: Fields = {};
    for (const [name, field] of Object.entries(described.fields)) {
      const isNeeded =
        field.requiredOn.includes('create') || isUnique(described, name) || isOneOfSeveral(described, name);
      if (isNeeded) body[name] = await this.value(described, name, field, 0);
    }
    return body;
  }

  /** A body with which the item operation of a collection adds one. */
  async item(collection: Collection, parent: number): Promise<Fields> {
    const body = await this.least(collection);
    for (const name of collection.operations?.required ?? []) {
      const field = collection.fields[name];
      body[name] = field ? await this.value(collection, name, field, 0) : parent;
    }
    return body;
  }

  /** Undefined where the field is left out. */
  async value(described: Family | Collection, name: string, field: Field, turn: Turn): Promise<unknown> {
    const said = special[`${described.name}.${name}`];
    if (said !== undefined) return said?.[turn];
    if (isUnique(described, name)) {
      made += 1;
      return `N-${made}`;
    }
    // One count of a place at a time, and it stays of that place.
    if (described.name === 'stock-count' && field.reference === 'location')
      return turn === 0 ? this.#make(families.location) : undefined;
    if (field.reference) return this.#idOf(field.reference, turn);
    if (field.choices) return field.choices[turn];
    return byKind[field.kind][turn];
  }

  #idOf(reference: string, turn: Turn): Promise<number> {
    const family = familyOf(reference === 'entity' ? 'part' : reference);
    if (!family) throw new Error(`There is no family ${reference}.`);
    // A lot that one test has moved is not where the next expects it.
    if (family.name === 'inventory') return this.#make(family);
    const slot = `${family.name} ${turn}`;
    const known = this.#made.get(slot) ?? this.#make(family);
    this.#made.set(slot, known);
    return known;
  }

  async #make(family: Family): Promise<number> {
    const body = await this.least(family);
    if (family.name === 'inventory') body.opening_quantity = 100;
    const { status, body: answer } = await this.#station.post(pathOf(family, 'create'), body);
    const { data, meta } = answer as { data?: Fields; meta?: Fields };
    if (status !== 201) throw new Error(`${family.name}: ${JSON.stringify(answer)}`);
    return Number(data?.id ?? meta?.id);
  }
}

let made = 0;

/** Two lots of one part differ by their lot number. */
function isUnique(described: Family | Collection, name: string): boolean {
  if (described.name === 'inventory' && name === 'batch_number') return true;
  return 'unique' in described && described.unique.includes(name);
}

/** A plan is for a part, for a type of parts or for a supplier. */
function isOneOfSeveral(described: Family | Collection, name: string): boolean {
  return described.name === 'inspection-plan' && (name === 'part_id' || name === 'is_active');
}

/** Families that can be created over the interface. */
export function creatableFamilies(): Family[] {
  const families = listOperations().flatMap(({ kind, family }) =>
    kind === 'create' && family ? [family] : [],
  );
  return [...new Set(families)];
}

/** The path of a family's operation, with `{id}` where it has one; empty when it has none. */
export function pathOf(family: Family, kind: 'create' | 'read' | 'update' | 'list'): string {
  const operation = listOperations().find(
    other => other.family?.name === family.name && other.kind === kind && other.method !== 'PATCH',
  );
  return operation?.path ?? '';
}
