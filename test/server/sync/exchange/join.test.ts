import { cpSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createSecrets } from '../../../../server/identity/secrets.ts';
import { inputOf } from '../../../../server/rules/input-of.ts';
import { identityTables } from '../../../../server/store/identity-tables.ts';
import { BLOCK_SIZE } from '../../../../server/store/ids.ts';
import { joinCentral } from '../../../../server/sync/station/join.ts';
import { PushPullLoop } from '../../../../server/sync/station/push-pull-loop.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { temporaryFolder } from '../../store/sqlite/temporary-folder.ts';
import { create, temporaryStore } from '../../store/temporary-store.ts';
import { faultsOf, shown } from './fleet.ts';

async function freshInstallation() {
  const store = await temporaryStore();
  await store.gate.commit({
    actor: { rights: BY_SERVER, user: 'setup' },
    reason: null,
    work: work => work.create(families.company, inputOf({ name: 'My company' })),
    answer: () => undefined,
  });
  return store;
}

it('a station that ends before it first heard of central opens again, and works', async () => {
  const store = await freshInstallation();
  await joinCentral(store, 3);
  const copy = temporaryFolder();
  // As after a kill: the log of the database is there, and nothing was closed.
  cpSync(store.database.folder, copy, { recursive: true });
  const again = await temporaryStore({ folder: copy });
  expect(again.selfCheck).toMatchObject({ isUnclean: true, findings: [] });
  expect(again.database.damage).toBeUndefined();
  expect(shown(again)).toEqual({});
  expect(await faultsOf(again)).toEqual([]);
  const transport = { exchange: () => Promise.reject(new Error('There is no network.')) };
  const engine = new PushPullLoop({ store: again, transport, clock: () => new Date(0) });
  expect((await create(again, 'supplier', { name: 'Acme' })).id).toBe(3 * BLOCK_SIZE + 1);
  expect(await faultsOf(again)).toEqual([]);
  await expect(engine.step()).rejects.toThrow('There is no network.');
  expect(engine.state()).toMatchObject({ unsent: 1, is_caught_up: false, digests_agree: null });
});

it('passwords and keys of before are nobody’s at the station: its users are other people', async () => {
  const store = await freshInstallation();
  await create(store, 'supplier', { name: 'Mine' });
  const tables = identityTables(store.database);
  const secrets = createSecrets(tables);
  const at = '2026-06-15T12:00:00.000Z';
  await store.gate.together(async () => {
    for (const hash of ['first hash of boss', 'second hash of boss']) secrets.put(1, hash, at);
    tables.putUserKey({ user_id: 1, public_key: 'k', sealed: 's', version: 2, changed_at: at });
  });
  expect(secrets.remembered(1)).toEqual(['second hash of boss', 'first hash of boss']);
  await joinCentral(store, 3, () => {}, { further: [], user: 'boss', at, reason: 'It joins.' });
  expect([secrets.remembered(1), tables.userKey(1)]).toEqual([[], undefined]);
  expect(await faultsOf(store)).toEqual([]);
  await store.close();
  expect(readFileSync(store.database.file, 'latin1')).not.toContain('hash of boss');
});

it('an installation with records of its own does not join, and nothing of it is changed', async () => {
  const store = await freshInstallation();
  await create(store, 'supplier', { name: 'Mine' });
  const [before, chain] = [shown(store), store.gate.chain];
  let kept = 0;
  const joining = joinCentral(store, 3, () => {
    kept += 1;
  });
  await expect(joining).rejects.toMatchObject({ code: 'conflict' });
  expect([shown(store), store.gate.chain, store.ids.blocks(), kept]).toEqual([before, chain, [0], 0]);
  expect(await faultsOf(store)).toEqual([]);
});

it('what belongs to the joining and fails undoes all of it', async () => {
  const store = await freshInstallation();
  const before = shown(store);
  const joining = joinCentral(store, 3, () => {
    throw new Error('The disk is full.');
  });
  await expect(joining).rejects.toThrow('The disk is full.');
  expect(shown(store)).toEqual(before);
  expect(await create(store, 'supplier', { name: 'Mine' })).toMatchObject({ id: 1 });
  expect(await faultsOf(store)).toEqual([]);
});
