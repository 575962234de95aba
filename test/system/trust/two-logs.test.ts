import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import { readLocal } from '../../../server/store/tables.ts';
import { openAuthority } from '../../../server/trust/authority-key.ts';
import { checkpointFile } from '../../../server/trust/checkpoint.ts';
import { createCheckpoints } from '../../../server/trust/checkpoints.ts';
import { trailLines } from '../../../server/trust/trail.ts';
import { verifyCheckpoints } from '../../../server/trust/verify-checkpoint.ts';
import type { Checkpoint } from '../../../shared/operations/checkpoint-operations.ts';
import { temporaryFolder } from '../../server/store/sqlite/temporary-folder.ts';
import { create, update } from '../../server/store/temporary-store.ts';
import { Central, faultsOf, fleet, Peer } from '../../server/sync/exchange/fleet.ts';
import { rewrittenStore } from './rewritten-store.ts';
import { Verifier } from './verifier.ts';

/** Who has all of central's files and its keys shows one log to the dock, and another one to the lab. */

const clock = () => new Date('2026-06-30T12:00:00.000Z');
const verifiers = [Verifier.own(), Verifier.second()];
afterAll(() => Promise.all(verifiers.map(verifier => verifier.close())));

function wordOf(store: Store, authority = openAuthority(store.database.folder)): Checkpoint {
  const checkpoint = createCheckpoints({ store, authority, clock }).present();
  if (!checkpoint) throw new Error('There is no history.');
  return checkpoint;
}

function keptFile(...checkpoints: Checkpoint[]): string {
  const file = join(temporaryFolder(), 'kept.json');
  writeFileSync(file, JSON.stringify(checkpointFile(checkpoints)));
  return file;
}

async function trailOf(store: Store): Promise<string> {
  const checkpoint = () => wordOf(store);
  const lines: string[] = [];
  for await (const line of trailLines({ store, version: '1', clock, checkpoint }))
    lines.push(`${JSON.stringify(line)}\n`);
  const file = join(temporaryFolder(), 'trail.jsonl');
  writeFileSync(file, lines.join(''));
  return file;
}

/**
 * The lab has followed the other log from its beginning, over the line and with every hash as it has to be. @param which change of the log
 * is another one there; people have signed nothing after the last one
 */
async function site(which = 'Ann 4') {
  const made = await fleet(1, { isSigned: true });
  const { central } = made;
  const [dock] = made.stations;
  if (!dock) throw new Error('There is no station.');
  const signer = { id: central.store.records.findBy('user', 'login', 'signer')[0]?.id ?? 0, login: 'signer' };
  for (let n = 1; n <= 4; n += 1) {
    const { id } = await create(dock.store, 'supplier', { name: `Maker ${n}` });
    await made.settle();
    await update(central.store, 'supplier', id, { primary_name: `Ann ${n}` });
  }
  await made.settle();
  // Nobody has signed what a program wrote at central.
  const altered = rewrittenStore(central.store.database.folder, temporaryFolder(), commit =>
    JSON.stringify(commit.entries).includes(which) ? { ...commit, reason: 'As agreed' } : commit,
  );
  const other = await Central.open(altered);
  const lab = await Peer.join((request, unsent) => other.answer(request, unsent), 2, { signer });
  await create(lab.store, 'supplier', { name: 'Of the lab' });
  await lab.settle();
  await create(dock.store, 'supplier', { name: 'Of the dock' });
  await dock.settle();
  return { central, other, dock, lab };
}

it('is not to be seen at either station alone, and is by what the other one has', async () => {
  const { central, other, dock, lab } = await site();
  const [atDock, atLab] = [await trailOf(dock.store), await trailOf(lab.store)];
  const words = [dock.store, lab.store].map(store => keptFile(wordOf(store)));
  for (const [{ store }, trail] of [
    [dock, atDock],
    [lab, atLab],
  ] as const) {
    expect(await faultsOf(store)).toEqual([]);
    expect((await verifyCheckpoints(store.database.folder, undefined)).findings).toEqual([]);
    for (const verifier of verifiers) expect(await verifier.verify(trail)).toMatchObject({ code: 0 });
  }
  const [ofDock = '', ofLab = ''] = words;
  for (const [{ store }, trail, word, own] of [
    [dock, atDock, ofLab, ofDock],
    [lab, atLab, ofDock, ofLab],
  ] as const) {
    expect((await verifyCheckpoints(store.database.folder, own)).findings).toEqual([]);
    const { findings } = await verifyCheckpoints(store.database.folder, word);
    expect(findings.map(({ what }) => what).join()).toContain('history was rewritten');
    for (const verifier of verifiers) {
      expect(await verifier.verify(trail, '--checkpoint', own)).toMatchObject({ code: 0 });
      const { code, output } = await verifier.verify(trail, '--checkpoint', word);
      expect([code, output]).toEqual([1, expect.stringMatching(/rewritten|another hash/)]);
    }
  }
  // What central itself has signed of both, as each station keeps it, or a paper bears it.
  const authority = openAuthority(temporaryFolder());
  const said = [central, other].map(({ store }) => wordOf(store, authority));
  const [own] = verifiers;
  for (const one of said) expect(await own?.verify(keptFile(one))).toMatchObject({ code: 0 });
  expect(await own?.verify(keptFile(...said))).toMatchObject({
    code: 1,
    output: expect.stringContaining('somebody was shown another history'),
  });
});

it('is found at the lab alone where people have signed what they had seen of the log since', async () => {
  const { dock, lab } = await site('Ann 2');
  expect(await faultsOf(dock.store)).toEqual([]);
  expect((await faultsOf(lab.store)).join()).toContain(
    'Its author has signed that the log had another entry',
  );
  const trail = await trailOf(lab.store);
  for (const verifier of verifiers) {
    const { code, output } = await verifier.verify(trail);
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/saw another history|having seen another history/),
    ]);
  }
});

it('is told as a central that was put back, where a station comes to the other log', async () => {
  const { central, other, lab } = await site();
  const epochOf = ({ store }: Central) => readLocal(store.database.reader, 'epoch');
  expect(epochOf(other)).toBe(epochOf(central));
  lab.carry = (request, unsent) => central.answer(request, unsent);
  await lab.settle();
  expect(epochOf(central)).not.toBe(epochOf(other));
});
