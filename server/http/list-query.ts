import { parseDate, parseTimestamp, type ZoneOf } from '../../shared/contract/dates.ts';
import type { Family } from '../../shared/contract/define-family.ts';
import { type FieldErrors, noting } from '../../shared/contract/errors.ts';
import { shown } from '../../shared/contract/field-schemas.ts';
import {
  filterFields,
  ID,
  type ListKind,
  listedField,
  listFields,
} from '../../shared/contract/list-fields.ts';
import {
  CONDITION_LIMIT,
  IN_LIMIT,
  LIST_OPERATORS,
  type ListOperator,
  operatorsOf,
  SORT_LIMIT,
} from '../../shared/contract/list-operators.ts';
import { foldCode } from '../../shared/families/secondary-index.ts';
import type { IndexValue, ListCondition, ListTest, SortKey } from '../store/list-conditions.ts';
import { type DeepMember, type Query, type RequestContext, withPlus } from './request-context.ts';

export interface ListOrder {
  sort: readonly SortKey[];
  /** Which way the ids go, which come last. */
  isNewestFirst: boolean;
}

/**
 * `sort=due_date,-id`. Records that are alike come by id: as `sort` or `order` says, else the way of the first field, which
 * is the order of its index. What is at fault is noted.
 */
export function orderIn(family: Family, query: Query, faults: FieldErrors): ListOrder {
  const text = query.get('sort');
  const isNewestFirst = noting(faults, () => query.isNewestFirst()) ?? false;
  if (text === undefined) return { sort: [], isNewestFirst };
  const known = listFields(family);
  const words = namesIn(text);
  const errors: string[] = [];
  const keys = words.map(word => ({ field: word.replace(/^-/, ''), isDescending: word.startsWith('-') }));
  if (words.length === 0) errors.push(`${shown(text)} names no field. Give one, such as sort=-id.`);
  if (words.length > SORT_LIMIT)
    errors.push(`${words.length} fields are too many. Sort by ${SORT_LIMIT} at most.`);
  for (const [place, { field }] of keys.entries()) {
    if (!known.has(field)) errors.push(notListed(family, field, 'sorted'));
    else if (keys.findIndex(key => key.field === field) < place)
      errors.push(`${shown(field)} stands twice. Name each field once.`);
  }
  if (errors.length > 0) faults.sort = errors;
  // Nothing comes after an id.
  const place = keys.findIndex(({ field }) => field === ID);
  const ways = [keys[place], query.get('order') === undefined ? keys[0] : { isDescending: isNewestFirst }];
  const way = ways.find(each => each !== undefined);
  return { sort: place < 0 ? keys : keys.slice(0, place), isNewestFirst: way?.isDescending ?? false };
}

/** `filter[due_date][lt]=2026-01-31`. What is at fault is noted. */
export function conditionsIn(
  family: Family,
  { query, zone, faults }: Pick<RequestContext, 'query' | 'zone' | 'faults'>,
): ListCondition[] {
  const members = query.members('filter');
  if (members.length > CONDITION_LIMIT) {
    faults.filter = [`${members.length} conditions are too many. Give ${CONDITION_LIMIT} at most.`];
    return [];
  }
  return members.flatMap(member => {
    const found = conditionIn(family, member, zone);
    if (typeof found !== 'string') return [found];
    faults[member.name] = [found];
    return [];
  });
}

/** The condition, or what is wrong with it. */
function conditionIn(
  family: Family,
  { path, value: text }: DeepMember,
  zone: ZoneOf,
): ListCondition | string {
  const [field = '', word = 'eq', ...more] = path;
  const kind = filterFields(family).get(field);
  if (!kind) return notListed(family, field, 'filtered');
  const allowed = operatorsOf(kind);
  const operator = LIST_OPERATORS.find(each => each === word);
  if (more.length > 0 || !operator || !allowed.includes(operator)) {
    const given = [word, ...more].join('][');
    return `${shown(given)} is no comparison for ${field}, which holds ${KIND_WORDS[kind]}. Possible: ${allowed.join(', ')}.`;
  }
  return testIn(family, { field, kind, zone }, operator, text);
}

/** What a condition is of. */
interface Compared {
  field: string;
  kind: ListKind;
  /** The site's, for moments that are given for days. */
  zone: ZoneOf;
}

function testIn(
  family: Family,
  compared: Compared,
  operator: ListOperator,
  text: string,
): ListCondition | string {
  const { field, kind } = compared;
  const condition = (test: ListTest, isNegated = false): ListCondition => ({ field, test, isNegated });
  if (operator === 'is_null') {
    const isNull = /^(true|1)$/i.test(text) ? true : /^(false|0)$/i.test(text) ? false : null;
    if (isNull === null) return `${shown(text)} is not a yes or no. Give true or false.`;
    return condition({ kind: 'any' }, isNull);
  }
  const texts = operator === 'in' ? namesIn(text) : [text];
  if (texts.every(each => each.trim() === ''))
    return `Nothing is given to compare ${field} with. Give a value, or ask with [is_null]=true for records without one.`;
  if (texts.length > IN_LIMIT) return `${texts.length} values are too many. Give ${IN_LIMIT} at most.`;
  const values: IndexValue[] = [];
  for (const each of texts) {
    const value = valueIn(family, compared, each);
    if (value === undefined) return `${shown(each)} is not ${remedyOf(family, field, kind)}`;
    values.push(value);
  }
  const [value = ''] = values;
  // Where answers tell seconds, a moment is its whole second.
  const next = kind === 'timestamp' ? momentAfter(family, field, String(value)) : null;
  const moment = next === null ? value : `${String(value).slice(0, 19)}.000Z`;
  switch (operator) {
    case 'eq':
    case 'ne': {
      const second: ListTest | null =
        next === null
          ? null
          : {
              kind: 'range',
              from: { value: moment, isIncluded: true },
              to: { value: next, isIncluded: false },
            };
      return condition(second ?? { kind: 'in', values }, operator === 'ne');
    }
    case 'in':
      return condition({ kind: 'in', values });
    case 'contains':
      return condition({ kind: 'contains', text: String(value) });
    case 'gt':
      return condition({
        kind: 'range',
        from: next === null ? { value, isIncluded: false } : { value: next, isIncluded: true },
      });
    case 'gte':
      return condition({ kind: 'range', from: { value: moment, isIncluded: true } });
    case 'lt':
      return condition({ kind: 'range', to: { value: moment, isIncluded: false } });
    case 'lte':
      return condition({
        kind: 'range',
        to: next === null ? { value, isIncluded: true } : { value: next, isIncluded: false },
      });
  }
}

/** The second after a moment, for fields whose answers tell no milliseconds; else null. */
function momentAfter(family: Family, field: string, iso: string): string | null {
  if (family.fields[field]?.emit === undefined) return null;
  const after = new Date(Math.floor(Date.parse(iso) / 1_000) * 1_000 + 1_000).toISOString();
  // After the last second of the year 9999 comes what stands behind all moments.
  return after.startsWith('+') ? ':' : after;
}

/** What the text stands for in a field of this kind, as its index holds it; undefined: for nothing. */
function valueIn(family: Family, { field, kind, zone }: Compared, text: string): IndexValue | undefined {
  const plain = text.trim();
  switch (kind) {
    case 'text':
    case 'codes':
      return foldCode(text);
    case 'number':
      return /^-?\d{1,30}(\.\d{1,30})?$/.test(plain) ? Number(plain) : undefined;
    case 'id':
    case 'reference':
      return /^[1-9]\d{0,14}$/.test(plain) ? Number(plain) : undefined;
    case 'boolean':
      if (/^(true|1)$/i.test(plain)) return 1;
      return /^(false|0)$/i.test(plain) ? 0 : undefined;
    case 'date':
      return parseDate(withPlus(plain), zone) ?? undefined;
    case 'timestamp':
      return parseTimestamp(withPlus(plain)) ?? undefined;
    case 'choice': {
      const read = family.fields[field]?.schemas().input.safeParse(plain);
      return read?.success && typeof read.data === 'string' ? read.data : undefined;
    }
  }
}

const KIND_WORDS: Record<ListKind, string> = {
  id: 'a whole number',
  text: 'text',
  number: 'a number',
  boolean: 'a yes or no',
  date: 'a day',
  timestamp: 'a date and time',
  choice: 'one of a list',
  reference: 'the id of another record',
  codes: 'numbers of its items',
};

function remedyOf(family: Family, field: string, kind: ListKind): string {
  switch (kind) {
    case 'id':
    case 'reference':
      return 'the id of a record. Give a whole number from 1.';
    case 'boolean':
      return 'a yes or no. Give true or false.';
    case 'date':
      return 'a calendar date. Give YYYY-MM-DD, for example 2026-01-31.';
    case 'timestamp':
      return 'a date and time. Give ISO 8601, for example 2026-01-31T08:30:00Z.';
    case 'choice':
      return `one of its values. Allowed: ${(family.fields[field]?.choices ?? []).join(', ')}.`;
    case 'number':
    case 'text':
    case 'codes':
      return 'a number. Give a number such as 2.5.';
  }
}

function notListed(family: Family, field: string, how: 'sorted' | 'filtered'): string {
  const what = family.plural.toLowerCase();
  const known = [...(how === 'sorted' ? listFields : filterFields)(family).keys()].join(', ');
  const why = listedField(family, field) ? `has no index to find ${what} by` : `is no field of ${what}`;
  return `${shown(field)} ${why}. They can be ${how} by: ${known}.`;
}

/** Names that stand between commas, without blanks around them. */
export function namesIn(text: string): string[] {
  return text.split(',').flatMap(each => (each.trim() === '' ? [] : [each.trim()]));
}
