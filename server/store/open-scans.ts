import { AppError } from '../../shared/contract/errors.ts';
import { families } from '../../shared/families/registry.ts';
import { type Fields, mapOf } from './changes.ts';
import type { IdRemapping } from './id-remapping.ts';
import { itemCounter } from './ids.ts';
import { checksumOf } from './sqlite/checksum.ts';
import type { Database } from './sqlite/database.ts';

/**
 * What was scanned at a receipt and is in no line yet lies beside the form drafts, as the receipt's own: whoever works there
 * sees it, and none of it makes room for newer ones.
 */
export interface OpenScan {
  key: string;
  data: unknown;
  by: string | null;
  at: string;
}

export interface OpenScanChange {
  key: string;
  /** Null takes it away. */
  data: unknown;
  /** The receipt that it goes to. */
  movesTo?: number | undefined;
}

/** Of one receipt. */
const MOST = 5_000;

interface Row {
  owner: string;
  key: string;
  data: string;
  at: string;
  seal: number;
}

const ownerOf = (receipt: number): string => `receipt ${receipt}`;

/** The oldest first. One that a bit has changed is told with no data: something was scanned. */
export function readOpenScans(database: Database, receipt: number): OpenScan[] {
  const sql = 'SELECT owner, key, data, at, seal FROM unsaved_input WHERE owner = ? ORDER BY at, key';
  return database.reader.all<Row>(sql, ownerOf(receipt)).map(({ key, data, at, seal }) => {
    const { by, given } = checksumOf(data) === seal ? mapOf(JSON.parse(data)) : {};
    return { key, data: given ?? null, by: typeof by === 'string' ? by : null, at };
  });
}

/**
 * In the open transaction, all or nothing. @throws AppError `conflict` when one that was to stand is gone, `too_large`
 * when there are too many.
 */
export function changeOpenScans(
  database: Database,
  receipt: number,
  {
    changes,
    expects,
    by,
    at,
  }: { changes: readonly OpenScanChange[]; expects: readonly string[]; by: string; at: string },
): void {
  const owner = ownerOf(receipt);
  for (const key of expects) {
    const sql = 'SELECT 1 FROM unsaved_input WHERE owner = ? AND key = ?';
    if (database.get(sql, owner, key) === undefined)
      throw new AppError(
        'conflict',
        'Somebody else has settled this scan meanwhile. Look at the list again.',
      );
  }
  for (const { key, data, movesTo } of changes) {
    if (data === null || data === undefined || movesTo !== undefined)
      database.run('DELETE FROM unsaved_input WHERE owner = ? AND key = ?', owner, key);
    if (data === null || data === undefined) continue;
    const text = JSON.stringify({ by, given: data });
    // Its place among the others is that of the first time.
    database.run(
      `INSERT INTO unsaved_input (owner, key, data, at, seal) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (owner, key) DO UPDATE SET data = excluded.data, seal = excluded.seal`,
      ownerOf(movesTo ?? receipt),
      key,
      text,
      at,
      checksumOf(text),
    );
  }
  const counted = database.get<{ count: number }>(
    'SELECT count(*) AS count FROM unsaved_input WHERE owner = ?',
    owner,
  );
  if ((counted?.count ?? 0) > MOST) {
    const message = `At most ${MOST} scans of a receipt wait. Settle some of them first.`;
    throw new AppError('too_large', message);
  }
}

/** In the open transaction: they go with receipts, parts, places and lines that have other ids now. */
export function moveOpenScans(database: Database, ids: IdRemapping): void {
  const rows = database.all<Row>("SELECT * FROM unsaved_input WHERE owner LIKE 'receipt %'");
  // All at once: one may move to where another one still is.
  database.run("DELETE FROM unsaved_input WHERE owner LIKE 'receipt %'");
  for (const { owner, key, data, at, seal } of rows) {
    const receipt = ids.id(Number(owner.slice('receipt '.length)), families['receiving-inspection'].name);
    const isWhole = checksumOf(data) === seal;
    const moved = isWhole ? movedText(data, ids) : data;
    const sql = 'INSERT OR REPLACE INTO unsaved_input (owner, key, data, at, seal) VALUES (?, ?, ?, ?, ?)';
    database.run(sql, ownerOf(receipt), key, moved, at, isWhole ? checksumOf(moved) : seal);
  }
}

const LINE_REFERENCES = { part: 'part', location: 'location', template: 'specification' };

/** As the receiving screen has them: `line` with its part, place and template, `item` for a saved line. */
function movedText(text: string, ids: IdRemapping): string {
  const row = mapOf(JSON.parse(text));
  const given = mapOf(row.given);
  const { items } = families['receiving-inspection'].collections;
  if (items && typeof given.item === 'number') given.item = ids.id(given.item, itemCounter(items));
  if (typeof given.line === 'object' && given.line !== null) {
    const line: Fields = mapOf(given.line);
    for (const [name, family] of Object.entries(LINE_REFERENCES)) {
      const id = line[name];
      if (typeof id === 'number') line[name] = ids.id(id, family);
    }
  }
  return JSON.stringify(row);
}
