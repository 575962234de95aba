import type { Collection, Family } from '../../shared/contract/define-family.ts';
import { familyOf, familyOfKey } from '../../shared/families/registry.ts';
import { type Fields, mapOf } from './changes.ts';
import { readFormDraft } from './form-drafts.ts';
import { type IdRemapping, referredBy } from './id-remapping.ts';
import { itemCounter } from './ids.ts';
import { checksumOf } from './sqlite/checksum.ts';
import type { Database } from './sqlite/database.ts';
import { stateOf } from './unit-of-work.ts';

/**
 * In the open transaction: what people typed into the form of a record, or of a new one, goes with the records that have
 * other ids now. What a screen keeps in a form of its own is thrown away where a number in it may be such an id.
 * @param former the ids of records and items that are others' now
 */
export function moveFormDrafts(database: Database, ids: IdRemapping, former: ReadonlySet<number>): void {
  // Those of a receipt have moved already (`open-scans.ts`).
  const sql = "SELECT owner, key FROM unsaved_input WHERE owner NOT LIKE 'receipt %'";
  const rows = database.all<{ owner: string; key: string }>(sql);
  const drafts = rows.map(row => ({ ...row, draft: readFormDraft(database, row.owner, row.key) }));
  const named = drafts.filter(({ key, draft }) => draft && namesOneOf(`${key} ${draft.data}`, former));
  // All at once: one may move to where another one still is.
  for (const { owner, key } of named)
    database.run('DELETE FROM unsaved_input WHERE owner = ? AND key = ?', owner, key);
  for (const { owner, key, draft } of named) {
    const moved = draft && movedData(key, JSON.parse(draft.data), ids);
    if (!draft || moved === undefined) continue;
    const data = JSON.stringify(moved);
    const sql = 'INSERT OR REPLACE INTO unsaved_input (owner, key, data, at, seal) VALUES (?, ?, ?, ?, ?)';
    database.run(sql, owner, movedKey(key, ids), data, draft.at, checksumOf(data));
  }
}

function namesOneOf(text: string, ids: ReadonlySet<number>): boolean {
  return (text.match(/\d+/g) ?? []).some(digits => ids.has(Number(digits)));
}

/** `order:12`, `new ncr from inspection:5`. */
function movedKey(key: string, ids: IdRemapping): string {
  return key.replace(/[a-z-]+:\d+$/, subject => (familyOfKey(subject) ? ids.subject(subject) : subject));
}

/** Undefined for what is no form of a family: a client may keep anything under any key, and that stops no exchange. */
function movedData(key: string, data: unknown, ids: IdRemapping): unknown {
  try {
    return movedForm(key, data, ids);
  } catch {
    return undefined;
  }
}

function movedForm(key: string, data: unknown, ids: IdRemapping): unknown {
  const created = familyOf(/^new ([a-z-]+)(?: from \S+)?$/.exec(key)?.[1] ?? '');
  if (created) return movedValues(created, mapOf(data), ids);
  const family = familyOfKey(key);
  const { base, changes } = mapOf(data);
  if (!family || !base || !changes) return undefined;
  const fields = ids.fields(family, mapOf(mapOf(base).fields));
  const id = ids.id(Number(mapOf(base).id), family.name);
  const moved = { ...mapOf(base), id, fields, state: stateOf(fields) };
  return { base: moved, changes: movedValues(family, mapOf(changes), ids) };
}

/** As forms have them: collections are lists. */
function movedValues(
  described: Pick<Family | Collection, 'fields' | 'collections'>,
  values: Fields,
  ids: IdRemapping,
): Fields {
  const moved = Object.entries(values).map(([name, value]) => {
    const collection = described.collections[name];
    if (collection && Array.isArray(value))
      return [name, value.map(item => movedItem(collection, mapOf(item), ids))];
    const target = referredBy(name, described.fields[name]);
    return [name, target === undefined ? value : movedId(value, target, ids)];
  });
  return Object.fromEntries(moved);
}

function movedItem(collection: Collection, item: Fields, ids: IdRemapping): Fields {
  const moved = movedValues(collection, item, ids);
  return 'id' in item ? { ...moved, id: movedId(item.id, itemCounter(collection), ids) } : moved;
}

/** A number, or text that holds one. */
function movedId(id: unknown, counter: string, ids: IdRemapping): unknown {
  if (typeof id === 'string') return /^\d{1,15}$/.test(id) ? String(ids.id(Number(id), counter)) : id;
  return typeof id === 'number' ? ids.id(id, counter) : id;
}
