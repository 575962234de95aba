import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { families } from '../../../shared/families/registry.ts';
import { ClockedStation } from '../../server/identity/clocked-station.ts';
import { Callers } from './callers.ts';
import { leaveConflicts, tryDecisions } from './decisions.ts';
import { FORMS, tryImport } from './import-doors.ts';
import { EVERYBODY, facts, nameOf, rows, type Who } from './oracle.ts';
import { exchanged, tryAltered } from './pushes.ts';
import { creationsOf, doorsOf, type Place, tryCreation, tryDoor } from './request-doors.ts';
import { makeShared } from './scenes.ts';
import type { Attempt, Choice, Possible } from './walk.ts';

/**
 * The negative control of the walk: on a server that judges nobody, each attempt that should be refused, kept as a
 * correction or made to wait comes through at each door, so that the walk would say so.
 */
vi.mock('../../../server/rules/permitting.ts', () => ({ permitting: () => undefined }));
vi.mock(import('../../../server/rules/reason.ts'), async load => ({
  ...(await load()),
  requireReason: () => undefined,
}));
vi.mock(import('../../../server/rules/corrections.ts'), async load => ({
  ...(await load()),
  recordWord: () => undefined,
}));
vi.mock(import('../../../shared/contract/role.ts'), async load => ({
  ...(await load()),
  hasRole: () => true,
}));

/** Refused by something else than who it is: the scope of a token, a reason that a disposition or a body always wants. */
function isOfElse({ who, row, door, expected }: Possible): boolean {
  const isOfBody = expected === 422 && (row.startsWith('ncr disposition') || door.endsWith('/lock'));
  // Users and settings want the scope admin of a token.
  const isOfScope = who === 'read' || (who === 'write' && /^(user|setting) /.test(row));
  return isOfScope || isOfBody || expected === 'read past' || expected === 'taken';
}

/** Attempts that end as they should though nobody is judged. */
function stillRight(attempts: readonly Attempt[]): string[] {
  return attempts.flatMap(one =>
    !isOfElse(one) && one.got === one.expected ? [`${one.door}: ${one.row} by ${one.who}`] : [],
  );
}

/** Those that must come through, by everybody; else at each door one of each outcome that the documents expect there. */
const IS_WHOLE = process.env.HOLDPOINT_WALK === 'full';
const choice: Choice = possible => {
  const telling = possible.filter(one => !isOfElse(one));
  return IS_WHOLE ? telling : [...new Map(telling.map(one => [one.expected, one])).values()];
};
/** Else whose decisions and pushes are tried: one who is refused, and one whose word is recorded or waits. */
const SOME: readonly Who[] = ['inspector', 'quality'];

const at = new ClockedStation();
afterAll(() => at.end());

describe('by a request', () => {
  let place: Place;
  beforeAll(async () => {
    await at.start('central');
    const callers = new Callers(at);
    await callers.open();
    place = { callers, shared: await makeShared(at.station.store) };
  });

  const named = rows.map(row => ({ name: nameOf(row), row }));
  it.each(named)('for a record that is there: $name', async ({ row }) => {
    for (const door of doorsOf(row)) expect(stillRight(await tryDoor(place, row, door, choice))).toEqual([]);
  });

  const begun = [...named, ...facts.map(row => ({ name: nameOf(row), row }))].filter(
    ({ row }) => row.to !== null && !row.isNeverFirst && creationsOf(families[row.of]).length > 0,
  );
  it.each(begun)('for a new record: $name', async ({ row }) => {
    expect(stillRight(await tryCreation(place, row, choice))).toEqual([]);
  });

  it.each(Object.keys(FORMS))('by %s', async form => {
    const attempts = await tryImport(place, 'administrator', form);
    expect(attempts.some(one => !isOfElse(one))).toBe(true);
    expect(stillRight(attempts)).toEqual([]);
  });
});

it('by a decision', async () => {
  const everybody = IS_WHOLE ? EVERYBODY : SOME;
  const other = new ClockedStation();
  try {
    const { disputed } = await leaveConflicts(other.folder, everybody);
    await other.start('central');
    const callers = new Callers(other);
    await callers.open();
    for (const one of disputed) expect(stillRight(await tryDecisions(callers, one, everybody))).toEqual([]);
  } finally {
    await other.end();
  }
});

it('by a push', async () => {
  const attempts = await tryAltered(await exchanged(() => undefined, rows, IS_WHOLE ? undefined : SOME));
  const judged = attempts.filter(({ row }) => !/^(user|setting) /.test(row));
  expect(judged.filter(({ expected }) => expected === 403).length).toBeGreaterThan(100);
  expect(stillRight(judged)).toEqual([]);
});
