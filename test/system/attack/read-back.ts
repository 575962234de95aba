import type { JsonSchema } from '../../../server/http/openapi/json-schema.ts';
import { parseDate } from '../../../shared/contract/dates.ts';
import { SETTING_DEFAULTS } from '../../../shared/families/setting.ts';
import type { Components } from './generated-value.ts';

type Members = Record<string, unknown>;

/** What the server puts where the client says "no value": interface decisions, 3. */
const GIVEN_BY_SERVER = new Set([
  'id',
  'order_number',
  'shipment_number',
  'ncr_number',
  'car_number',
  'complaint_number',
  'initiator_name',
  'date_opened',
  'revision_date',
  'company_id',
  'entity_id',
  'from_location_id',
  'location_id',
  'quantity',
  'sample_number',
  'order',
]);

/** What the server alone sets, follows from other values, or has one form however it is given: decisions, 3 and 5.7. */
const FOLLOWS = new Set([
  // A count that differs is counted once more.
  'is_finished',
  'created_at',
  'updated_at',
  'sample_size',
  'results',
  'is_locked',
  'scopes',
  'roles',
  'login',
]);

/** What was sent in a body, and what the document and the answer say about it. */
export interface SentBody {
  value: unknown;
  schema: JsonSchema;
  /** Paths that the answer names as not stored. */
  ignored: readonly string[];
  components: Components;
}

/**
 * Names each field that was sent and that the record answers otherwise. A field that the record does not answer is not
 * looked at; one that was sent under its second name is looked for under its first.
 */
export function differences({ value, schema, ignored, components }: SentBody, answered: unknown): string[] {
  return compare(value, answered, resolve(schema, components), { components, ignored: new Set(ignored) }, '');
}

interface Context {
  components: Components;
  ignored: ReadonlySet<string>;
}

function compare(
  sent: unknown,
  answered: unknown,
  schema: JsonSchema,
  context: Context,
  path: string,
): string[] {
  if (!isMembers(sent) || !isMembers(answered)) return [];
  return [...expectedMembers(sent, schema)].flatMap(([name, value]) => {
    const own = `${path}${name}`;
    if (!Object.hasOwn(answered, name) || FOLLOWS.has(name) || context.ignored.has(own)) return [];
    const member = resolve(schema.properties?.[name] ?? {}, context.components);
    const item = resolve(member.items ?? {}, context.components);
    if (Array.isArray(value) && item.properties !== undefined) {
      return compareItems(value, answered[name], item, context, own);
    }
    if (isEqual(name, value, answered[name], context.components)) return [];
    return [`${own}: sent ${JSON.stringify(value)}, reads ${JSON.stringify(answered[name])}`];
  });
}

/** The fields by their first names; a second name wins. */
function expectedMembers(sent: Members, { properties = {} }: JsonSchema): Map<string, unknown> {
  const expected = new Map<string, unknown>();
  const aliases = Object.keys(sent).filter(name => properties[name]?.['x-alias-of'] !== undefined);
  for (const [name, value] of Object.entries(sent)) if (!aliases.includes(name)) expected.set(name, value);
  for (const alias of aliases) expected.set(properties[alias]?.['x-alias-of'] ?? alias, sent[alias]);
  return expected;
}

/** Every item that was sent is there: by its id, or as one that nothing else that was sent must be. */
function compareItems(
  sent: readonly unknown[],
  answered: unknown,
  schema: JsonSchema,
  context: Context,
  path: string,
): string[] {
  const there = Array.isArray(answered) ? answered : [];
  const faults = sent.map((item, at) => {
    const id = isMembers(item) ? (item.id ?? undefined) : undefined;
    return there.map(each =>
      id === undefined || Reflect.get(Object(each), 'id') === Number(id)
        ? compare(item, each, schema, context, `${path}.${at}.`)
        : undefined,
    );
  });
  /** Which of those sent each of those there is. An item that says little fits many, so earlier choices may move. */
  const taken = new Map<number, number>();
  const find = (at: number, seen: Set<number>): boolean =>
    there.some((_each, place) => {
      if (faults[at]?.[place]?.length !== 0 || seen.has(place)) return false;
      seen.add(place);
      const other = taken.get(place);
      if (other !== undefined && !find(other, seen)) return false;
      taken.set(place, at);
      return true;
    });
  return sent.flatMap((_item, at) => {
    if (find(at, new Set())) return [];
    return faults[at]?.find(each => each?.length) ?? [`${path}.${at}: is not there`];
  });
}

function isEqual(name: string, sent: unknown, answered: unknown, components: Components): boolean {
  if (JSON.stringify(canonical(sent)) === JSON.stringify(canonical(answered))) return true;
  if (sent === null || sent === '') {
    const isSetting = Reflect.get(SETTING_DEFAULTS, name) === answered;
    return (
      isSetting || isNone(answered) || GIVEN_BY_SERVER.has(name) || defaultsOf(name, components).has(answered)
    );
  }
  if (name === 'lab_data') return isSameMeasurements(sent, answered);
  if (typeof sent === 'boolean' || typeof answered === 'boolean') return flagOf(sent) === flagOf(answered);
  if (typeof sent === 'number')
    return Object.is(Number(answered), sent === 0 ? 0 : sent) && answered !== null;
  if (typeof sent === 'string' && typeof answered === 'number') return Number(sent) === answered;
  if (typeof sent !== 'string' || typeof answered !== 'string') return false;
  // Of a moment that is given for a day, the day at the site, which the run leaves in UTC.
  return isSameText(sent, answered) || parseDate(sent, () => 'UTC') === answered;
}

const defaults = new WeakMap<Components, Map<string, Set<unknown>>>();

/** What the document says that a field of this name has where none was given; a yes or no in each way of writing it. */
function defaultsOf(name: string, components: Components): ReadonlySet<unknown> {
  let known = defaults.get(components);
  if (!known) {
    known = new Map();
    for (const schema of Object.values(components)) collectDefaults(schema, components, known);
    defaults.set(components, known);
  }
  return known.get(name) ?? new Set();
}

function collectDefaults(
  { properties = {} }: JsonSchema,
  components: Components,
  into: Map<string, Set<unknown>>,
): void {
  for (const [name, said] of Object.entries(properties)) {
    const member = (said.$ref && components[said.$ref.slice(said.$ref.lastIndexOf('/') + 1)]) || said;
    if (member.items) collectDefaults(member.items, components, into);
    // The document for programs says it in words.
    const [, text] = /Absent: `(.*)`\.$/.exec(member.description ?? '') ?? [];
    const value: unknown = text === undefined ? member.default : JSON.parse(text);
    if (value === undefined) continue;
    const values = into.get(name) ?? new Set();
    into.set(name, values.add(value));
    if (typeof value === 'boolean') values.add(Number(value)).add(String(Number(value)));
  }
}

/** A yes or no, in whichever way it is written. */
function flagOf(value: unknown): number {
  return typeof value === 'boolean' || value === '0' || value === '1' ? Number(value) : (value as number);
}

/** A moment is answered in UTC, whole seconds or milliseconds; a choice in the spelling of the document. */
function isSameText(sent: string, answered: string): boolean {
  if (/^\d{4}-\d\d-\d\d([ T]|$)/.test(sent) && /^\d{4}-\d\d-\d\d[ T]/.test(answered)) {
    const [from, to] = [sent, answered].map(text => Date.parse(inUtc(text)));
    return Math.floor(Number(from) / 1_000) === Math.floor(Number(to) / 1_000);
  }
  return sent.toLowerCase() === answered && !/\s/.test(sent);
}

function inUtc(text: string): string {
  const moment = text.replace(' ', 'T');
  if (moment.length === 10) return `${moment}T00:00:00Z`;
  return /(Z|[+-]\d\d:\d\d)$/.test(moment) ? moment : `${moment}Z`;
}

/** Text or object of numbers, or of numbers as text; those beyond a limit of quantification are answered elsewhere. */
function isSameMeasurements(sent: unknown, answered: unknown): boolean {
  const given: unknown = typeof sent === 'string' ? JSON.parse(sent) : sent;
  if (!isMembers(given) || !isMembers(answered)) return false;
  return Object.entries(answered).every(([name, value]) => Number(given[name]) === value);
}

function isNone(answered: unknown): boolean {
  return (
    answered === null ||
    answered === '' ||
    JSON.stringify(answered) === '[]' ||
    JSON.stringify(answered) === '{}'
  );
}

/** Negative zero is written as zero; the order of members means nothing, and one that is null is one that is not there. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isMembers(value)) return value === undefined ? null : value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null && member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, canonical(member)]),
  );
}

function resolve(schema: JsonSchema, components: Components): JsonSchema {
  if (schema.$ref === undefined) return schema;
  return components[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {};
}

function isMembers(value: unknown): value is Members {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
