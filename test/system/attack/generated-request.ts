import fc from 'fast-check';
import type { OpenApiParameter } from '../../../server/http/openapi/openapi-document.ts';
import type { DescribedOperation } from './described-interface.ts';
import { type Components, generatedValue, RecordReference } from './generated-value.ts';

/** A request before its references to records are filled in. */
export interface GeneratedRequest {
  /** Which of the known records the path names; or the text that stands for each parameter. */
  path: { pick: number } | { texts: Record<string, string> };
  query: (readonly [string, string])[];
  headers: Record<string, string>;
  /** A value that is sent as JSON, a text that is sent as it is, or no body. */
  body: { value: unknown } | { text: string } | undefined;
}

/** Requests for an operation: half as the document allows them, half with something wrong. */
export function requestFor(
  operation: DescribedOperation,
  components: Components,
): fc.Arbitrary<GeneratedRequest> {
  const good = fc.record({
    path: fc.nat(50).map(pick => ({ pick })),
    query: queryOf(operation, components),
    headers: headersOf(operation),
    body: bodyOf(operation, components),
  });
  const faulty = fc.oneof(
    { weight: 2, arbitrary: withFaultyPath(good, operation) },
    { weight: 2, arbitrary: withFaultyQuery(good, operation) },
    { weight: operation.body ? 8 : 1, arbitrary: withFaultyBody(good) },
    { weight: operation.body ? 2 : 1, arbitrary: withFaultyText(good) },
  );
  return fc.oneof({ weight: 1, arbitrary: good }, { weight: 1, arbitrary: faulty });
}

/** What these may name the document says in words: `test/contract/lists.test.ts` has them. */
const OF_LISTS = new Set(['sort', 'filter', 'fields', 'expand']);

function queryOf(
  { parameters }: DescribedOperation,
  components: Components,
): fc.Arbitrary<(readonly [string, string])[]> {
  const ofQuery = parameters.filter(each => each.in === 'query' && !OF_LISTS.has(each.name));
  const given = ofQuery.map(parameter => {
    const value = parameterText(parameter, components).map(text => [[parameter.name, text] as const]);
    // One of them at fault is enough for a refusal.
    return parameter.required
      ? value
      : fc.oneof({ weight: 1, arbitrary: value }, { weight: 2, arbitrary: fc.constant([]) });
  });
  return fc.tuple(...given).map(pairs => pairs.flat());
}

function parameterText(
  { schema, description = '', example }: OpenApiParameter,
  components: Components,
): fc.Arbitrary<string> {
  const examples = [...(example === undefined ? [] : [example]), ...(schema.examples ?? [])].map(String);
  return fc.oneof(
    { weight: 6, arbitrary: generatedValue({ description, ...schema }, components).map(String) },
    { weight: 1, arbitrary: fc.constantFrom('1', '2', '', '2026-01-31', 'open', 'A', 'null') },
    // What a text has to look like the examples say better than the schema.
    { weight: examples.length > 0 ? 6 : 0, arbitrary: fc.constantFrom(...examples, '') },
  );
}

function headersOf(operation: DescribedOperation): fc.Arbitrary<Record<string, string>> {
  const seldom = (name: string, values: fc.Arbitrary<string>) =>
    operation.hasHeader(name)
      ? fc.oneof(
          { weight: 9, arbitrary: fc.constant({}) },
          { weight: 1, arbitrary: values.map(value => ({ [name]: value })) },
        )
      : fc.constant({});
  const key = fc.oneof(
    fc.uuid(),
    fc.constantFrom('a', 'b'),
    fc.string({ unit: 'grapheme-ascii', minLength: 1 }),
  );
  return fc
    .tuple(
      seldom('If-Match', fc.constantFrom('*', '"1-0"', 'W/"1"', '""', 'x')),
      seldom(
        'Idempotency-Key',
        key.map(text => text.trim() || 'c'),
      ),
      seldom('Last-Event-ID', fc.constantFrom('0', '1', '-1', 'x', '999999999999999999')),
    )
    .map(all => Object.assign({}, ...all));
}

/** Any characters that a request can carry; `unit: 'binary'` of `fc.string` takes seconds to make its table. */
const anyText = fc
  .array(fc.oneof(fc.nat(0xff), fc.nat(0x10ffff)), { maxLength: 20 })
  .map(points => String.fromCodePoint(...points).toWellFormed());

function bodyOf(
  operation: DescribedOperation,
  components: Components,
): fc.Arbitrary<GeneratedRequest['body']> {
  const { body, bodyType, isBodyRequired } = operation;
  if (bodyType === undefined) return fc.constant(undefined);
  if (body === undefined) return anyText.map(text => ({ text }));
  const value = fc
    .oneof(
      { weight: 3, arbitrary: generatedValue(body, components) },
      { weight: 1, arbitrary: fc.constant(operation.bodyExample) },
    )
    .map(given => ({ value: given }));
  return isBodyRequired ? value : fc.oneof(value, fc.constant(undefined));
}

const WRONG_IDS = [
  '0',
  '-1',
  '01',
  '1e0',
  '999999',
  '9007199254740993',
  'x',
  '%F0%9F%92%A9',
  '1;drop',
  '__proto__',
  'null',
  '%27',
  '9'.repeat(300),
];

function withFaultyPath(
  good: fc.Arbitrary<GeneratedRequest>,
  { parameters }: DescribedOperation,
): fc.Arbitrary<GeneratedRequest> {
  const names = parameters.filter(each => each.in === 'path').map(({ name }) => name);
  const texts = fc.tuple(
    ...names.map(name => fc.constantFrom(...WRONG_IDS).map(text => [name, text] as const)),
  );
  return fc
    .tuple(good, texts)
    .map(([request, pairs]) => ({ ...request, path: { texts: Object.fromEntries(pairs) } }));
}

const WRONG_TEXTS = [
  '-1',
  '0',
  '',
  '1e9',
  '1.5',
  'x',
  '{"$gt":""}',
  "' OR 1=1",
  '２',
  '9'.repeat(40),
  'x'.repeat(3_000),
  '2026-02-30',
  'a\nb',
  '\u202e',
];

function withFaultyQuery(
  good: fc.Arbitrary<GeneratedRequest>,
  { parameters }: DescribedOperation,
): fc.Arbitrary<GeneratedRequest> {
  const known = parameters.filter(each => each.in === 'query').map(({ name }) => name);
  const name = fc.constantFrom(
    ...known,
    'page',
    'unknown',
    '__proto__',
    'constructor[x]',
    'page[]',
    'per_page[$gt]',
    '',
  );
  const pairs = fc.array(fc.tuple(name, fc.constantFrom(...WRONG_TEXTS)), { minLength: 1, maxLength: 3 });
  return fc.tuple(good, pairs).map(([request, more]) => ({ ...request, query: [...request.query, ...more] }));
}

const WRONG_VALUES: unknown[] = [
  null,
  '',
  ' ',
  'x',
  '0',
  '-0',
  '1e400',
  '0x10',
  '2026-02-30',
  '9999-12-31T23:59:59-23:59',
  0,
  -1,
  -0.5,
  1.5,
  0.1234567,
  1e9 + 1,
  1e308,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  true,
  false,
  [],
  [null],
  [[]],
  {},
  { $gt: '' },
  { id: 1 },
  [{ id: 1 }, { id: 1 }],
  [{ id: -1 }],
  Array.from({ length: 1_001 }, () => 1),
  'x'.repeat(10_001),
  'x'.repeat(200_000),
  'a\0b',
  '\ud800',
  '\u202e\ufeff',
];

const WRONG_NAMES = [
  'unknown',
  'id',
  'role',
  '_rev',
  '_deleted',
  'created_at',
  'toString',
  'hasOwnProperty',
  'items',
  'reason',
  '',
];

/** A member of the body takes a value that is of another type, out of bounds or unusual; or there is one too many. */
function withFaultyBody(good: fc.Arbitrary<GeneratedRequest>): fc.Arbitrary<GeneratedRequest> {
  const wrong = fc.constantFrom(...WRONG_VALUES);
  return fc
    .tuple(
      good,
      fc.nat(1_000),
      wrong,
      fc.constantFrom(...WRONG_NAMES),
      fc.constantFrom('replace', 'add', 'remove'),
    )
    .map(([request, pick, value, name, change]) => {
      const { body } = request;
      if (body === undefined || !('value' in body)) return { ...request, body: { value } };
      const paths = pathsIn(body.value);
      const path = paths[pick % paths.length] ?? [];
      if (change === 'replace')
        return { ...request, body: { value: replaced(body.value, path, () => value) } };
      const changed = replaced(body.value, path.slice(0, -1), parent => {
        if (typeof parent !== 'object' || parent === null || Array.isArray(parent)) return parent;
        if (change === 'add') return { ...parent, [name]: value };
        const { [String(path.at(-1))]: _, ...rest } = parent as Record<string, unknown>;
        return rest;
      });
      return { ...request, body: { value: changed } };
    });
}

/** The body is not the JSON that it should be. */
function withFaultyText(good: fc.Arbitrary<GeneratedRequest>): fc.Arbitrary<GeneratedRequest> {
  const texts = fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      '{',
      '[',
      '"',
      '{"a":1,"a":2}',
      '{"__proto__":{"name":"x"}}',
      '{"constructor":{"prototype":{}}}',
      '{"name":1e400}',
      '{"id":9007199254740993}',
      '['.repeat(1_000),
      'nul',
      '{"name":"\\ud800"}',
      '{"name":"\\u0000"}',
      '\ufeff{}',
      `{"name":${'['.repeat(100)}${']'.repeat(100)}}`,
    ),
    fc.json(),
    anyText,
  );
  return fc.tuple(good, texts).map(([request, text]) => ({ ...request, body: { text } }));
}

type Path = readonly (string | number)[];

/** The paths of all members, that of the value itself first. */
function pathsIn(value: unknown, at: Path = []): Path[] {
  if (value === null || typeof value !== 'object' || value instanceof RecordReference) return [at];
  return [at, ...Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...at, name]))];
}

function replaced(value: unknown, [first, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (first === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((each, at) => (at === Number(first) ? replaced(each, rest, change) : each));
  const given = value as Record<string, unknown>;
  return { ...given, [first]: replaced(given[first], rest, change) };
}
