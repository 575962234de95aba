import { sameJson } from '../../shared/contract/canonical-json.ts';
import type { Collection, Family } from '../../shared/contract/define-family.ts';
import { AppError, invalid } from '../../shared/contract/errors.ts';
import type { ParsedInput, ParsedItem } from '../../shared/contract/parse-input.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { families, familyOf } from '../../shared/families/registry.ts';
import { mapOf } from '../store/changes.ts';
import type { ImportKeys } from '../store/import-keys.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';
import { REMOVED } from './exported-record.ts';
import type { ImportRow, RowPlace, RowReference } from './import-row.ts';
import { isCodeAlone, type StepPlan } from './plan.ts';
import { findReferred, foundBy, type NameIndex } from './references.ts';

export interface ApplyContext {
  keys: ImportKeys;
  names: NameIndex;
  /** This installation's: the ids in its own exports are its own. */
  station: string;
}

export interface Applied {
  outcome: 'created' | 'updated' | 'unchanged';
  id: number;
  /** References to records of the same file that do not exist yet; they are made up for at the end of the step. */
  deferred: RowReference[];
}

/** The writer of the company that a fresh installation has; an import may take it over. */
const SETUP = 'setup';

/** Puts a row into the draft: a new record, or what changed of one that is there. @throws AppError with every fault */
export function applyRow(context: ApplyContext, work: UnitOfWork, plan: StepPlan, row: ImportRow): Applied {
  // The draft notes ids in the input, and a row may be tried twice.
  const input = structuredClone(row.input);
  if (row.whole) return applyWhole(context, work, plan, row.whole, input);
  const items = itemsByPath(input.items);
  const deferred = resolveReferences(context, work, plan, row, input, items);
  const before = findRecord(context, work, plan, row, input);
  if (!before) {
    // Who is told apart by the number alone needs one of the file: with one of the server the next run would make it anew.
    const isAlone = row.key === null && plan.form === 'mapped';
    blameMissing(work, plan.family, input, isAlone ? plan.family.numbered?.field : undefined);
    const created = work.create(plan.family, input);
    if (row.key !== null) context.keys.remember(plan.source, plan.family.name, row.key, created.id);
    rememberItems(context, plan.source, row.places, items);
    return { outcome: 'created', id: created.id, deferred };
  }
  for (const [path, item] of items)
    item.id = knownItem(context, plan.source, row.places[path], items, before, path);
  if (row.key !== null) context.keys.remember(plan.source, plan.family.name, row.key, before.id);
  const outcome = change(work, plan.family, before, input);
  rememberItems(context, plan.source, row.places, items);
  return { outcome, id: before.id, deferred };
}

/** Sets a reference that had to wait for the end of its step. */
export function applyDeferred(
  context: ApplyContext,
  work: UnitOfWork,
  family: Family,
  id: number,
  reference: RowReference,
): void {
  const found = findReferred(context, work, reference);
  work.update(family, id, { fields: { [reference.field]: found }, items: {}, paths: {}, ignored: [] });
}

function applyWhole(
  context: ApplyContext,
  work: UnitOfWork,
  plan: StepPlan,
  whole: NonNullable<ImportRow['whole']>,
  input: ParsedInput,
): Applied {
  const { family, source } = plan;
  const { id } = whole;
  const key = JSON.stringify([String(id)]);
  const before = work.get(family.name, id);
  if (before) {
    const isSameRecord =
      source === context.station ||
      before.user === SETUP ||
      context.keys.find(source, family.name, key) === id;
    if (!isSameRecord) {
      const message = `The id ${id} is that of another record here; the file comes from another installation. Map its columns with a "key" to add its records to these.`;
      throw new AppError('conflict', message);
    }
    context.keys.remember(source, family.name, key, id);
    return { outcome: change(work, family, before, input), id, deferred: [] };
  }
  if (whole.hasNewItems) {
    throw invalid({
      id: [`There is no record with the id ${id} here, so each of its items needs its id as well.`],
    });
  }
  const fields = { ...whole.fields };
  const deferred = Object.entries(family.fields).flatMap(([name, field]): RowReference[] => {
    const target = fields[name];
    if (field.reference !== family.name || typeof target !== 'number' || work.get(family.name, target))
      return [];
    delete fields[name];
    return [{ at: '', field: name, family: family.name, find: 'id', source, text: String(target) }];
  });
  work.restore(family, id, fields);
  context.keys.remember(source, family.name, key, id);
  return { outcome: 'created', id, deferred };
}

function change(
  work: UnitOfWork,
  family: Family,
  before: StoredRecord,
  input: ParsedInput,
): Applied['outcome'] {
  // The number that the server gave stays where the file has none.
  const numbered = family.numbered?.field;
  if (numbered !== undefined && input.fields[numbered] === null) delete input.fields[numbered];
  if (isAlreadySo(family, before.fields, input)) return 'unchanged';
  if (!canChange(family)) {
    throw new AppError(
      'conflict',
      `${family.plural} are never changed, and this one is here with other values. Add another one.`,
    );
  }
  const after = work.update(family, before.id, input);
  return after.state === before.state ? 'unchanged' : 'updated';
}

function findRecord(
  context: ApplyContext,
  work: UnitOfWork,
  plan: StepPlan,
  row: ImportRow,
  input: ParsedInput,
): StoredRecord | undefined {
  const known = row.key === null ? undefined : context.keys.find(plan.source, plan.family.name, row.key);
  if (known !== undefined) return work.get(plan.family.name, known);
  const match = plan.form === 'mapped' ? plan.match : null;
  const value = match && input.fields[match.name];
  if (!match || (typeof value !== 'string' && typeof value !== 'number')) return undefined;
  const found = isCodeAlone(plan.family, match.name)
    ? work.numbered(plan.family, match.name, String(value))
    : foundBy(work, plan.family.name as keyof typeof families, match.name, value);
  if (found.length < 2) return found[0];
  throw invalid({ [match.name]: [`${found.length} records have this value. Match a field that names one.`] });
}

/** Replaces the placeholders of references by ids; answers those that must wait. */
function resolveReferences(
  context: ApplyContext,
  work: UnitOfWork,
  plan: StepPlan,
  row: ImportRow,
  input: ParsedInput,
  items: ReadonlyMap<string, ParsedItem>,
): RowReference[] {
  const deferred: RowReference[] = [];
  for (const reference of row.references) {
    const { fields } = reference.at === '' ? input : (items.get(reference.at) ?? input);
    try {
      fields[reference.field] = findReferred(context, work, reference);
    } catch (error) {
      if (!(error instanceof AppError) || !error.errors) throw error;
      const mayComeLater =
        error.code === 'validation_failed' && reference.at === '' && reference.family === plan.family.name;
      delete fields[reference.field];
      if (mayComeLater) deferred.push(reference);
      else for (const [path, messages] of Object.entries(error.errors)) work.blame(path, messages.join(' '));
    }
  }
  return deferred;
}

/** What a create must give: the row was read as an update. */
function blameMissing(
  work: UnitOfWork,
  family: Family,
  input: ParsedInput,
  needed: string | undefined,
): void {
  const check = (
    described: Family | Collection,
    members: Pick<ParsedInput, 'fields' | 'items'>,
    prefix: string,
  ) => {
    for (const [name, field] of Object.entries(described.fields)) {
      const value = members.fields[name] ?? '';
      const isNeeded = field.requiredOn.includes('create') || (prefix === '' && name === needed);
      if (!field.writable || !isNeeded || value !== '') continue;
      const message = `${field.label} is missing. A new record needs it: map a column to ${name}.`;
      work.blame(`${prefix}${name}`, message);
    }
    for (const [name, entries] of Object.entries(members.items)) {
      const collection = described.collections[name];
      if (collection) for (const item of entries) check(collection, item, `${item.path}.`);
    }
  };
  check(family, input, '');
}

function itemsByPath(
  items: ParsedInput['items'],
  found = new Map<string, ParsedItem>(),
): Map<string, ParsedItem> {
  for (const item of Object.values(items).flat()) {
    found.set(item.path, item);
    itemsByPath(item.items, found);
  }
  return found;
}

/** The id that the item with this key got when it was imported before, as far as the record still has it. */
function knownItem(
  { keys }: ApplyContext,
  source: string,
  place: RowPlace | undefined,
  items: ReadonlyMap<string, ParsedItem>,
  before: StoredRecord,
  path: string,
): number | null {
  const id = place && place.key !== null ? keys.find(source, place.kind, place.key) : undefined;
  if (id === undefined) return null;
  const names = path.split('.');
  let stored: unknown = before.fields;
  for (let at = 0; at < names.length; at += 2) {
    stored = mapOf(stored)[names[at] ?? ''];
    const own = items.get(names.slice(0, at + 2).join('.'))?.id ?? null;
    stored = mapOf(stored)[at + 2 === names.length ? id : (own ?? '')];
  }
  return stored === undefined ? null : id;
}

function rememberItems(
  { keys }: ApplyContext,
  source: string,
  places: Record<string, RowPlace>,
  items: ReadonlyMap<string, ParsedItem>,
): void {
  for (const [path, item] of items) {
    const place = places[path];
    if (place && place.key !== null && item.id !== null)
      keys.remember(source, place.kind, place.key, item.id);
  }
}

/** Whether the record has all that the input says, so that no rule need judge it again. */
function isAlreadySo(
  described: Family | Collection,
  stored: Record<string, unknown>,
  input: Pick<ParsedInput, 'fields' | 'items'>,
): boolean {
  const hasFields = Object.entries(input.fields).every(([name, value]) =>
    sameJson(stored[name] ?? null, value ?? null),
  );
  if (!hasFields) return false;
  return Object.entries(input.items).every(([name, items]) => {
    const collection = described.collections[name];
    if (!collection) return true;
    const entries = mapOf(stored[name]);
    const present = Object.values(entries).filter(entry => mapOf(entry)[REMOVED] !== true);
    if (collection.isWholeList && present.length !== items.length) return false;
    return items.every(item => {
      const entry = item.id === null ? undefined : entries[item.id];
      return (
        entry !== undefined && mapOf(entry)[REMOVED] !== true && isAlreadySo(collection, mapOf(entry), item)
      );
    });
  });
}

/** Facts such as adjustments have no update; the settings have an operation of their own. */
function canChange(family: Family): boolean {
  const kinds = [...(family.operations.documented?.kinds ?? []), ...family.operations.extensions];
  return kinds.includes('update') || familyOf(family.name) === families.setting;
}
