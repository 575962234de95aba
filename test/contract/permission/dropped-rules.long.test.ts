import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Family } from '../../../shared/contract/define-family.ts';
import type { FieldRule } from '../../../shared/contract/may.ts';
import { families } from '../../../shared/families/registry.ts';
import { ClockedStation } from '../../server/identity/clocked-station.ts';
import { Callers } from './callers.ts';
import { type Row, rows } from './oracle.ts';
import { exchanged, tryAltered } from './pushes.ts';
import { doorsOf, type Place, tryDoor } from './request-doors.ts';
import { makeShared } from './scenes.ts';
import { type Attempt, wrong } from './walk.ts';

/** Each rule of the contract matters: the walk of its rows finds that it is gone. */

const at = new ClockedStation();
let place: Place;
beforeAll(async () => {
  await at.start('central');
  const callers = new Callers(at);
  await callers.open();
  place = { callers, shared: await makeShared(at.station.store) };
});
afterAll(() => at.end());

const rules = Object.values<Family>(families).flatMap(family =>
  Object.entries(family.may.rules ?? {}).flatMap(([path, found]) =>
    found.map(rule => ({ family, path, rule, name: `${family.name} ${path} ${rule.when}` })),
  ),
);

/** What no request writes, or another rule asks for as well, is judged by this alone where a station sends it. */
const ofPushes = [
  'inventory lock_reason any',
  'inspection is_settled toTrue',
  'lab-result is_settled toTrue',
  'ncr disposition any',
  'ncr rework_inspection_id any',
  'stock-count is_posted toTrue',
  'stock-count is_posted fromTrue',
];

it.each(rules)('$name', async ({ family, path, rule, name }) => {
  const own = rows.filter(row => row.of === family.name && row.path === path && row.is?.includes(rule.when));
  const kept: readonly FieldRule[] = family.may.rules?.[path] ?? [];
  const table = family.may.rules as Record<string, readonly FieldRule[]>;
  table[path] = kept.filter(one => one !== rule);
  try {
    const attempts = ofPushes.includes(name)
      ? await tryAltered(await exchanged(undefined, own))
      : await tryAtFirstDoors(own);
    expect(wrong(attempts)).not.toEqual([]);
  } finally {
    table[path] = kept;
  }
});

async function tryAtFirstDoors(own: readonly Row[]): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  for (const row of own)
    for (const door of doorsOf(row).slice(0, 1)) attempts.push(...(await tryDoor(place, row, door)));
  return attempts;
}
