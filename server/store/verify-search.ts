import type { StoredRecord } from '../../shared/present.ts';
import { remedies } from './findings.ts';
import { searchText } from './records.ts';
import { searchable } from './sqlite/search.ts';
import { subjectOf, type VerifyContext } from './verify-context.ts';

/** Records that one probe may find at once. */
const BATCH = 500;
/** The index knows runs of three characters. */
const RUN = 3;

interface Expected {
  key: string;
  row: bigint;
  characters: string[];
  text: string;
}

/**
 * Search finds every record by its text: its row in the index has the length of the text, and three characters of it
 * find the row. Which three differs from record to record, so that the index is probed everywhere.
 */
export function searchVerifier(context: VerifyContext): {
  record: (record: StoredRecord) => void;
  finish: () => void;
} {
  const { sql, findings } = context;
  let batch: Expected[] = [];
  const notFound = (key: string) =>
    findings.add(
      'Search does not find a record by its text.',
      `search_index, record ${key}`,
      remedies.rebuild,
    );
  const finish = () => {
    for (const key of missed(context, batch)) notFound(key);
    batch = [];
  };
  return {
    record(record) {
      const plain = searchText(record);
      const text = plain === '' ? '' : searchable(plain);
      const characters = [...text];
      const runs = Math.max(0, characters.length - RUN + 1);
      const row = BigInt(subjectOf(context, record.key) ?? 0);
      const size = sql.get<{ sz: Uint8Array }>(
        'SELECT sz FROM main.search_index_docsize WHERE id = ?',
        row,
      )?.sz;
      if (size === undefined ? runs > 0 : variableInteger(size) !== runs) notFound(record.key);
      else if (runs > 0) batch.push({ key: record.key, row, characters, text });
      if (batch.length === BATCH) finish();
    },
    finish,
  };
}

/** Each probe takes along all records of the batch that have its characters, so that similar texts cost few probes. */
function missed({ sql }: VerifyContext, batch: readonly Expected[]): string[] {
  const rows = batch.map(({ row }) => row).sort((a, b) => (a < b ? -1 : 1));
  const [low = 0n, high = 0n] = [rows[0], rows.at(-1)];
  const open = new Map(batch.map(expected => [expected.row, expected]));
  const keys: string[] = [];
  for (const expected of batch) {
    if (!open.has(expected.row)) continue;
    const probe = probeOf(expected);
    // BigInts: FTS5 ignores a bound of the rowid that is a double, and node:sqlite binds every number as one.
    const found = sql.allBig<{ rowid: bigint }>(
      'SELECT rowid FROM main.search_index WHERE search_index MATCH ? AND rowid BETWEEN ? AND ?',
      `"${probe.replaceAll('"', '""')}"`,
      low,
      high,
    );
    for (const { rowid } of found) if (open.get(rowid)?.text.includes(probe)) open.delete(rowid);
    if (open.delete(expected.row)) keys.push(expected.key);
  }
  return keys;
}

function probeOf({ row, characters }: Expected): string {
  const start = Math.floor(((Number(row) * 0.618_033_988_75) % 1) * (characters.length - RUN + 1));
  return characters.slice(start, start + RUN).join('');
}

/** SQLite's variable-length integer: seven bits a byte, the highest bit says that more follow. */
function variableInteger(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) break;
  }
  return value;
}
