import { sameJson } from '../../shared/contract/canonical-json.ts';
import type { ZoneOf } from '../../shared/contract/dates.ts';
import type { Collection, Family } from '../../shared/contract/define-family.ts';
import { type FieldErrors, invalid } from '../../shared/contract/errors.ts';
import { shown } from '../../shared/contract/field-schemas.ts';
import type { Field } from '../../shared/contract/fields.ts';
import { type ParsedInput, type ParsedItem, readInput } from '../../shared/contract/parse-input.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import type { Conflict } from './log/conflicts.ts';

/**
 * The input of an update that gives a path its value: `items.7.quantity` becomes that field of that item. One of the
 * values in conflict is taken as it is stored; any other is read as a client's, at the site with this time zone.
 * @throws AppError 422 on `value`
 */
export function resolutionInput(
  family: Family,
  record: Pick<StoredRecord, 'fields'>,
  { path, siblings }: Pick<Conflict, 'path' | 'siblings'>,
  value: unknown,
  zone?: ZoneOf,
): ParsedInput {
  const parts = path.split('.');
  const known = siblings.find(sibling => sameJson(sibling.value ?? null, value));
  const field = describedAt(family, parts)?.fields[parts.at(-1) ?? ''];
  if (parts.length % 2 === 0 || !(known || field?.writable)) {
    const values = siblings.map(sibling => shown(sibling.value ?? null)).join(' or ');
    throw invalid({ value: [`${shown(value)} cannot be given here. Choose ${values}.`] });
  }
  // As it was written: who chooses it may have left out what is null within it.
  const stored = known ? (known.value ?? null) : field ? readValue(field, value, zone) : value;
  return { ...membersOf(family, record.fields, parts, stored), ignored: [] };
}

function readValue(field: Field, value: unknown, zone?: ZoneOf): unknown {
  const errors: FieldErrors = {};
  const described = { fields: { value: field }, collections: {} };
  const { fields } = readInput(
    described,
    { value },
    { mode: 'patch', ...(zone !== undefined && { zone }) },
    errors,
  );
  const messages = Object.values(errors).flat();
  if (messages.length > 0) throw invalid({ value: messages });
  return fields.value ?? null;
}

/** What the last field of a path lies in. */
function describedAt(family: Family, parts: readonly string[]): Family | Collection | undefined {
  let described: Family | Collection | undefined = family;
  for (let index = 0; described && index < parts.length - 1; index += 2) {
    described = described.collections[parts[index] ?? ''];
  }
  return described;
}

/** A whole list names the items that stay as well. */
function membersOf(
  described: Family | Collection,
  fields: unknown,
  [name = '', item, ...rest]: readonly string[],
  value: unknown,
): Omit<ParsedItem, 'id' | 'path'> {
  if (item === undefined) return { fields: { [name]: value }, items: {}, paths: { [name]: 'value' } };
  const collection = described.collections[name];
  // What this version does not know is named as it stands, but for the value.
  if (!collection)
    return { ...NOTHING, fields: { [name]: withValue(membersIn(fields)[name], [item, ...rest], value) } };
  const entries = membersIn(membersIn(fields)[name]);
  const inner = { id: Number(item), path: 'value', ...membersOf(collection, entries[item], rest, value) };
  const others = Object.entries(entries).flatMap(([id, entry]): ParsedItem[] => {
    const stays = collection.isWholeList && id !== item && membersIn(entry).is_removed !== true;
    return stays ? [{ id: Number(id), path: 'value', ...NOTHING }] : [];
  });
  return { fields: {}, items: { [name]: [...others, inner] }, paths: {} };
}

/** A value with another one in it. */
function withValue(of: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  const members = membersIn(of);
  return { ...members, [step]: withValue(members[step], rest, value) };
}

const NOTHING: Omit<ParsedItem, 'id' | 'path'> = { fields: {}, items: {}, paths: {} };

function membersIn(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
