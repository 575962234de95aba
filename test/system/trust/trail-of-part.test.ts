import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import { joinCentral } from '../../../server/sync/station/join.ts';
import { openAuthority } from '../../../server/trust/authority-key.ts';
import { checkpointFile } from '../../../server/trust/checkpoint.ts';
import { createCheckpoints } from '../../../server/trust/checkpoints.ts';
import { trailLines } from '../../../server/trust/trail.ts';
import { temporaryFolder } from '../../server/store/sqlite/temporary-folder.ts';
import { create, update } from '../../server/store/temporary-store.ts';
import { fleet, Peer } from '../../server/sync/exchange/fleet.ts';
import { fleetWithSupplier, partlyElsewhere } from '../../server/sync/exchange/two-places.ts';
import { freshInstallation } from '../sync/moving/stand-alone.ts';

const VERIFIER = fileURLToPath(new URL('../../../docs/verify/verify.mjs', import.meta.url));
const clock = () => new Date();

/** What a store signs and exports, as files. */
async function exported(store: Store): Promise<{ trail: string; checkpoint: string }> {
  const folder = temporaryFolder();
  const checkpoint = createCheckpoints({ store, authority: openAuthority(folder), clock }).present;
  const lines: string[] = [];
  for await (const line of trailLines({ store, version: '1', clock, checkpoint }))
    lines.push(JSON.stringify(line));
  const [trail, kept] = [join(folder, 'trail.jsonl'), join(folder, 'kept.json')];
  writeFileSync(trail, `${lines.join('\n')}\n`);
  const own = checkpoint();
  writeFileSync(kept, JSON.stringify(checkpointFile(own ? [own] : [])));
  return { trail, checkpoint: kept };
}

function verified(...words: string[]): Promise<{ code: number; output: string }> {
  return new Promise(resolve => {
    execFile(process.execPath, [VERIFIER, ...words], (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 99;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });
}

it('of a station that took records in the place of the log is told as a part, and nothing in it as wrong', async () => {
  const { central, stations, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  const { id } = await create(central.store, 'supplier', { name: 'Acme' });
  for (let index = 0; index < 30; index += 1)
    await create(a.store, 'supplier', { name: `Supplier ${index}` });
  await settle();
  await update(a.store, 'supplier', id, { name: 'Acme A' });
  await update(b.store, 'supplier', id, { name: 'Acme B' });
  await settle();
  const before = await exported(central.store);
  const fresh = await Peer.join(request => central.answer(request), 7, { farBehind: 10 });
  await fresh.settle();
  expect(fresh.engine.reader.logStart()).toBeGreaterThan(0);
  await create(fresh.store, 'supplier', { name: 'Of the fresh one' });
  await update(fresh.store, 'supplier', id, { name: 'Decided' });
  await fresh.settle();
  await settle();
  await fresh.settle();
  await create(fresh.store, 'supplier', { name: 'Not sent yet' });
  const { trail } = await exported(fresh.store);
  const after = await exported(central.store);
  expect((await verified(after.trail, '--checkpoint', before.checkpoint)).code).toBe(0);
  const part = await verified(trail, '--checkpoint', after.checkpoint);
  expect(part.output).toContain('Only a part of history, in which nothing was found wrong, is in');
  expect(part.code).toBe(3);
  const early = await verified(trail, '--checkpoint', before.checkpoint);
  expect(early.output).toContain('it cannot be compared: the log begins after entry');
  expect(early.code).toBe(1);
});

it('of a station that took records anew is told as a part, with what it had before and what it has not sent', async () => {
  const { central, stations, settle } = await fleet(1);
  const [a] = stations;
  if (!a) throw new Error();
  const { id } = await create(central.store, 'supplier', { name: 'Acme' });
  await settle();
  const far = await Peer.join(request => central.answer(request), 7, { farBehind: 10 });
  await far.settle();
  await create(far.store, 'supplier', { name: 'Of the far one' });
  await far.settle();
  for (let turn = 0; turn < 40; turn += 1)
    await update(central.store, 'supplier', id, { primary_email: `${turn}@example.com` });
  await create(far.store, 'supplier', { name: 'Not sent yet' });
  await far.settle();
  await update(far.store, 'supplier', id, { notes: 'Sent later' });
  const { trail } = await exported(far.store);
  const { output, code } = await verified(trail);
  expect(output).toContain('Only a part of history, in which nothing was found wrong, is in');
  expect(code).toBe(3);
});

it.each(['station', 'central', 'both'])('is whole where an earlier copy of %s was put back', async which => {
  const made = await fleet(2);
  const { central, stations, settle } = made;
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  const { id } = await create(central.store, 'supplier', { name: 'Acme' });
  await settle();
  const [ofCentral, ofStation] = [await central.copy(), await a.copy()];
  for (const { store } of [a, b, central]) await create(store, 'supplier', { name: 'Lost' });
  await update(a.store, 'supplier', id, { primary_name: 'sent' });
  await settle();
  if (which !== 'station') await central.putBack(ofCentral);
  if (which !== 'central') await a.putBack(ofStation);
  for (const { store } of [a, b, central]) await create(store, 'supplier', { name: 'New' });
  await settle();
  await settle();
  for (const store of made.stores()) {
    const { trail, checkpoint } = await exported(store);
    const { output, code } = await verified(trail, '--checkpoint', checkpoint);
    expect(output).toMatch(/^Nothing is wrong/m);
    expect(code).toBe(0);
  }
});

it('is whole of an installation that joined with its records, and so are the checkpoints of before', async () => {
  const store = await freshInstallation();
  await create(store, 'supplier', { name: 'Of before' });
  const before = await exported(store);
  const by = { further: [], user: 'boss', at: '2026-06-20T00:00:00.000Z', reason: 'joined' };
  await joinCentral(store, 3, () => {}, by);
  await create(store, 'supplier', { name: 'Since' });
  const { trail, checkpoint } = await exported(store);
  const { output, code } = await verified(
    trail,
    '--checkpoint',
    before.checkpoint,
    '--checkpoint',
    checkpoint,
  );
  expect(output).toContain(' in 2 chains, 0 entries of the log; 3 of 3 places are as they were signed.');
  expect(code).toBe(0);
});

it('of a station at which some of a chain stand elsewhere is whole, while the others wait to be given back', async () => {
  const made = await fleetWithSupplier();
  await partlyElsewhere(made);
  const { trail } = await exported(made.b.store);
  expect(await verified(trail)).toMatchObject({ code: 0, output: expect.stringContaining('given up') });
});
