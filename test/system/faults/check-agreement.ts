import type { Violation } from './check-sequence.ts';
import { canonical, sha256 } from './check-sequence.ts';
import type { StoredFile } from './stored-file.ts';

type Fields = Record<string, unknown>;

/** Given by commits and not written into them. */
const TIMES = ['created_at', 'updated_at'];

/** A: each record is what its changes in history add up to, and stock is what the records say of lots. */
export function agreementFaults(file: StoredFile): Violation[] {
  return [...recordFaults(file), ...stockFaults(file)].map(what => ({ letter: 'A', what }));
}

function recordFaults({ commits, records }: StoredFile): string[] {
  const folded = new Map<string, { fields: Fields; version: number }>();
  for (const { entries } of commits) {
    for (const { subject, changes } of entries) {
      const known = folded.get(subject) ?? { fields: {}, version: 0 };
      for (const change of changes) setAt(known.fields, change.path.split('.'), structuredClone(change.new));
      folded.set(subject, { fields: known.fields, version: known.version + 1 });
    }
  }
  const faults: string[] = [];
  for (const { key, family, id, fields, version, state } of records) {
    const known = folded.get(key);
    folded.delete(key);
    if (!known) faults.push(`${key} is in no commit of history`);
    else if (canonical(bare(known.fields)) !== canonical(bare(fields))) {
      faults.push(`${key} is not what its history says`);
    } else if (known.version !== version) {
      faults.push(`${key} has the version ${version} and ${known.version} commits`);
    }
    if (key !== `${family}:${id}`) faults.push(`${key} is the record ${id} of ${family}`);
    if (sha256(canonical(fields)) !== state) faults.push(`${key} is not what its hash says`);
  }
  return [...faults, ...[...folded.keys()].map(key => `${key} is in history and not there`)];
}

function setAt(target: Fields, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const within = target[name];
  const next: Fields = typeof within === 'object' && within !== null ? { ...within } : {};
  target[name] = next;
  setAt(next, rest, value);
}

/** Without times, and without what is empty: an item map without items is the same as none. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const rest = bare(member);
      const isEmpty =
        rest === null || (typeof rest === 'object' && !Array.isArray(rest) && Object.keys(rest).length === 0);
      return isEmpty || TIMES.includes(name) ? [] : [[name, rest]];
    }),
  );
}

/** Worked out anew from the records: receipts add, closed shipments take; the clients write nothing else of lots. */
function stockFaults({ records, stock, facts }: StoredFile): string[] {
  const fresh = new Map<string, bigint>();
  const add = (lot: unknown, location: unknown, quantity: bigint) => {
    const at = `${lot}@${typeof location === 'number' ? location : 0}`;
    fresh.set(at, (fresh.get(at) ?? 0n) + quantity);
  };
  for (const { family, fields } of records) {
    for (const item of itemsOf(fields.items)) {
      if (family === 'receiving-inspection' && typeof item.inventory_id === 'number') {
        add(item.inventory_id, item.location_id, decimalMillionths(item.quantity_accepted));
      }
      if (family !== 'shipment') continue;
      for (const taken of itemsOf(item.taken)) {
        add(taken.inventory_id, taken.location_id, -decimalMillionths(taken.quantity));
      }
    }
  }
  const told = (rows: StoredFile['stock']) =>
    rows
      .map(({ lot, location, quantity }) => `${lot}@${location} ${quantity}`)
      .sort()
      .join(', ');
  const expected = [...fresh]
    .filter(([, quantity]) => quantity !== 0n)
    .map(([at, quantity]) => `${at} ${quantity}`)
    .sort()
    .join(', ');
  return [
    ...(told(stock) === expected ? [] : [`stock is ${told(stock)}; the records say ${expected}`]),
    ...(told(facts) === expected
      ? []
      : [`the facts of lots are ${told(facts)}; the records say ${expected}`]),
  ];
}

function itemsOf(items: unknown): Fields[] {
  return typeof items === 'object' && items !== null ? Object.values<Fields>({ ...items }) : [];
}

/** A number as JSON writes it, in millionths, without arithmetic on fractions. */
export function decimalMillionths(value: unknown): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(String(value)) ?? [];
  if (whole === '') throw new Error(`${value} is no decimal number of at most six places.`);
  return BigInt(`${sign}${whole}${fraction.padEnd(6, '0')}`);
}
