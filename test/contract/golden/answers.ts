/** What every answer owes its caller: the envelope of interface 2.1 and the errors of the decisions, section 2. */
import { expect } from 'vitest';
import {
  type Check,
  expectShape,
  type Fields,
  fields,
  instant,
  int,
  isObject,
  list,
  maybe,
  oneOf,
  str,
} from '../../support/expect-shape.ts';
import type { Answer } from '../../support/station.ts';

const correction = fields({
  id: int,
  path: str,
  old_value: () => [],
  new_value: () => [],
  author: str,
  at: instant,
  reason: maybe(str),
  status: oneOf('recorded', 'awaiting', 'accepted'),
});
const replaced = fields({ count: int, corrections: list(correction) });

/** What `meta` of a single record holds: nothing (no `meta`), its id, or the record itself. */
type SingleMeta = 'none' | 'id' | 'record';

/** A single record as documented, in the documented envelope, with 200. Returns `data`. */
export function expectRecord(answer: Answer, shape: Check, meta: SingleMeta = 'none'): Fields {
  expectStatus(answer, 200);
  return expectSingle(answer, shape, meta);
}

/** The same with 201 and a `Location` under the documented path. Returns `data`. */
export function expectCreated(
  answer: Answer,
  shape: Check,
  location: string,
  meta: SingleMeta = 'none',
): Fields {
  expectStatus(answer, 201);
  const data = expectSingle(answer, shape, meta);
  const path = new URL(answer.headers.get('location') ?? '', 'http://station').pathname;
  expect(path).toMatch(new RegExp(`^/api/v2${location.replaceAll('{id}', String(data.id))}$`));
  return data;
}

export interface Page {
  current_page: number;
  from: number;
  to: number;
  total: number;
  per_page: number;
}

/** A page of documented records with exactly the documented `meta`. Returns `data`. */
export function expectPage(answer: Answer, shape: Check, meta: Partial<Page> = {}, status = 200): Fields[] {
  expectStatus(answer, status);
  expectEnvelope(answer, ['meta']);
  expectMeta(metaOf(answer), meta);
  const records = recordsOf(answer);
  expectShape(records, list(shape));
  return records;
}

/** `meta` of a page (2.2): integers, in agreement with each other. */
export function expectMeta(actual: Fields, expected: Partial<Page>): void {
  expect(actual).toEqual({
    current_page: expect.any(Number),
    from: expect.any(Number),
    to: expect.any(Number),
    total: expect.any(Number),
    per_page: expect.any(Number),
    ...expected,
  });
}

/** An error in the decided envelope; `errors` belongs to 422 alone. Returns its message. */
export function expectRefused(answer: Answer, status: number): string {
  expectStatus(answer, status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
  const body = bodyOf(answer);
  expect(body).toEqual({
    status: 'error',
    message: expect.stringMatching(/\S/),
    code: expect.stringMatching(/^[a-z_]+$/),
    request_id: expect.stringMatching(/\S/),
    ...(status === 422 ? { errors: expect.any(Object) } : {}),
  });
  return String(body.message);
}

/** 422 that blames exactly these fields. Returns all messages in one text. */
export function expectInvalid(answer: Answer, ...fieldPaths: string[]): string {
  expectRefused(answer, 422);
  const { code, errors } = bodyOf(answer);
  expect(code).toBe('validation_failed');
  expect(blamedFields(answer).sort()).toEqual([...fieldPaths].sort());
  for (const messages of Object.values(errors ?? {})) {
    expect(messages).toEqual(expect.arrayContaining([expect.stringMatching(/\S/)]));
  }
  return JSON.stringify(errors);
}

/** The fields that a 422 names. */
export function blamedFields(answer: Answer): string[] {
  const { errors } = bodyOf(answer);
  return isObject(errors) ? Object.keys(errors) : [];
}

/** The status, with the body in the failure's message. */
export function expectStatus(answer: Answer, status: number): void {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
}

/** The success envelope: `data` and exactly the named further members. */
export function expectEnvelope(answer: Answer, further: readonly string[] = []): void {
  const body = bodyOf(answer);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
  expect(Object.keys(body).sort()).toEqual(['data', 'message', 'status', ...further].sort());
  expect(body).toMatchObject({ status: 'success', message: 'The request was successful' });
}

/**
 * `data` of a single record; throws on any error answer. Without what only single answers add: how often saved values
 * were replaced, and what stood before (decisions, 5.13).
 */
export function recordOf(answer: Answer): Fields {
  const { data } = bodyOf(answer);
  if (answer.status >= 300 || !isObject(data)) throw unexpected(answer);
  const { corrections_count: count, corrections, ...record } = data;
  if (count !== undefined) expectShape({ count, corrections }, replaced);
  return record;
}

/** `data` of a list. */
export function recordsOf(answer: Answer): Fields[] {
  const { data } = bodyOf(answer);
  if (answer.status >= 300 || !Array.isArray(data)) throw unexpected(answer);
  return data;
}

export function metaOf(answer: Answer): Fields {
  const { meta } = bodyOf(answer);
  if (!isObject(meta)) throw unexpected(answer);
  return meta;
}

/** The id of the one record that an answer carries, as an integer (an inspection's is text). */
export function idOf(answer: Answer): number {
  return Number(recordOf(answer).id);
}

/** The records in a field, such as an order's `items`. */
export function childrenOf(record: Fields, name: string): Fields[] {
  const children = record[name];
  if (!Array.isArray(children)) throw new Error(`No array ${name} in ${JSON.stringify(record)}`);
  return children;
}

function expectSingle(answer: Answer, shape: Check, meta: SingleMeta): Fields {
  expectEnvelope(answer, meta === 'none' ? [] : ['meta']);
  const data = recordOf(answer);
  expectShape(data, shape);
  if (meta === 'id') expect(metaOf(answer)).toEqual({ id: data.id });
  if (meta === 'record') expect(metaOf(answer)).toEqual(data);
  return data;
}

function bodyOf(answer: Answer): Fields {
  if (!isObject(answer.body)) throw unexpected(answer);
  return answer.body;
}

function unexpected(answer: Answer): Error {
  return new Error(`Unexpected answer ${answer.status}: ${JSON.stringify(answer.body)}`);
}
