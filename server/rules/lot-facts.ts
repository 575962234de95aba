import { sameJson } from '../../shared/contract/canonical-json.ts';
import { patternOf } from '../../shared/contract/permission.ts';
import {
  itemsOf,
  type PathWriters,
  type StoredItem,
  type StoredRecord,
} from '../../shared/contract/present.ts';
import { takenOf } from '../../shared/contract/shipped-line.ts';
import { foldNumber } from '../../shared/contract/typed-number.ts';
import type { LotLock } from '../../shared/families/lot-locks.ts';
import { measuredVerdict } from '../../shared/families/measured.ts';
import { familyOf } from '../../shared/families/registry.ts';
import { toMicro } from '../../shared/quantities/quantity.ts';
import { mapOf } from '../store/changes.ts';
import type { LotFact } from '../store/lots.ts';

/**
 * What a record says of lots: the facts that stock is the sum of (interface decisions, 5.1 to 5.3). A pure function of
 * the record, so that the same facts give the same stock on every machine, in whatever order they arrive.
 */
export function lotFactsOf(record: FactSource): LotFact[] {
  const facts = factsByFamily[record.family]?.(record);
  return facts ? [...facts, ...disputes(record)] : [];
}

/** Without `writers` where only quantities are asked for: those say what two stations wrote without seeing each other. */
export type FactSource = Pick<StoredRecord, 'family' | 'id' | 'fields'> &
  Partial<Pick<StoredRecord, 'writers'>>;

/** What of a record the quantities of its facts are worked out from: fields, or fields of each of its items. */
interface QuantitySource {
  fields: readonly string[];
  items: readonly string[];
}

/** Of the families whose facts have quantities; those of the others lock. */
const QUANTITIES: ReadonlyMap<string, QuantitySource> = new Map([
  ['inventory', { fields: ['opening_quantity', 'opening_location_id'], items: [] }],
  [
    'receiving-inspection',
    { fields: [], items: ['inventory_id', 'quantity_accepted', 'location_id', 'is_removed'] },
  ],
  ['shipment', { fields: [], items: ['taken', 'is_removed'] }],
  ['adjustment', { fields: ['inventory_id', 'quantity', 'location_id'], items: [] }],
  ['move', { fields: ['inventory_id', 'quantity', 'from_location_id', 'to_location_id'], items: [] }],
]);

/** What the quantities of the family's facts are worked out from; undefined where its records move no stock. */
export function quantitySource(family: string): QuantitySource | undefined {
  return QUANTITIES.get(family);
}

/** Whether records of the family add to stock or take from it. */
export function movesStock(family: string): boolean {
  return QUANTITIES.has(family);
}

type FactsOf = (record: FactSource) => LotFact[];

const byPosition = { position: 'order' };

const factsByFamily: Record<string, FactsOf> = {
  inventory: ({ id, fields }) => [
    fact(id, { quantity: fields.opening_quantity, location: fields.opening_location_id }),
    ...(fields.is_locked_by_person === true ? [fact(id, { lock: 'person' })] : []),
  ],

  'receiving-inspection': ({ fields }) =>
    itemsOf(byPosition, fields.items).flatMap(item => {
      if (typeof item.inventory_id !== 'number') return [];
      const lock = lineLock(fields, item);
      const { quantity_accepted: quantity, location_id: location } = item;
      return [fact(item.inventory_id, { line: item.id, quantity, location, lock })];
    }),

  shipment: ({ fields }) =>
    itemsOf(byPosition, fields.items).flatMap(item =>
      takenOf(item.taken).map(taken =>
        fact(taken.inventory_id, { line: item.id, quantity: -taken.quantity, location: taken.location_id }),
      ),
    ),

  adjustment: ({ fields }) => [
    fact(Number(fields.inventory_id), { quantity: fields.quantity, location: fields.location_id }),
  ],

  move: ({ fields }) => {
    const lot = Number(fields.inventory_id);
    const quantity = Number(fields.quantity ?? 0);
    return [
      fact(lot, { quantity: -quantity, location: fields.from_location_id }),
      fact(lot, { quantity, location: fields.to_location_id }),
    ];
  },

  inspection: ({ fields }) => {
    if (typeof fields.inventory_id !== 'number') return [];
    const { passed = null, is_settled: isSettled } = fields;
    const isFree = isSettled === true || (passed === true && !isContradicted(fields));
    const lock = isFree ? null : passed === null ? 'inspection_open' : 'inspection_failed';
    return [fact(fields.inventory_id, { lock })];
  },

  correction: ({ fields }) => {
    if (fields.status !== 'awaiting') return [];
    const lots = Array.isArray(fields.lots) ? fields.lots : [];
    const lock = 'correction';
    if (lots.length === 0 && typeof fields.batch_number === 'string')
      return [ofNumber(fields.batch_number, lock)];
    return lots.map((lot, line) => fact(lot, { line, lock }));
  },

  'lab-result': ({ fields }) => {
    const { failed_measurements: measurements, is_settled: isSettled } = fields;
    const failed = Array.isArray(measurements) && measurements.length > 0 && isSettled !== true;
    const lock = failed ? 'lab_failed' : null;
    if (typeof fields.inventory_id === 'number') return [fact(fields.inventory_id, { lock })];
    if (!failed || typeof fields.batch_number !== 'string' || fields.batch_number === '') return [];
    return [ofNumber(fields.batch_number, lock)];
  },
};

/** Whether records of the family say anything of lots. */
export function saysOfLots(family: string): boolean {
  return Object.hasOwn(factsByFamily, family);
}

/** Why the goods of a received line cannot be used, by the line alone. */
function lineLock(receipt: StoredRecord['fields'], line: StoredItem): LotLock | null {
  if (receipt.is_quarantined === true) return 'quarantine';
  if (line.is_active_batch === false) return 'inactive';
  return line.is_certificate_missing === true ? 'certificate' : null;
}

/**
 * Whether what was measured speaks against the verdict and nobody was told of both: one station passed what another one
 * measured. Written together they say so (`is_against_measurements`), and wait for quality.
 */
function isContradicted(fields: StoredRecord['fields']): boolean {
  return fields.is_against_measurements !== true && measuredVerdict(fields) === false;
}

/**
 * Of a value that decides on goods two stations wrote different ones without seeing each other: until a person decides
 * between them, neither frees any.
 */
function disputes(record: FactSource): LotFact[] {
  const { family, writers = {} } = record;
  const rules = familyOf(family)?.may.rules ?? {};
  const isDisputed = (path: string) =>
    siblingsIn(writers, path).some((value, _, [first]) => !sameJson(value, first)) &&
    rules[patternOf(path)]?.some(({ isFreeing }) => isFreeing);
  const facts = Object.keys(writers).flatMap(path =>
    isDisputed(path) ? factsAbout(record, writers, path) : [],
  );
  return facts.filter(({ lot, batch }, place) =>
    facts.slice(0, place).every(earlier => earlier.lot !== lot || earlier.batch !== batch),
  );
}

/** Of the lots that a value of the record has a say in. */
function factsAbout({ family, id, fields }: FactSource, writers: PathWriters, path: string): LotFact[] {
  const locked = (lots: readonly unknown[]) =>
    lots.flatMap(lot => (typeof lot === 'number' ? fact(lot, { lock: 'conflict' }) : []));
  if (family === 'inventory') return locked([id]);
  if (family === 'receiving-inspection') {
    const [, item] = /^items\.(\d+)/.exec(path) ?? [];
    const lines = item === undefined ? Object.keys(mapOf(fields.items)) : [item];
    return locked(
      lines.flatMap(line => [
        mapOf(mapOf(fields.items)[line]).inventory_id,
        ...siblingsIn(writers, `items.${line}.inventory_id`),
      ]),
    );
  }
  const lots = locked([fields.inventory_id, ...siblingsIn(writers, 'inventory_id')]);
  if (lots.length > 0 || family !== 'lab-result') return lots;
  const batches = [fields.batch_number, ...siblingsIn(writers, 'batch_number')];
  return batches.flatMap(batch =>
    typeof batch === 'string' && batch !== '' ? ofNumber(batch, 'conflict') : [],
  );
}

function siblingsIn(writers: PathWriters, path: string): unknown[] {
  const written = writers[path];
  return Array.isArray(written) ? written.map(({ value }) => value ?? null) : [];
}

/** Of all lots that have the number, however it is written there. */
function ofNumber(number: string, lock: LotLock | null): LotFact {
  return { ...fact(0, { lock }), lot: null, batch: foldNumber(number) };
}

function fact(
  lot: number,
  said: { line?: number; quantity?: unknown; location?: unknown; lock?: LotLock | null },
): LotFact {
  return {
    line: said.line ?? 0,
    lot,
    batch: null,
    location: typeof said.location === 'number' ? said.location : 0,
    quantity: typeof said.quantity === 'number' ? toMicro(said.quantity) : 0n,
    lock: said.lock ?? null,
  };
}
