import { expect, it } from 'vitest';
import { useWriteKey } from '../../../renderer/api/write-key.ts';
import { drawn } from '../support/drawn.ts';

it('a write that is repeated has the same key until it is answered, and another body another one', async () => {
  const { headersFor, done } = await drawn(useWriteKey);
  const keyOf = (body: unknown) => headersFor(body)['Idempotency-Key'];
  const first = keyOf({ quantity: 1 });
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(keyOf({ quantity: 1 })).toBe(first);
  const second = keyOf({ quantity: 2 });
  expect(second).not.toBe(first);
  done();
  expect(keyOf({ quantity: 2 })).not.toBe(second);
});

it('a write without a body has a key as well', async () => {
  const { headersFor } = await drawn(useWriteKey);
  expect(headersFor(undefined)).toEqual(headersFor(undefined));
});
