import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readCommitsAfter } from '../../../../server/store/history.ts';
import { readMoved } from '../../../../server/store/moved.ts';
import { Archives } from '../../../../server/sync/central/archives.ts';
import { joinCentral } from '../../../../server/sync/station/join.ts';
import { openAuthority } from '../../../../server/trust/authority-key.ts';
import { checkpointFile } from '../../../../server/trust/checkpoint.ts';
import { createCheckpoints } from '../../../../server/trust/checkpoints.ts';
import { trailLines } from '../../../../server/trust/trail.ts';
import { verifyCheckpoints } from '../../../../server/trust/verify-checkpoint.ts';
import { fill, freshInstallation } from '../../../system/sync/moving/stand-alone.ts';
import { writeTrail } from '../../../system/trust/trail-file.ts';
import { Verifier } from '../../../system/trust/verifier.ts';
import { temporaryFolder } from '../../store/sqlite/temporary-folder.ts';
import { create, START } from '../../store/temporary-store.ts';
import { Central, letBring, Peer } from './fleet.ts';

const BY = { further: [], user: 'boss', at: '2026-06-10T00:00:00.000Z', reason: 'joined' };
const clock = () => new Date();

/** A central that has so many commits of what an installation had before it joined: all, unless it was cut off. */
async function joined(most = Number.POSITIVE_INFINITY) {
  const alone = await freshInstallation(temporaryFolder());
  await fill(alone);
  const { folder } = alone.database;
  const central = await Central.open();
  await letBring(central, alone, 3);
  await joinCentral(alone, 3, () => {}, BY);
  await alone.close();
  const dock = await Peer.open(request => central.answer(request), folder);
  await dock.settle();
  const { reader } = dock.store.database;
  const { chain = '', former = {} } = readMoved(reader) ?? {};
  const commits = readCommitsAfter(reader, 0, 1_000)
    .map(({ commit }) => commit)
    .filter(commit => commit.chain in former)
    .slice(0, most);
  const faults: unknown[] = [];
  const { store } = central;
  const archives = new Archives({
    store,
    onChecked: async (_chain, _archive, keep) => keep(),
    onFault: error => faults.push(error),
  });
  await archives.take(dock.store.station, { chain, part: 0, commits });
  await archives.close();
  expect(faults).toEqual([]);
  const checkpoint = createCheckpoints({ store, authority: openAuthority(store.database.folder), clock });
  return { central, former: Object.keys(former), present: checkpoint.present };
}

/** Central's trail, and what both verifiers say of it. */
async function exported({ central, present }: Awaited<ReturnType<typeof joined>>, from?: string) {
  const lines = [];
  const { store } = central;
  for await (const line of trailLines({ store, version: '0', clock, checkpoint: present, from }))
    lines.push(line);
  const file = join(temporaryFolder(), 'trail.jsonl');
  writeTrail(file, lines as never);
  const both = [Verifier.own(), Verifier.second()];
  const said = await Promise.all(both.map(one => one.verify(file)));
  await Promise.all(both.map(one => one.close()));
  const chains = new Set(lines.map(line => 'commit' in line && line.commit.chain));
  return { codes: said.map(({ code }) => code), output: said.map(({ output }) => output).join('\n'), chains };
}

it('central’s own checkpoints say nothing of it that its log does not, and are compared with nothing wrong', async () => {
  const site = await joined();
  const own = site.present();
  expect(own).not.toHaveProperty('others');
  const file = join(temporaryFolder(), 'kept.json');
  writeFileSync(file, JSON.stringify(checkpointFile(own ? [own] : [])));
  const { findings, agreed } = await verifyCheckpoints(site.central.store.database.folder, file);
  expect([findings, agreed]).toEqual([[], 1]);
});

it('is in a trail whose log says where it ends', async () => {
  const site = await joined();
  const whole = await exported(site);
  expect(whole.codes, whole.output).toEqual([0, 0]);
  expect([...whole.chains]).toEqual(expect.arrayContaining(site.former));
  // A part that begins later does not say so. The clock goes a second on with each commit.
  for (let index = 0; index < 60; index += 1)
    await create(site.central.store, 'supplier', { name: `Since ${index}` });
  const part = await exported(site, new Date(Date.parse(START) + 50_000).toISOString());
  expect(part.codes, part.output).toEqual([3, 0]);
  for (const chain of site.former) expect(part.chains).not.toContain(chain);
});

it('is not in a trail while it has not come to its end, in which nothing is wrong', async () => {
  const site = await joined(2);
  const { codes, output, chains } = await exported(site);
  expect(codes, output).toEqual([0, 0]);
  expect(output).toContain('what its installation had before it joined is not in this file');
  for (const chain of site.former) expect(chains).not.toContain(chain);
});
