import { expect } from 'vitest';
import { type Caller, exchange, type RawAnswer, requestBytes } from './raw-http.ts';

/** One line of the list of attacks: the bytes of a request and the answers that it may have. */
export interface AttackCase {
  name: string;
  bytes: (target: Target) => Uint8Array;
  statuses: readonly number[];
  isHead?: boolean;
  /** The request never comes to its end, so the server keeps the connection for the rest of it. */
  isUnfinished?: boolean;
  /** What this answer must say besides. */
  check?: (answer: RawAnswer) => void;
}

/** A server under attack, and what shows whether it was harmed. */
export interface Target extends Caller {
  /** A token that may read only. */
  readerToken: string;
  /** A request that any client may make, and its answer, which shows a property that every object has inherited. */
  normal: { line: string; answer: string };
  /** Everything that is stored; the same text as long as nothing is written. */
  stored(): string;
  /** Texts that no answer holds: where the server and its data are. */
  secrets: readonly string[];
}

const STACK = /\n\s*at |\\n\s*at |\bat \S+ \(|node:internal|node_modules|[\w-]+\.(ts|js|cjs|mjs):\d+/;
const SQL =
  /SQLITE|SqliteError|fts5|constraint failed|no such (table|column)|syntax error|SELECT .* FROM |INSERT INTO |json_extract/;

/** Makes the request and fails unless it is answered once, as it should be, and has done no harm. */
export async function runCase(target: Target, attack: AttackCase): Promise<void> {
  const { isHead = false, isUnfinished = false } = attack;
  const before = target.stored();
  const { answers, rest } = await exchange(target.port, attack.bytes(target), {
    isHead,
    untilAnswered: isUnfinished,
  });
  expect(rest, 'bytes that are no answer').toBe('');
  expect(
    answers.map(({ status }) => status),
    'answers',
  ).toHaveLength(1);
  for (const answer of answers) {
    expect(answer.status, answer.body.slice(0, 500)).toBeOneOf([...attack.statuses]);
    expectHarmless(target, answer, isHead);
    attack.check?.(answer);
  }
  await expectUnharmed(target, before);
}

/** Whether nothing was written and the next request is answered as ever. */
export async function expectUnharmed(target: Target, before: string): Promise<void> {
  const { answers } = await exchange(target.port, requestBytes(target, target.normal.line));
  expect(answers.map(({ status, body }) => [status, body])).toEqual([[200, target.normal.answer]]);
  expect(target.stored(), 'what is stored').toBe(before);
}

/** No 5xx but those that mean what they say, nothing of the inside, nothing for other origins, the one envelope. */
export function expectHarmless(target: Target, answer: RawAnswer, isHead = false): void {
  const { status, headers, body } = answer;
  expect(status >= 500 ? status : 0, body.slice(0, 500)).toBeOneOf([0, 501, 503, 507]);
  const text = `${JSON.stringify([...headers])}\n${body}`;
  expect(text).not.toMatch(STACK);
  expect(text).not.toMatch(SQL);
  for (const secret of target.secrets) expect(text).not.toContain(secret);
  for (const name of headers.keys()) expect(name).not.toMatch(/^(access-control-|x-powered-by$|server$)/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  if (status < 400) return;
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  if (isHead) return;
  expect(JSON.parse(body)).toEqual({
    status: 'error',
    message: expect.stringMatching(/\S/),
    code: expect.stringMatching(/^[a-z_]+$/),
    request_id: expect.stringMatching(/^[\w-]{36}$/),
    ...(status === 422 ? { errors: expect.any(Object) } : {}),
  });
}
