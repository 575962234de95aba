import { createHash } from 'node:crypto';
import { lotFactsOf } from '../../../server/rules/lot-facts.ts';
import type { Commit, Entry } from '../../../server/store/changes.ts';
import { applyChanges, type Fields } from '../../../server/store/changes.ts';
import type { Store } from '../../../server/store/store.ts';
import { RECORDS_TABLE } from '../../../server/store/verify/verify.ts';
import { canonicalJson, sameJson } from '../../../shared/contract/canonical-json.ts';
import type { Family } from '../../../shared/contract/define-family.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families, familyOf } from '../../../shared/families/registry.ts';

/** Every fault in what a store holds; none while history, records and what is derived from them agree. */
export function audit(store: Store): string[] {
  const commits = commitsOf(store);
  const records = recordsOf(store);
  return [
    ...auditChains(commits),
    ...auditRecords(records, commits),
    ...auditStock(store, records),
    ...auditCounters(store, records),
  ];
}

/** All commits in the order of their arrival, as they are stored: the store itself would refuse a forged one. */
export function commitsOf(store: Store): Commit[] {
  const rows = store.database.reader.all<
    Omit<Commit, 'entries'> & { sequence: number; seal: number; entries: string }
  >('SELECT * FROM history ORDER BY sequence');
  return rows.map(({ sequence: _, seal: __, ...commit }) => ({
    ...commit,
    entries: JSON.parse(commit.entries),
  }));
}

export function recordsOf(store: Store): StoredRecord[] {
  const rows = store.database.reader.all<{ document: string }>(
    `SELECT document FROM "${RECORDS_TABLE}" ORDER BY f_family, f_id`,
  );
  return rows.map(({ document }) => JSON.parse(document));
}

/** The stock table as `lot@location quantity`, quantities in millionths. */
export function stockOf(store: Store): string[] {
  const rows = store.database.reader.allBig<{ lot: bigint; location: bigint; quantity: bigint }>(
    'SELECT lot, location, quantity FROM stock',
  );
  return rows.map(({ lot, location, quantity }) => `${lot}@${location} ${quantity}`).sort();
}

function auditChains(commits: readonly Commit[]): string[] {
  const heads = new Map<string, Pick<Commit, 'number' | 'hash'>>();
  const faults: string[] = [];
  for (const { hash, ...commit } of commits) {
    const head = heads.get(commit.chain) ?? { number: 0, hash: '' };
    const name = `${commit.chain}/${commit.number}`;
    if (commit.number !== head.number + 1) faults.push(`${name} does not follow ${head.number}`);
    if (commit.previous_hash !== head.hash) faults.push(`${name} does not name the hash before it`);
    if (hash !== sha256(canonicalJson(commit))) faults.push(`${name} has a wrong hash`);
    heads.set(commit.chain, { number: commit.number, hash });
  }
  if (new Set(commits.map(commit => commit.commit_id)).size !== commits.length) {
    faults.push('a commit id stands twice');
  }
  return faults;
}

interface Folded {
  family: Family;
  fields: Fields;
  commits: Commit[];
  /** What each of the commits wrote, in their order. */
  paths: string[][];
}

function auditRecords(records: readonly StoredRecord[], commits: readonly Commit[]): string[] {
  const folded = new Map<string, Folded>();
  const faults = commits.flatMap(commit => commit.entries.flatMap(entry => fold(folded, commit, entry)));
  const byKey = new Map(records.map(record => [record.key, record]));
  for (const key of new Set([...byKey.keys(), ...folded.keys()])) {
    const [record, history] = [byKey.get(key), folded.get(key)];
    if (!record || !history) faults.push(`${key} is ${record ? 'in no commit' : 'in history only'}`);
    else faults.push(...auditRecord(record, history));
  }
  return faults;
}

function fold(folded: Map<string, Folded>, commit: Commit, { subject, changes }: Entry): string[] {
  const family = familyOf(subject.slice(0, subject.lastIndexOf(':')));
  if (!family) return [`${subject} is of no family`];
  const known = folded.get(subject) ?? { family, fields: {}, commits: [], paths: [] };
  const faults: string[] = [];
  if (known.commits.length > 0 && changes.length === 0) faults.push(`${commit.number} changes nothing`);
  for (const { path, old, new: value, over } of changes) {
    const name = `${commit.number} ${subject} ${path}`;
    if (!sameJson(old, valueAt(known.fields, path))) faults.push(`${name}: old is not what was there`);
    if (sameJson(old, value)) faults.push(`${name}: new is the same as old`);
    if (!sameJson(over, writersOf(known, path))) faults.push(`${name}: over is ${over}`);
  }
  folded.set(subject, {
    family,
    fields: applyChanges(known.fields, changes, commit.at),
    commits: [...known.commits, commit],
    paths: [...known.paths, changes.map(change => change.path)],
  });
  return faults;
}

/** The last commit that wrote the path or what it is a part of; the first wrote everything, by naming it or not. */
function writersOf({ commits, paths }: Folded, path: string): string[] {
  for (let index = commits.length - 1; index > 0; index -= 1) {
    const isWritten = paths[index]?.some(written => path === written || path.startsWith(`${written}.`));
    if (isWritten) return [commits[index]?.commit_id ?? ''];
  }
  return commits.slice(0, 1).map(commit => commit.commit_id);
}

function valueAt(fields: Fields, path: string): unknown {
  let value: unknown = fields;
  for (const name of path.split('.')) value = (value as Fields | undefined)?.[name];
  return value ?? null;
}

function auditRecord(record: StoredRecord, { fields, commits }: Folded): string[] {
  const [first, last] = [commits[0], commits.at(-1)];
  const expected = {
    fields,
    version: commits.length,
    state: sha256(canonicalJson(fields)),
    created_at: first?.at,
    updated_at: last?.at,
    user: last?.user,
  };
  return Object.entries(expected).flatMap(([name, value]) =>
    sameJson(value, record[name as keyof StoredRecord])
      ? []
      : [`${record.key}: ${name} is not its history's`],
  );
}

function auditStock(store: Store, records: readonly StoredRecord[]): string[] {
  const sums = new Map<string, bigint>();
  for (const { lot, location, quantity } of records.flatMap(record => lotFactsOf(record))) {
    if (lot === null) continue;
    sums.set(`${lot}@${location}`, (sums.get(`${lot}@${location}`) ?? 0n) + quantity);
  }
  const derived = [...sums].filter(([, quantity]) => quantity !== 0n).map(([at, sum]) => `${at} ${sum}`);
  const stored = stockOf(store);
  return sameJson(derived.sort(), stored) ? [] : [`stock is ${stored}, not ${derived}`];
}

function auditCounters(store: Store, records: readonly StoredRecord[]): string[] {
  return Object.keys(families).flatMap(name => {
    const count = records.filter(record => record.family === name).length;
    return store.records.total(name) === count ? [] : [`the total of ${name} is not ${count}`];
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
