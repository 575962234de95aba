import { describe, expect, it } from 'vitest';
import { createSecrets, isNewer } from '../../../server/identity/secrets.ts';
import { identityTables, type UserSecret } from '../../../server/store/identity-tables.ts';
import { createTables } from '../../../server/store/tables.ts';
import fc from '../../support/fast-check.ts';
import { temporaryDatabase } from '../store/sqlite/temporary-folder.ts';

function machine() {
  const database = temporaryDatabase();
  createTables(database);
  return createSecrets(identityTables(database));
}

const secret: fc.Arbitrary<UserSecret> = fc.record({
  user_id: fc.integer({ min: 1, max: 3 }),
  hash: fc.constantFrom('a', 'b', 'c'),
  version: fc.integer({ min: 1, max: 3 }),
  changed_at: fc.constantFrom('2026-06-15T12:00:00.000Z', '2026-06-15T12:00:00.001Z'),
});

describe('passwords of two machines', () => {
  it('are the same in the end, in whatever order and however often they came', () => {
    const [one, two] = [machine(), machine()];
    fc.assert(
      fc.property(fc.array(secret, { maxLength: 8 }), fc.infiniteStream(fc.boolean()), (secrets, picks) => {
        one.merge(secrets);
        two.merge(secrets.toReversed().filter(() => picks.next().value));
        two.merge(secrets);
        // What each had from the runs before.
        one.merge(two.all());
        two.merge(one.all());
        expect(one.all()).toEqual(two.all());
        expect(one.digest()).toBe(two.digest());
        for (const each of secrets) {
          const held = one.all().find(({ user_id: user }) => user === each.user_id);
          expect(held && isNewer(each, held)).toBe(false);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('are newer when set here, whatever version came from elsewhere', () => {
    const secrets = machine();
    secrets.merge([{ user_id: 1, hash: 'theirs', version: 41, changed_at: '2036-01-01T00:00:00.000Z' }]);
    const before = secrets.digest();
    secrets.put(1, 'ours', '2026-06-15T12:00:00.000Z');
    expect(secrets.all()).toEqual([
      { user_id: 1, hash: 'ours', version: 42, changed_at: '2026-06-15T12:00:00.000Z' },
    ]);
    expect(secrets.digest()).not.toBe(before);
    expect(secrets.hashOf(1)).toBe('ours');
    expect(secrets.hashOf(2)).toBeUndefined();
  });

  it('tell of what another machine has changed, and of nothing else', () => {
    const secrets = machine();
    const told: number[] = [];
    secrets.onMerge(user => told.push(user));
    secrets.put(1, 'ours', '2026-06-15T12:00:00.000Z');
    secrets.merge([
      { user_id: 1, hash: 'old', version: 1, changed_at: '2026-06-15T11:00:00.000Z' },
      { user_id: 2, hash: 'new', version: 1, changed_at: '2026-06-15T11:00:00.000Z' },
    ]);
    expect(told).toEqual([2]);
  });
});
