import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Family } from '../../../shared/contract/define-family.ts';
import { DIRECTIONS } from '../../../shared/contract/may.ts';
import { patternOf } from '../../../shared/contract/permission.ts';
import { families } from '../../../shared/families/registry.ts';
import { ClockedStation } from '../../server/identity/clocked-station.ts';
import { Callers } from './callers.ts';
import { creating, facts, nameOf, rows, unchanging } from './oracle.ts';
import { creationsOf, doorsOf, type Place, tryCreation, tryDoor } from './request-doors.ts';
import { makeScenes, makeShared, valueAt } from './scenes.ts';
import { wrong } from './walk.ts';

/** Who may change what, by the documents' word, tried by each role and each scope at each door. */

const at = new ClockedStation();
let place: Place;
beforeAll(async () => {
  await at.start('central');
  const callers = new Callers(at);
  await callers.open();
  place = { callers, shared: await makeShared(at.station.store) };
});
afterAll(() => at.end());

const named = rows.map(row => ({ name: nameOf(row), row }));

describe('the table of what is expected', () => {
  it('has every family, an ordinary change of each, and every rule of the contract', () => {
    expect(Object.keys(creating).sort()).toEqual(Object.keys(families).sort());
    for (const { name } of Object.values<Family>(families)) {
      if (unchanging.some(one => one === name) || name === 'correction') continue;
      expect(
        rows.some(row => row.of === name && !row.is?.length),
        name,
      ).toBe(true);
    }
    const inContract = Object.values<Family>(families).flatMap(({ name, may }) =>
      Object.entries(may.rules ?? {}).flatMap(([path, rules]) =>
        rules.map(({ when }) => `${name} ${path} ${when}`),
      ),
    );
    const inTable = rows.flatMap(({ of, path, is = [] }) => is.map(when => `${of} ${path} ${when}`));
    expect([...new Set(inTable)].sort()).toEqual(inContract.sort());
  });

  it.each(named)('$name meets the rules that it names', async ({ row }) => {
    const [scene] = await makeScenes(at.station.store, place.shared, row, 1);
    const { may }: Family = families[row.of];
    const old = valueAt(scene?.before.fields, scene?.path ?? '');
    const met = (may.rules?.[patternOf(scene?.path ?? '')] ?? [])
      .filter(({ when }) => DIRECTIONS[when].isMet(old, scene?.to ?? null))
      .map(({ when }) => when);
    expect(row.isFilledIn ? [] : met.sort()).toEqual([...(row.is ?? [])].sort());
  });
});

describe('a record that is there', () => {
  it.each(named)('$name', async ({ row }) => {
    const doors = doorsOf(row);
    expect(doors).not.toEqual([]);
    for (const door of doors) expect(wrong(await tryDoor(place, row, door))).toEqual([]);
  });
});

describe('a new record', () => {
  const all = [...named, ...facts.map(row => ({ name: nameOf(row), row }))];
  const first = all.filter(
    ({ row }) => row.to !== null && !row.isNeverFirst && creationsOf(families[row.of]).length > 0,
  );
  it.each(first)('$name', async ({ row }) => {
    expect(wrong(await tryCreation(place, row))).toEqual([]);
  });
});
