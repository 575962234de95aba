/** The door of the exchange: what a station sends in somebody's name, past its gate and through it. */

import { AppError } from '../../../shared/contract/errors.ts';
import { parseInput } from '../../../shared/contract/parse-input.ts';
import { BY_SERVER, type Rights } from '../../../shared/contract/permission.ts';
import { create } from '../../server/store/temporary-store.ts';
import { type Fleet, fleet, type Peer, type Permission } from '../../server/sync/exchange/fleet.ts';
import { loginOf } from './callers.ts';
import { authorOf, expectedOf, isProgram, nameOf, PEOPLE, type Row, rows, type Who } from './oracle.ts';
import { writePastGate } from './past-gate.ts';
import { bodyAt, makeScenes, makeShared, type Scene } from './scenes.ts';
import type { Attempt } from './walk.ts';

/** Central knows no program of a station by name: each is what it lets any of them do. */
const AUTHORS: readonly Who[] = [...PEOPLE, 'write'];
const CENTRALS = ['user', 'setting'];
const REASON = 'So it was agreed.';

interface Tried {
  row: Row;
  who: Who;
  hasReason: boolean;
  scene: Scene;
}

export interface Exchanged extends Fleet {
  station: Peer;
  tried: Tried[];
}

/** A central with everybody's users, a station, and a record for each author and row on both. */
export async function exchanged(
  permission?: Permission,
  of: readonly Row[] = rows,
  everybody = AUTHORS,
): Promise<Exchanged> {
  const made = await fleet(1, {}, permission);
  const { store } = made.central;
  const [station] = made.stations;
  if (!station) throw new Error('No station.');
  for (const role of PEOPLE) await create(store, 'user', { login: loginOf(role), name: role, roles: [role] });
  const shared = await makeShared(store);
  const tried: Tried[] = [];
  for (const row of of) {
    const authors = everybody.flatMap(who => [false, true].map(hasReason => ({ who, hasReason })));
    const scenes = await makeScenes(store, shared, row, authors.length);
    for (const [index, author] of authors.entries()) {
      const scene = scenes[index];
      if (scene) tried.push({ row, ...author, scene });
    }
  }
  await made.settle();
  return { ...made, station, tried };
}

/**
 * A station whose gate judges nobody, in everybody's name: what its author may not write is held, and so is what frees
 * goods by no word that counts. Central answers nobody, so that what only lacks a person's reason stands.
 */
export async function tryAltered({ central, station, tried, settle }: Exchanged): Promise<Attempt[]> {
  const sent: Tried[] = [];
  for (const one of tried) {
    if (!CENTRALS.includes(one.row.of) && !(await write(station, one, BY_SERVER))) continue;
    sent.push(one);
  }
  // A station writes these by no rule at all.
  const centrals = sent.filter(({ row }) => CENTRALS.includes(row.of));
  const past = centrals.map(({ scene, who }) => ({
    scene,
    value: scene.to,
    user: userOf(who),
    reason: REASON,
  }));
  await writePastGate(station, central.store, past);
  await settle();
  const held = reasonsHeld(central);
  return sent.map(({ row, who, hasReason, scene }) => {
    const said = expectedOf({ ...row, isSetByServer: undefined }, authorOf(who, hasReason));
    const isFreed = said === 'awaiting' || (said === 422 && row.frees !== undefined);
    const expected = CENTRALS.includes(row.of) || said === 403 || isFreed ? 403 : 'taken';
    const found = held.get(scene.key);
    const isForWriter = found !== undefined && /^(not_permitted|central_decides)/.test(found);
    const got = found === undefined ? 'taken' : isForWriter && expected === 403 ? 403 : `held: ${found}`;
    return { door: 'a push of an altered station', row: nameOf(row), who, hasReason, expected, got };
  });
}

/** Whether it is written: where a rule of the record wants a reason of everybody, nothing is. */
async function write(station: Peer, { who, hasReason, scene, row }: Tried, rights: Rights): Promise<boolean> {
  const { family, id, path, to } = scene;
  try {
    return await station.store.gate.commit({
      actor: { user: userOf(who), rights },
      reason: hasReason ? REASON : null,
      work: work => {
        if (!row.isSetByServer)
          work.update(family, id, parseInput(family, bodyAt(path, to), { mode: 'patch' }));
        else work.set(family, id, { ...work.require(family.name, id).fields, [path]: to });
        return true;
      },
      answer: done => done,
    });
  } catch (error) {
    const isOfRule = error instanceof AppError && error.errors?.reason !== undefined;
    if (isOfRule && !hasReason && row.why === 'everybody') return false;
    throw error;
  }
}

/** Why central holds what was sent of each record, by its key. */
function reasonsHeld({ exchange }: Fleet['central']): Map<string, string> {
  const held = exchange.reader().heldCommits.all();
  return new Map(
    held.flatMap(({ commit, reason }) =>
      commit.entries.map(({ subject }) => [subject, reason ?? ''] as const),
    ),
  );
}

/** What a station takes of its people and programs, central takes. */
export async function tryHonest({ central, station, tried, settle }: Exchanged): Promise<Attempt[]> {
  const sent: Tried[] = [];
  for (const one of tried) {
    const { row, who, hasReason } = one;
    const said = expectedOf(row, authorOf(who, hasReason));
    if (CENTRALS.includes(row.of) || typeof said === 'number' || row.isSetByServer) continue;
    await write(station, one, rightsOf(who));
    sent.push(one);
  }
  await settle();
  const held = reasonsHeld(central);
  return sent.map(({ row, who, hasReason, scene }) => {
    const found = held.get(scene.key);
    const got = found === undefined ? 'taken' : `held: ${found}`;
    return { door: 'an honest push', row: nameOf(row), who, hasReason, expected: 'taken', got };
  });
}

const userOf = (who: Who): string => (isProgram(who) ? 'scale' : loginOf(who));

function rightsOf(who: Who): Rights {
  const { kind, role } = authorOf(who, true);
  return { kind: kind === 'program' ? 'integration' : 'person', roles: [role] };
}
