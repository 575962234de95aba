import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createHands, type Present } from '../../../server/identity/hands.ts';
import { hashOfSecret } from '../../../server/identity/sessions.ts';
import { identityTables } from '../../../server/store/identity-tables.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { temporaryStore } from '../store/temporary-store.ts';

it('a right PIN that comes at the same time as the fifth wrong one is late', async () => {
  const { database, gate } = await temporaryStore();
  const ended: string[] = [];
  const unlocked: string[] = [];
  const hands = createHands({
    tables: identityTables(database),
    now: () => new Date('2026-06-15T12:00:00Z'),
    random: randomBytes,
    sessions: {
      end: async hash => void ended.push(hash),
      unlock: async hash => void unlocked.push(hash),
    },
    write: work => gate.together(async () => work()),
  });
  const secret = randomBytes(32).toString('base64url');
  const user: Pick<StoredRecord, 'id' | 'fields'> = { id: 7, fields: { name: 'Ann' } };
  const session = hashOfSecret(secret);
  const present = {
    secret,
    identity: { session, userId: 7, user, needsPassword: false } as Present['identity'],
  };
  await hands.set(present, { pin: '4711' });
  const resume = (code: string) => hands.resume({ code, named: present, present: [present] });
  const tries = ['0', '1', '2', '3', '4'].map(digit => resume(`081${digit}`));
  const results = await Promise.allSettled([...tries, resume('4711')]);
  expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'rejected'));
  expect(unlocked).toEqual([]);
  expect(new Set(ended)).toEqual(new Set([session]));
});
