/** Records on which each row of the walk is tried, made by the server itself: past whoever may. */
import { inputOf } from '../../../server/rules/input-of.ts';
import { type Fields, mapOf } from '../../../server/store/changes.ts';
import type { Store } from '../../../server/store/store.ts';
import type { UnitOfWork } from '../../../server/store/unit-of-work.ts';
import type { Collection, Family } from '../../../shared/contract/define-family.ts';
import { parseInput } from '../../../shared/contract/parse-input.ts';
import { BY_SERVER, fieldAt } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { type FamilyName, families } from '../../../shared/families/registry.ts';
import type { Row, Shared } from './oracle.ts';

/** A record, and the value of it that is about to be changed. */
export interface Scene {
  family: Family;
  id: number;
  key: string;
  /** `items.17.expiry_date` */
  path: string;
  to: unknown;
  /** What stands once it is changed: a value that is cleared may have a default. */
  stands: unknown;
  /** The lot that the record has a say in. */
  lot: number | undefined;
  before: StoredRecord;
}

let made = 0;
const unique = (prefix: string) => {
  made += 1;
  return `${prefix}-${made}`;
};

export async function makeShared(store: Store): Promise<Shared> {
  return byServer(store, 'setup', work => {
    const make = (name: FamilyName, body: Fields) => created(work, name, body).id;
    if (store.records.total('company') === 0) make('company', { name: 'Ours' });
    const kilograms = { unit_of_measure: 'kg', unit_type: 'Mass' };
    const template = (tolerance?: string) =>
      make('specification', {
        name: 'Jar',
        is_approved: true,
        characteristics: [{ name: 'Height', ...(tolerance ? { dimensions: '10', tolerance } : {}) }],
      });
    const part = make('part', { name: 'Jar', identification: unique('P'), ...kilograms });
    return {
      part,
      otherPart: make('part', { name: 'Lid', identification: unique('P'), ...kilograms }),
      template: template('±1'),
      otherTemplate: template('±2'),
      handTemplate: template(),
      partType: make('part-type', { name: unique('Glass') }),
      supplier: make('supplier', { name: unique('Acme') }),
      location: make('location', { name: unique('Shelf') }),
      shelf: make('location', { name: unique('Shelf') }),
      spareLot: make('inventory', { part_id: part, batch_number: unique('L'), opening_quantity: 1 }),
      looseInspection: make('inspection', { entity_id: part }),
      freshNumber: () => unique('R'),
    };
  });
}

/** As many of the row as wanted, in one commit of `author`. */
export function makeScenes(
  store: Store,
  shared: Shared,
  row: Row,
  count: number,
  author = 'setup',
): Promise<Scene[]> {
  return byServer(store, author, work => Array.from({ length: count }, () => makeScene(work, shared, row)));
}

/** What a request says to change the value at that path, and to begin a record with it. */
export function bodyAt(path: string, value: unknown): Fields {
  const [name = '', item, ...rest] = path.split('.');
  if (item === undefined) return { [name]: value };
  return { [name]: [{ id: Number(item), ...bodyAt(rest.join('.'), value) }] };
}

/** A body with which a record begins that has the value. */
export function firstBody(shared: Shared, row: Row): Fields {
  const body = { ...baseOf(row.of, shared), ...given<Fields>(row.on, shared) };
  return withValue(body, row.path, given(row.to, shared));
}

export function valueAt(fields: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, step) => mapOf(value)[step], fields) ?? null;
}

function makeScene(work: UnitOfWork, shared: Shared, row: Row): Scene {
  const family: Family = families[row.of];
  const lot = OF_A_LOT.includes(row.of) ? newLot(work, shared) : undefined;
  const from = given(row.from, shared);
  const isInSample = row.path.startsWith('samples.');
  const isWritable = fieldAt(family, row.path)?.writable === true;
  const base = {
    ...baseOf(row.of, shared),
    ...(lot === undefined ? {} : { inventory_id: lot }),
    ...(row.of === 'stock-count' && { location_id: created(work, 'location', { name: unique('Shelf') }).id }),
    ...given<Fields>(row.on, shared),
  };
  const isBegunWith = from !== undefined && isWritable && !isInSample;
  const body = isBegunWith ? withValue(base, row.path, from) : base;
  let record = row.of === 'setting' ? setting(work, body) : created(work, row.of, body);
  const path = pathIn(record, row.path);
  if (from !== undefined && from !== null && isInSample) {
    record = work.update(family, record.id, parseInput(family, bodyAt(path, from), { mode: 'patch' }));
  } else if (from !== undefined && !isWritable) {
    record = work.set(family, record.id, { ...record.fields, [row.path]: from ?? undefined });
  }
  const [line] = Object.values(mapOf(record.fields.items));
  const to = given(row.to, shared);
  const own = row.of === 'inventory' ? record.id : Number(mapOf(line).inventory_id);
  return {
    family,
    id: record.id,
    key: record.key,
    path,
    to,
    stands: to ?? fieldAt(family, row.path)?.fallback ?? null,
    lot: lot ?? (Number.isNaN(own) ? undefined : own),
    before: record,
  };
}

const OF_A_LOT: readonly FamilyName[] = ['inspection', 'lab-result'];

function newLot(work: UnitOfWork, { part }: Shared): number {
  return created(work, 'inventory', { part_id: part, batch_number: unique('L'), opening_quantity: 10 }).id;
}

/** The least body of a record that has every value that rows leave to it. */
function baseOf(name: FamilyName, { part, spareLot, location, shelf }: Shared): Fields {
  const item = { part_id: part, serial_number: unique('L'), quantity: 3 };
  const bodies: Partial<Record<FamilyName, () => Fields>> = {
    inventory: () => ({ part_id: part, batch_number: unique('L'), opening_quantity: 10 }),
    ncr: () => ({ ncr_number: unique('N'), source: 'internal' }),
    order: () => ({ items: [item] }),
    'purchase-order': () => ({
      po_number: unique('PO'),
      items: [{ part_id: part, quantity: 3 }],
    }),
    // One that is under way keeps others of its place away.
    'stock-count': () => ({ location_id: shelf, is_finished: true }),
    shipment: () => ({ items: [item] }),
    part: () => ({ name: 'Jar', identification: unique('P') }),
    car: () => ({ car_number: unique('C') }),
    complaint: () => ({ complaint_number: unique('K'), complaint_date: '2026-06-01' }),
    specification: () => ({ name: 'Jar', characteristics: [{ name: 'Height', dimensions: '10' }] }),
    'lab-result': () => ({ testing_id: unique('T') }),
    'receiving-inspection': () => ({
      items: [{ part_id: part, serial_number: unique('L'), quantity_accepted: 10, unit_of_measure: 'kg' }],
    }),
    adjustment: () => ({ inventory_id: spareLot, location_id: null, quantity: 1, reason: 'found' }),
    move: () => ({
      inventory_id: spareLot,
      from_location_id: null,
      to_location_id: location,
      quantity: 0.000001,
    }),
    // Of no effect on what other scenes receive.
    'inspection-plan': () => ({ name: 'Jars', part_id: part, is_active: false }),
    'sampling-ruling': () => ({ part_id: part, ruling: 'reducedApproved', reason: 'steady' }),
    'shared-view': () => ({ name: unique('View'), list: 'part' }),
    user: () => ({ name: 'Somebody', login: unique('somebody'), roles: ['viewer'] }),
    setting: () => ({}),
    inspection: () => ({}),
  };
  return bodies[name]?.() ?? { name: unique('Name') };
}

function withValue(body: Fields, path: string, value: unknown): Fields {
  const [name = '', item, ...rest] = path.split('.');
  if (item === undefined) return { ...body, [name]: value };
  const members = Array.isArray(body[name]) ? body[name] : [];
  return { ...body, [name]: members.map(member => withValue(mapOf(member), rest.join('.'), value)) };
}

/** The pattern with the ids of the record's first items. */
function pathIn({ fields }: StoredRecord, pattern: string): string {
  const steps: string[] = [];
  let value: unknown = fields;
  for (const step of pattern.split('.')) {
    const name = step === '*' ? (Object.keys(mapOf(value))[0] ?? '') : step;
    steps.push(name);
    value = mapOf(value)[name];
  }
  return steps.join('.');
}

function created(work: UnitOfWork, name: FamilyName, body: Fields): StoredRecord {
  const family: Family = families[name];
  return work.create(family, parseInput(family, body, { mode: 'create' }));
}

/** There is one record of settings only. */
function setting(work: UnitOfWork, body: Fields): StoredRecord {
  const before = work.get('setting', 1);
  return before
    ? work.update(families.setting, 1, inputOf(body))
    : work.create(families.setting, inputOf(body), 1);
}

export function byServer<Result>(
  store: Store,
  user: string,
  work: (work: UnitOfWork) => Result,
): Promise<Result> {
  return store.gate.commit({
    actor: { user, rights: BY_SERVER },
    reason: 'For the walk.',
    work,
    answer: result => result,
  });
}

export function given<Value = unknown>(value: unknown, shared: Shared): Value | undefined {
  return (typeof value === 'function' ? value(shared) : value) as Value | undefined;
}

/** The collection that the items of a path are in; undefined for a value of the record itself. */
export function collectionOf(family: Family, path: string): Collection | undefined {
  return path.includes('.') ? family.collections[path.split('.')[0] ?? ''] : undefined;
}
