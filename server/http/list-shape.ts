import type { Family } from '../../shared/contract/define-family.ts';
import type { FieldErrors } from '../../shared/contract/errors.ts';
import { type Expansion, expansionsOf } from '../../shared/contract/expanded.ts';
import { shown } from '../../shared/contract/field-schemas.ts';
import { type Answered, itemMembers, type StoredRecord } from '../../shared/contract/present.ts';
import { inventoryDetailFields, isLots, listedFields } from '../../shared/families/inventory.ts';
import { familyOf } from '../../shared/families/registry.ts';
import { type AnswerContext, answerOf } from '../rules/answers.ts';
import { namesIn } from './list-query.ts';
import { canRead } from './readable.ts';
import type { RequestContext } from './request-context.ts';

/** Which members of a list's records are answered: null for all. */
export interface ChosenFields {
  record: ReadonlySet<string>;
  /** By collection, where only some members of its items are wanted. */
  items: ReadonlyMap<string, ReadonlySet<string>>;
}

/** `fields=name,items.part_id`. What is at fault is noted. */
export function fieldsIn(
  family: Family,
  collections: readonly string[],
  context: RequestContext,
  faults: FieldErrors,
): ChosenFields | null {
  const text = context.query.get('fields');
  if (text === undefined) return null;
  const errors: string[] = [];
  const record = new Set<string>();
  const items = new Map<string, Set<string>>();
  const known = [...listedFields(family), ...collections];
  const names = namesIn(text);
  if (names.length === 0) errors.push(`${shown(text)} names no field. Give some of: ${known.join(', ')}.`);
  for (const name of names) {
    const [first = '', ...rest] = name.split('.');
    const collection = collections.includes(first) ? family.collections[first] : undefined;
    if (!known.includes(first)) {
      errors.push(`${shown(name)} is in no answer of this list. Possible: ${known.join(', ')}.`);
    } else if (rest.length === 0) {
      record.add(first);
    } else if (!collection) {
      errors.push(`${shown(name)} leads into ${first}, which has no items. Give ${first}.`);
    } else {
      const members = itemMembers(collection);
      const member = rest.join('.');
      if (!members.includes(member))
        errors.push(
          `${shown(name)} is in no item of this list. Possible: ${members.map(each => `${first}.${each}`).join(', ')}.`,
        );
      items.set(first, (items.get(first) ?? new Set()).add(member));
    }
  }
  if (errors.length > 0) faults.fields = errors;
  for (const name of items.keys()) if (record.has(name)) items.delete(name);
  return { record, items };
}

/** What `expand` asks for: of the record, and of the items of a collection. */
export interface Expansions {
  record: readonly Expansion[];
  items: ReadonlyMap<string, readonly Expansion[]>;
  /** Names of what the caller may not read, as they were given. */
  refused: readonly string[];
}

const NOTHING: Expansions = { record: [], items: new Map(), refused: [] };

/** `expand=supplier,items.part`. What is at fault is noted. */
export function expansionsIn(
  family: Family,
  collections: readonly string[],
  context: RequestContext,
  faults: FieldErrors,
): Expansions {
  const text = context.query.get('expand');
  if (text === undefined) return NOTHING;
  const possible = new Map<string, { collection: string | null; expansion: Expansion }>();
  for (const expansion of expansionsOf(family)) possible.set(expansion.name, { collection: null, expansion });
  for (const collection of collections) {
    const described = family.collections[collection];
    for (const expansion of described ? expansionsOf(described) : [])
      possible.set(`${collection}.${expansion.name}`, { collection, expansion });
  }
  const known = possible.size === 0 ? 'nothing' : [...possible.keys()].join(', ');
  const names = new Set(namesIn(text));
  const errors: string[] = [];
  if (names.size === 0) errors.push(`${shown(text)} names nothing to expand. Possible: ${known}.`);
  const record: Expansion[] = [];
  const items = new Map<string, Expansion[]>();
  const refused: string[] = [];
  for (const name of names) {
    const found = possible.get(name);
    const target = found && familyOf(found.expansion.target);
    if (!found || !target) errors.push(`${shown(name)} cannot be expanded here. Possible: ${known}.`);
    else if (!canRead(context, target)) refused.push(name);
    else if (found.collection === null) record.push(found.expansion);
    else items.set(found.collection, [...(items.get(found.collection) ?? []), found.expansion]);
  }
  if (errors.length > 0) faults.expand = errors;
  return { record, items, refused };
}

/** Makes the answers of a list's records what `fields` and `expand` ask for. */
export function shaping(
  reads: AnswerContext,
  fields: ChosenFields | null,
  expand: Expansions,
): (answer: Answered, record: StoredRecord) => Answered {
  if (fields === null && expand.record.length === 0 && expand.items.size === 0) return answer => answer;
  const embedded = embedding(reads);
  const shapeItems = (name: string, value: unknown): unknown => {
    const chosen = fields?.items.get(name);
    const expansions = expand.items.get(name) ?? [];
    if (!Array.isArray(value) || (!chosen && expansions.length === 0)) return value;
    return value.map((item: Answered) => ({
      ...(chosen ? { id: item.id, ...picked(item, each => chosen.has(each)) } : item),
      ...embedded(expansions, item),
    }));
  };
  return (answer, record) => {
    const isChosen = (name: string) =>
      fields === null || fields.record.has(name) || fields.items.has(name) || expand.items.has(name);
    const shaped: Answered = fields === null ? {} : { id: answer.id ?? record.id };
    for (const [name, value] of Object.entries(answer))
      if (isChosen(name)) shaped[name] = shapeItems(name, value);
    return Object.assign(shaped, embedded(expand.record, record.fields));
  };
}

/** The records that the ids of some references lead to, as their families answer them; each is made once for a list. */
function embedding(
  reads: AnswerContext,
): (expansions: readonly Expansion[], values: Readonly<Record<string, unknown>>) => Answered {
  const made = new Map<string, Answered | null>();
  const answer = (target: string, id: number): Answered | null => {
    const family = familyOf(target);
    const record = family && reads.records.get(target, id);
    return family && record
      ? answerOf(reads, record, isLots(family) ? { fields: inventoryDetailFields } : {})
      : null;
  };
  return (expansions, values) =>
    Object.fromEntries(
      expansions.map(({ name, field, target }) => {
        const id = Number(values[field] ?? 0);
        const key = `${target}:${id}`;
        const known = made.get(key);
        if (known !== undefined) return [name, known];
        const fresh = id > 0 ? answer(target, id) : null;
        made.set(key, fresh);
        return [name, fresh];
      }),
    );
}

function picked(answer: Answered, isChosen: (name: string) => boolean): Answered {
  return Object.fromEntries(Object.entries(answer).filter(([name]) => isChosen(name)));
}
