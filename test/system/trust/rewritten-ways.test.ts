import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import type { Decision } from '../../../server/sync/protocol/decide.ts';
import { openAuthority } from '../../../server/trust/authority-key.ts';
import { checkpointFile } from '../../../server/trust/checkpoint.ts';
import { createCheckpoints } from '../../../server/trust/checkpoints.ts';
import { verifyCheckpoints } from '../../../server/trust/verify-checkpoint.ts';
import { temporaryFolder } from '../../server/store/sqlite/temporary-folder.ts';
import { create, update } from '../../server/store/temporary-store.ts';
import { fleet } from '../../server/sync/exchange/fleet.ts';
import { type Altering, rewrittenStore } from './rewritten-store.ts';

/** What somebody makes of a history of whom all files are, and all hashes, chains, entries of the log and triggers are made right again. */
interface Way {
  commit?: Altering;
  decisions?: (decisions: Decision[]) => Decision[];
  /** Done to the copy after that. */
  sql?: string;
}

/** In the middle: what is written after it stands over it. */
const MIDDLE = 6;
const inMiddle =
  (alter: (commit: Parameters<Altering>[0]) => object): Altering =>
  (commit, sequence) =>
    sequence === MIDDLE ? { ...commit, ...alter(commit) } : commit;
const changed = (alter: () => object) =>
  inMiddle(({ entries }) => ({
    entries: entries.map(entry => ({
      ...entry,
      changes: entry.changes.map(change => ({ ...change, ...alter() })),
    })),
  }));

const ways: Record<string, Way> = {
  'a value': { commit: changed(() => ({ new: 'Other' })) },
  'the value before': { commit: changed(() => ({ old: 'Other' })) },
  'what was seen before': { commit: changed(() => ({ over: ['none'] })) },
  'the field': { commit: changed(() => ({ path: 'secondary_name' })) },
  'the author': { commit: inMiddle(() => ({ user: 'quinn' })) },
  'the time': { commit: inMiddle(() => ({ at: '2020-01-01T00:00:00.000Z' })) },
  'the clock': { commit: inMiddle(() => ({ clock_offset: 5 })) },
  'the mark of a clock': { commit: inMiddle(() => ({ clock_at_least: '2020-01-01T00:00:00.000Z' })) },
  'a reason that nobody gave': { commit: inMiddle(() => ({ reason: 'As agreed.' })) },
  'the name of the commit': { commit: inMiddle(() => ({ commit_id: 'another' })) },
  'the record': {
    commit: inMiddle(({ entries }) => ({
      entries: entries.map(entry => ({ ...entry, subject: 'supplier:9' })),
    })),
  },
  'an entry that is taken out': { commit: inMiddle(({ entries }) => ({ entries: entries.slice(1) })) },
  'an entry that is put in': {
    commit: inMiddle(({ entries }) => ({ entries: [...entries, { subject: 'supplier:9', changes: [] }] })),
  },
  'a member that nobody knows': { commit: inMiddle(() => ({ approved_by: 'quinn' })) },
  'an authorship that is put in': { commit: inMiddle(() => ({ authorship: { proof: 'A'.repeat(86) } })) },
  'every reason': { commit: commit => ({ ...commit, reason: 'As agreed.' }) },
  'what central decided': {
    decisions: decisions => decisions.map(one => ({ ...one, outcome: 'held', effects: [] })),
  },
  'why central decided so': { decisions: decisions => decisions.map(one => ({ ...one, reason: 'Asked.' })) },
  'the last entry, which is taken out': {
    sql: 'DELETE FROM log WHERE sequence = (SELECT max(sequence) FROM log)',
  },
  'the whole log, which is taken out': { sql: 'DELETE FROM log' },
};

/** Central and its station, with files of what both signed, kept elsewhere. */
async function site(): Promise<{ machines: Store[]; kept: string[] }> {
  const made = await fleet(1);
  const [a] = made.stations;
  if (!a) throw new Error('There is no station.');
  for (let n = 1; n <= 4; n += 1) {
    const { id } = await create(a.store, 'supplier', { name: `Maker ${n}` });
    await made.settle();
    await update(made.central.store, 'supplier', id, { primary_name: `Ann ${n}` });
    await made.settle();
  }
  const machines = made.stores();
  const kept = machines.map(store => {
    const clock = () => new Date('2026-06-30T12:00:00.000Z');
    const authority = openAuthority(temporaryFolder());
    const checkpoint = createCheckpoints({ store, authority, clock }).present();
    if (!checkpoint) throw new Error('There is no history.');
    const file = join(temporaryFolder(), 'kept.json');
    writeFileSync(file, JSON.stringify(checkpointFile([checkpoint])));
    return file;
  });
  return { machines, kept };
}

const areFound = async (target: string, file: string | undefined) =>
  (await verifyCheckpoints(target, file)).findings.length > 0;

it('a history that somebody rewrote in any of twenty ways, at central or a station, is found by what either signed before', async () => {
  const { machines, kept } = await site();
  expect(Object.keys(ways)).toHaveLength(20);
  const wrong: string[] = [];
  for (const [place, { database }] of machines.entries()) {
    const same = rewrittenStore(database.folder, temporaryFolder(), commit => commit);
    for (const file of kept)
      if ((await areFound(database.folder, file)) || (await areFound(same, file)))
        wrong.push(`machine ${place}: whole, and said to be wrong`);
    for (const [name, { commit, decisions, sql }] of Object.entries(ways)) {
      const to = rewrittenStore(
        database.folder,
        temporaryFolder(),
        commit ?? (each => each),
        (each, sequence) => (decisions && sequence === MIDDLE ? decisions(each) : each),
      );
      if (sql) {
        const copy = new DatabaseSync(join(to, 'holdpoint.db'));
        copy.exec(sql);
        copy.close();
      }
      // Without a checkpoint of elsewhere it is not to be seen.
      if (await areFound(to, undefined)) wrong.push(`machine ${place}: ${name}: found by nothing`);
      for (const file of kept)
        if (!(await areFound(to, file))) wrong.push(`machine ${place}: ${name}: not found`);
    }
  }
  expect(wrong).toEqual([]);
});
