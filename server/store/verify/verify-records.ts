import { canonicalJson, sameJson } from '../../../shared/contract/canonical-json.ts';
import type { Family } from '../../../shared/contract/define-family.ts';
import type { PathWriters, StoredRecord } from '../../../shared/contract/present.ts';
import { readJson } from '../../../shared/contract/read-json.ts';
import { familyOf, familyOfKey } from '../../../shared/families/registry.ts';
import { applyChanges, type Change, type Fields } from '../changes.ts';
import { indexedValues } from '../family-index.ts';
import { checksumOf } from '../sqlite/checksum.ts';
import type { SqlValue } from '../sqlite/connection.ts';
import { FAMILY_SPAN } from '../subjects.ts';
import { stateOf } from '../unit-of-work.ts';
import { remedies } from './findings.ts';
import type { VerifyContext } from './verify-context.ts';

interface EntryRow {
  subject: number;
  sequence: number;
  key: string;
  commit_id: string;
  chain: string;
  at: string;
  user: string;
  changes: string;
}

interface RecordRow {
  key: string;
  revision: string;
  deleted: number;
  lwt: number;
  f_family: string;
  f_id: number;
  document: string;
  seal: number;
  /** What it is looked up by. */
  [value: `value_${number}`]: SqlValue;
}

/** What history says of one record. */
interface Folded {
  subject: number;
  key: string;
  /** Undefined for a family that this version does not know. */
  family: Family | undefined;
  fields: Fields;
  version: number;
  created_at: string;
  updated_at: string;
  user: string;
  station: string;
  creator: string;
  writers: PathWriters;
}

export interface VerifiedRecords {
  records: number;
  /** Records of families that this version does not know: nothing is worked out of them that could be compared. */
  unknown: number;
}

/** Every record is the fold of its history; calls `onSound` for each one that is. Needs `temp.entry`. */
export async function verifyRecords(
  context: VerifyContext,
  onSound: (record: StoredRecord) => void,
): Promise<VerifiedRecords> {
  const { sql, findings, table } = context;
  const counts = { records: 0, unknown: 0 };
  if (context.exchange.isUsed(context)) {
    await context.exchange.verify(context, key => {
      const row = verifyRow(context, key);
      counts.records += 1;
      if (row?.hasChecksum === false) {
        findings.add('A record is not what was written.', `record ${key}`, remedies.restore);
      } else if (row && familyOf(row.document.family)) onSound(row.document);
      else if (row) counts.unknown += 1;
    });
    return counts;
  }
  const end = async (folded: Folded) => {
    const record = verifyRecord(context, folded);
    if (record && folded.family) onSound(record);
    counts.records += 1;
    if (!folded.family) counts.unknown += 1;
    await context.step('records', counts.records);
  };
  let folded: Folded | undefined;
  for (const row of sql.iterate<EntryRow>('SELECT * FROM temp.entry ORDER BY subject, sequence')) {
    if (folded && folded.subject !== row.subject) {
      await end(folded);
      folded = undefined;
    }
    folded = fold(folded, row);
  }
  if (folded) await end(folded);

  const strays = sql.all<{ key: string }>(
    `SELECT key FROM main."${table}" AS r WHERE NOT EXISTS (SELECT 1 FROM temp.entry AS e WHERE e.subject =
       (SELECT number FROM main.family_number WHERE family = r.f_family) * ${FAMILY_SPAN} + r.f_id
       AND e.key = r.key) LIMIT 100`,
  );
  for (const { key } of strays) {
    findings.add('A record stands in no commit of history.', `record ${key}`, remedies.restore);
  }
  return counts;
}

function fold(before: Folded | undefined, row: EntryRow): Folded {
  const family = familyOfKey(row.key);
  const folded = before ?? {
    subject: row.subject,
    key: row.key,
    family,
    fields: {},
    version: 0,
    created_at: row.at,
    creator: row.commit_id,
    writers: {},
  };
  const changes: Change[] = JSON.parse(row.changes);
  const written = before ? changes.map(({ path }) => [path, row.commit_id] as const) : [];
  return {
    ...folded,
    fields: applyChanges(folded.fields, changes, row.at),
    version: folded.version + 1,
    updated_at: row.at,
    user: row.user,
    station: row.chain.slice(0, row.chain.lastIndexOf('.')),
    writers: written.length > 0 ? { ...folded.writers, ...Object.fromEntries(written) } : folded.writers,
  };
}

/** The record when it is sound. */
function verifyRecord(context: VerifyContext, folded: Folded): StoredRecord | undefined {
  const wrong = (what: string) => {
    context.findings.add(what, `record ${folded.key}`, remedies.restore);
    return undefined;
  };
  const row = verifyRow(context, folded.key);
  if (!row) return undefined;
  const { document } = row;
  if (canonicalJson(folded.fields) !== canonicalJson(document.fields)) {
    return wrong('The fields of a record are not what its history says.');
  }
  for (const name of ['version', 'created_at', 'updated_at', 'user', 'station', 'creator'] as const) {
    if (document[name] !== folded[name])
      return wrong(`The ${name} of a record is not what its history says.`);
  }
  if (!sameJson(document.writers, folded.writers)) {
    return wrong("The writers of a record's values are not what its history says.");
  }
  if (!row.hasChecksum) return wrong('A record is not what was written.');
  return document;
}

/** The record when its row agrees with itself, and whether its checksum does. */
function verifyRow(
  { sql, table, findings, isDerivedHere, isIndexedHere }: VerifyContext,
  key: string,
): { document: StoredRecord; hasChecksum: boolean } | undefined {
  const wrong = (what: string) => {
    findings.add(what, `record ${key}`, remedies.restore);
    return undefined;
  };
  const row = sql.get<RecordRow>(`SELECT * FROM main."${table}" WHERE key = ?`, key);
  if (!row) return wrong('A record of history is not there.');
  const document = documentOf(row);
  if (!document) return wrong('A record cannot be read.');
  const columns = {
    key: document.key,
    f_family: document.family,
    f_id: document.id,
    revision: document._rev,
    deleted: document._deleted ? 1 : 0,
    lwt: document._meta?.lwt,
  };
  for (const [name, value] of Object.entries(columns)) {
    if (row[name as keyof typeof columns] !== value) return wrong(`The column ${name} is not the record's.`);
  }
  for (const [place, value] of isDerivedHere && isIndexedHere ? indexedValues.of(document).entries() : []) {
    const name = indexedValues.names[place] as `value_${number}`;
    const wanted = typeof value === 'bigint' ? Number(value) : value;
    if (row[name] !== wanted) return wrong(`The column ${name} is not the record's.`);
  }
  if (document._deleted) return wrong('A record is marked as deleted; records are never deleted.');
  if (stateOf(document.fields) !== document.state) return wrong('A record is not what its hash says.');
  if (!(Number.isInteger(document.field_set) && document.field_set >= 1)) {
    return wrong('The field_set of a record is not a whole number.');
  }
  return { document, hasChecksum: checksumOf(row.document) === row.seal };
}

type Document = StoredRecord & { _rev: string; _deleted: boolean; _meta?: { lwt?: number } };

function documentOf({ document }: RecordRow): Document | undefined {
  const parsed = readJson(document) as Partial<Document> | undefined;
  return parsed !== null &&
    typeof parsed === 'object' &&
    parsed.fields !== null &&
    typeof parsed.fields === 'object'
    ? (parsed as Document)
    : undefined;
}
