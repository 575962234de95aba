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
  it("are central's at a station, whatever the station had", () => {
    const [central, station] = [machine(), machine()];
    fc.assert(
      fc.property(fc.array(secret, { maxLength: 8 }), fc.array(secret, { maxLength: 8 }), (theirs, ours) => {
        const told: number[] = [];
        const before = new Map(station.all().map(each => [each.user_id, each]));
        for (const each of ours) station.put(each.user_id, each.hash, each.changed_at);
        for (const each of theirs) central.put(each.user_id, each.hash, each.changed_at);
        station.onReplace(user => told.push(user));
        station.replaceAll(central.all());
        expect(station.all()).toEqual(central.all());
        expect(station.digest()).toBe(central.digest());
        const gone = [...before.keys()].filter(id => central.of(id) === undefined);
        expect(told).toEqual(expect.arrayContaining(gone));
      }),
      { numRuns: 50 },
    );
  });

  it('are newer when set here, whatever version there was', () => {
    const secrets = machine();
    const theirs = { user_id: 1, hash: 'theirs', version: 41, changed_at: '2036-01-01T00:00:00.000Z' };
    secrets.replaceAll([theirs]);
    const before = secrets.digest();
    secrets.put(1, 'ours', '2026-06-15T12:00:00.000Z');
    const ours = { user_id: 1, hash: 'ours', version: 42, changed_at: '2026-06-15T12:00:00.000Z' };
    expect(secrets.all()).toEqual([ours]);
    expect([isNewer(ours, theirs), isNewer(theirs, ours), isNewer(ours, ours)]).toEqual([true, false, false]);
    expect(secrets.digest()).not.toBe(before);
    expect(secrets.hashOf(1)).toBe('ours');
    expect(secrets.hashOf(2)).toBeUndefined();
  });

  it('tell of what central has changed, and of nothing else', () => {
    const secrets = machine();
    const told: number[] = [];
    const at = '2026-06-15T12:00:00.000Z';
    secrets.put(1, 'same', at);
    secrets.put(3, 'gone', at);
    secrets.onReplace(user => told.push(user));
    secrets.replaceAll([
      { user_id: 1, hash: 'same', version: 1, changed_at: at },
      { user_id: 2, hash: 'new', version: 1, changed_at: at },
    ]);
    expect(told).toEqual([3, 2]);
  });
});
