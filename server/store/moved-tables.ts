import type { Collection, Family } from '../../shared/contract/define-family.ts';
import { families, familyOf } from '../../shared/families/registry.ts';
import { type BlockMove, type IdRemapping, referredBy } from './id-remapping.ts';
import { overwriting, SEALED_IDENTITY } from './identity-tables.ts';
import { moveOpenScans } from './open-scans.ts';
import { checksumOfAnswer } from './remembered-answers.ts';
import type { Database } from './sqlite/database.ts';
import { pauseWebhooks } from './webhook-table.ts';

/**
 * In the open transaction: moves what this installation keeps beside its records. Counters of ids go on in the new
 * blocks; those of numbers begin anew where the station's code in the numbers is another one. `at`: ISO 8601 UTC.
 */
export function moveLocalTables(
  database: Database,
  ids: IdRemapping,
  { blocks, at }: { blocks: readonly BlockMove[]; at: string },
): void {
  moveCounters(database, blocks);
  renameInLocalTables(database, ids);
  // What was typed and not saved is of users who are others now.
  database.run("DELETE FROM unsaved_input WHERE owner NOT LIKE 'receipt %'");
  endUsers(database);
  // Who made them is nobody here any more, and they would give away what comes from central.
  pauseWebhooks(database, { cause: 'joined', at, by: null });
}

/** In the open transaction: what is kept beside the records names them by the ids that they have now. */
export function renameInLocalTables(database: Database, ids: IdRemapping): void {
  moveImportKeys(database, ids);
  moveAnswers(database, ids);
  moveOpenScans(database, ids);
}

/** From here on people sign in as users of central, with the passwords that are set there. */
function endUsers(database: Database): void {
  overwriting(database, () => {
    for (const table of Object.keys(SEALED_IDENTITY)) database.run(`DELETE FROM ${table}`);
  });
}

function moveCounters(database: Database, blocks: readonly BlockMove[]): void {
  for (const { from, to } of blocks) {
    if (from === to) continue;
    database.run("DELETE FROM allocation WHERE block = ? AND counter LIKE 'number:%'", from);
    database.run('UPDATE allocation SET block = ? WHERE block = ?', to, from);
  }
}

function moveImportKeys(database: Database, ids: IdRemapping): void {
  const sql = `SELECT source, kind, key, id FROM import_key WHERE (source, kind, key) > (?, ?, ?)
    ORDER BY source, kind, key LIMIT 500`;
  let last = { source: '', kind: '', key: '' };
  for (;;) {
    const rows = database.all<typeof last & { id: number }>(sql, last.source, last.kind, last.key);
    for (const { source, kind, key, id } of rows) {
      const moved = ids.id(id, kind);
      if (moved === id) continue;
      const update = 'UPDATE import_key SET id = ? WHERE source = ? AND kind = ? AND key = ?';
      database.run(update, moved, source, kind, key);
    }
    const end = rows.at(-1);
    if (!end) return;
    last = end;
  }
}

interface AnswerRow {
  token: number;
  key: string;
  request_hash: string;
  status: number;
  headers: string;
  body: string;
}

/** A client that repeats a write gets the first answer with the ids that its records have now. */
function moveAnswers(database: Database, ids: IdRemapping): void {
  const sql = `SELECT * FROM remembered_answer WHERE (token, key) > (?, ?) ORDER BY token, key LIMIT 200`;
  const target = referencesByName();
  for (let last = { token: Number.MIN_SAFE_INTEGER, key: '' }; ; ) {
    const rows = database.all<AnswerRow>(sql, last.token, last.key);
    for (const row of rows) {
      const headers: Record<string, string> = JSON.parse(row.headers);
      const location = headers.Location === undefined ? undefined : movedLocation(headers.Location, ids);
      const body =
        row.body && JSON.stringify(movedAnswer(JSON.parse(row.body), location?.family, { ids, target }));
      const moved = {
        ...row,
        headers: JSON.stringify(location ? { ...headers, Location: location.path } : headers),
        body,
      };
      const update =
        'UPDATE remembered_answer SET headers = ?, body = ?, seal = ? WHERE token = ? AND key = ?';
      database.run(update, moved.headers, body, checksumOfAnswer(moved), row.token, row.key);
    }
    const end = rows.at(-1);
    if (!end) return;
    last = end;
  }
}

/** `/api/v2/orders/5` and `/api/v2/orders/5/items/7`. */
function movedLocation(path: string, ids: IdRemapping): { path: string; family: string | undefined } {
  const [, name = ''] = /\/([a-z-]+)\/\d+/.exec(path) ?? [];
  const family = familyOf(name)?.name;
  let place = 0;
  const moved = path.replace(/\/(\d+)(?=\/|$)/g, (_, id: string) => {
    place += 1;
    return `/${ids.id(Number(id), place === 1 ? family : undefined)}`;
  });
  return { path: family === undefined ? path : moved, family };
}

interface AnswerIds {
  ids: IdRemapping;
  /** The family that a member of this name names a record of. */
  target: ReadonlyMap<string, string>;
}

/** Values in these are a client's own, whatever their names. */
const OPAQUE = new Set(['lab_data', 'description']);

function movedAnswer(value: unknown, family: string | undefined, context: AnswerIds): unknown {
  if (Array.isArray(value)) return value.map(each => movedAnswer(each, family, context));
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).map(([name, member]) => {
    if (OPAQUE.has(name)) return [name, member];
    const named = name === 'id' ? (family ?? '') : context.target.get(name);
    if (named !== undefined) return [name, movedId(member, named, context.ids)];
    // Only the record itself has ids of its family; what lies within has others.
    const isWithin = name !== 'data' && name !== 'meta' && name !== 'items';
    return [name, movedAnswer(member, isWithin ? undefined : family, context)];
  });
  return Object.fromEntries(members);
}

/** A number, or (inspections) text that holds one. */
function movedId(id: unknown, family: string, ids: IdRemapping): unknown {
  const isText = typeof id === 'string' && /^\d{1,15}$/.test(id);
  if (!isText && typeof id !== 'number') return id;
  const moved = ids.id(Number(id), family);
  return isText ? String(moved) : moved;
}

function referencesByName(): Map<string, string> {
  const targets = new Map<string, string>();
  const collect = (described: Pick<Family | Collection, 'fields' | 'collections'>) => {
    for (const [name, field] of Object.entries(described.fields)) {
      const target = referredBy(name, field);
      if (target === undefined) continue;
      for (const each of [name, ...field.aliases]) targets.set(each, target);
    }
    for (const collection of Object.values(described.collections)) collect(collection);
  };
  for (const family of Object.values<Family>(families)) {
    targets.set(`${family.name.replaceAll('-', '_')}_id`, family.name);
    collect(family);
  }
  return targets;
}
