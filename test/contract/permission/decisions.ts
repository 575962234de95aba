/** The door of decisions: conflicts that two stations left, of each row, at a central that serves. */

import { conflictsOf } from '../../../server/sync/log/conflicts.ts';
import { syncRules } from '../../../server/sync/log/rules.ts';
import { Central, Peer } from '../../server/sync/exchange/fleet.ts';
import type { Callers } from './callers.ts';
import {
  authorOf,
  EVERYBODY,
  expectedOf,
  isAtLeast,
  nameOf,
  type Outcome,
  type Row,
  rows,
  type Shared,
  type Who,
} from './oracle.ts';
import { writePastGate } from './past-gate.ts';
import { answered } from './request-doors.ts';
import { makeScenes, makeShared, type Scene, valueAt } from './scenes.ts';
import { type Attempt, outcomeOf } from './walk.ts';

export interface Disputed {
  row: Row;
  /** Of each the value stands that stood before; the other one is what the row changes it to. */
  scenes: Scene[];
}

/** Only central writes these, so that stations never differ about them. */
const CENTRALS = ['user', 'setting'];
const ROWS = rows.filter(({ of }) => !CENTRALS.includes(of));

/** A folder of a central at which two stations left conflicts about each row, for so many to decide. */
export async function leaveConflicts(
  folder: string,
  everybody = EVERYBODY,
): Promise<{ shared: Shared; disputed: Disputed[] }> {
  // Who is refused tries on the first, then each who is not on one of their own; the last is for the value that stands.
  const count = 1 + everybody.length + 1;
  const central = await Central.open(folder, () => undefined);
  const join = (block: number) => Peer.join(request => central.answer(request), block);
  const [one, other] = [await join(1), await join(2)];
  const shared = await makeShared(central.store);
  const disputed: Disputed[] = [];
  for (const row of ROWS)
    disputed.push({ row, scenes: await makeScenes(central.store, shared, row, count, 'the.operator') });
  for (const peer of [one, other]) await peer.settle();
  const said = disputed.flatMap(({ scenes }) =>
    scenes.map(scene => {
      const stood = valueAt(scene.before.fields, scene.path);
      // Of a verdict the first stands, of any other value the last.
      const isFirst = syncRules.isVerdict(scene.key, scene.path);
      return { scene, values: isFirst ? [stood, scene.to] : [scene.to, stood] };
    }),
  );
  for (const [index, peer] of [one, other].entries()) {
    const changes = said.map(({ scene, values }) => ({ scene, value: values[index] }));
    await writePastGate(peer, central.store, changes);
  }
  for (const peer of [one, other, one]) await peer.settle();
  for (const { store } of [one, other, central]) await store.close();
  return { shared, disputed };
}

/** Everybody decides the row's conflict for the other value, then for the one that stands. */
export async function tryDecisions(
  callers: Callers,
  { row, scenes }: Disputed,
  everybody = EVERYBODY,
): Promise<Attempt[]> {
  const { store } = callers.at.station;
  const attempts: Attempt[] = [];
  const [first, ...others] = scenes.map((scene): Scene => {
    const before = store.records.getByKey(scene.key);
    if (!before) throw new Error(scene.key);
    return { ...scene, before };
  });
  const last = others.pop();
  const decide = async (scene: Scene | undefined, who: Who, isOther: boolean, expected: Outcome) => {
    if (!scene) throw new Error('No scene.');
    const open = conflictsOf(store.database.reader, scene.key).find(({ closed }) => closed === null);
    const value = isOther ? scene.to : valueAt(scene.before.fields, scene.path);
    const body = { value, reason: 'I asked both.' };
    const answer = answered(await callers.call(who, 'POST', `/x/conflicts/${open?.id}/resolve`, body));
    const isOpen = conflictsOf(store.database.reader, scene.key).some(({ closed }) => closed === null);
    const looked = outcomeOf(store, { ...scene, stands: isOther ? scene.stands : value }, answer);
    const got =
      isOpen === answer.status >= 400
        ? looked
        : `${looked}, and the conflict is ${isOpen ? 'open' : 'closed'}`;
    const door = `a decision for the ${isOther ? 'other value' : 'value that stands'}`;
    attempts.push({ door, row: nameOf(row), who, hasReason: true, expected, got });
  };
  for (const who of everybody) {
    const author = authorOf(who, true);
    // Conflicts are quality's to decide.
    if (!isAtLeast(author.role, 'quality')) {
      await decide(first, who, true, 403);
      await decide(first, who, false, 403);
      continue;
    }
    // Stations gave what stands, so that nothing was filled in by the server.
    const expected = row.isFilledIn ? 'recorded' : expectedOf({ ...row, isSetByServer: undefined }, author);
    await decide(others.pop(), who, true, expected);
  }
  await decide(last, 'quality', false, 'taken');
  return attempts;
}
