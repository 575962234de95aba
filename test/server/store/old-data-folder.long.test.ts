import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { verifyDependencies as proof } from '../../../server/backup/verify-dependencies.ts';
import { FILE_VERSION, migrations } from '../../../server/store/migrations.ts';
import { PROGRAM_VERSION } from '../../../server/store/program-version.ts';
import { verify } from '../../../server/store/verify/verify.ts';
import {
  CENTRAL_PORT,
  countsOf,
  expectedOf,
  MACHINES,
  type Machine,
  oldFolder,
} from '../../fixtures/data-folders.ts';
import { Station } from '../../support/station.ts';
import {
  conflictsOf,
  dataOf,
  faultsOf,
  syncOf,
  until,
  untilInStep,
} from '../../system/sync/processes/installation.ts';
import { Browser } from '../identity/browser.ts';
import { temporaryFolder } from './sqlite/temporary-folder.ts';

/** Data folders that released versions have made. */
const VERSIONS = ['0.1.0'];

/** Audit events in a data folder, each a commit of its own here. */
function eventsIn(folder: string): number {
  const database = new DatabaseSync(join(folder, 'holdpoint.db'), { readOnly: true });
  try {
    const row = database
      .prepare(`SELECT count(*) AS n FROM holdpoint__records__0 WHERE f_family = 'audit-event'`)
      .get();
    return Number(row?.n);
  } finally {
    database.close();
  }
}

const running: Station[] = [];
afterAll(async () => {
  for (const station of running) await station.kill();
});

it.each(VERSIONS)('central and two stations of %s are brought up, work on and agree', async version => {
  const expected = expectedOf(version);
  const root = temporaryFolder();
  const machineOf = (name: Machine): Station => {
    const folder = join(root, name);
    oldFolder(version, name, folder);
    const place = name === 'central' ? ({ role: 'central', port: CENTRAL_PORT } as const) : {};
    const station = new Station({ folder, ...place, env: { HOLDPOINT_LOG: 'info' } });
    running.push(station);
    return station;
  };
  const [central, dock, lab] = [machineOf('central'), machineOf('dock'), machineOf('lab')];
  const all = { central, dock, lab };

  // Central is away at first, so that the stations are seen as they were left.
  for (const name of ['dock', 'lab', 'central'] as const) {
    const station = all[name];
    if (name === 'central') await untilFree(CENTRAL_PORT);
    await station.start();
    expect(linesOf(station)).toEqual([
      'The data are of an earlier version. They are backed up and checked before they are changed.',
      expect.stringMatching(/^The backup is whole: /),
      ...migrations.map(({ version: each }) => expect.stringContaining(`File version ${each}: `)),
      `The data folder was last used by Holdpoint ${version}; this is ${PROGRAM_VERSION}.`,
    ]);
    expect(versionOf(station.folder)).toBe(FILE_VERSION);
    const backup = join(station.folder, 'backups', onlyBackup(station.folder));
    const { records, commits, chains, faults } = await verify(backup, proof);
    expect({ records, commits, chains, faults }).toEqual({ ...expected.machines[name], faults: 0 });
    // Of central, to which the stations send at once, the backup is the witness.
    if (name !== 'central') {
      // That it was updated and backed up is noted.
      const noted = await until(
        'noted',
        async () => eventsIn(station.folder),
        count => count === 2,
      );
      const { records, commits, chains } = expected.machines[name];
      const after = { records: records + noted, commits: commits + noted, chains };
      expect(await countsOf(station.folder)).toEqual(after);
    }
    if (name === 'lab') {
      expect((await syncOf(lab)).unsent).toBe(expected.unsent.commits + eventsIn(lab.folder));
      expect(dataOf(await lab.get(`/suppliers/${expected.unsent.supplier}`))).toMatchObject({
        name: 'Unsent',
      });
    }
    const ids = async (status: string) => (await conflictsOf(station, status)).map(({ id }) => id).sort();
    expect([await ids('open'), await ids('closed')]).toEqual([
      expected.conflicts.open,
      expected.conflicts.closed,
    ]);
  }

  const { work, held } = expected;
  const bearer = { authorization: `Bearer ${work.token}` };
  const made = await dock.call('POST', '/suppliers', { body: { name: 'By the old token' }, headers: bearer });
  const { id } = dataOf<{ id: number }>(made);
  // Whom central's log has decided stays, and works at every machine; settings are central's.
  for (const station of [central, dock, lab]) {
    expect((await new Browser(station.origin).signIn('ann', work.password)).status).toBe(201);
    expect(dataOf(await station.get('/x/settings'))).toMatchObject({
      is_esignature_required: true,
      backup_keep: 14,
    });
  }
  expect(await dock.post('/x/users', { login: 'eve', name: 'Eve', roles: [] })).toMatchObject({
    status: 403,
  });
  for (const station of [central, dock, lab]) {
    const signatures = dataOf<object[]>(await station.get(`/x/signatures/ncrs/${work.ncr}`));
    expect(signatures).toMatchObject([{ user_name: 'Ann', is_superseded: false }]);
    expect(dataOf(await station.get(`/inventory/${work.locked_lot}`))).toMatchObject({ is_locked: true });
  }
  const byToken = { headers: { authorization: `Bearer ${dock.token}` } };
  expect(dataOf(await dock.call('GET', '/x/drafts/new%20supplier', byToken))).toMatchObject({
    data: { name: 'Half typed' },
  });

  for (const station of [central, dock])
    expect((await syncOf(station)).held.map(({ commit_id }) => commit_id).sort()).toEqual(held.commits);
  dataOf(await central.post(`/x/held/${held.odd}/release`, { reason: 'Checked.' }));
  await until(
    'there',
    () => lab.get(`/suppliers/${id}`),
    ({ status }) => status === 200,
  );
  dataOf(await lab.patch(`/suppliers/${id}`, { primary_name: 'Cleo' }));
  await untilInStep(central, [dock, lab]);
  for (const station of [central, dock, lab]) {
    expect(dataOf(await station.get(`/x/records/supplier/${held.supplier}`))).toMatchObject({
      fields: { Odd: 'odd', primary_name: 'Ann' },
    });
    expect(dataOf(await station.get(`/suppliers/${id}`))).toMatchObject({ primary_name: 'Cleo' });
    expect(dataOf(await station.get(`/suppliers/${expected.unsent.supplier}`))).toMatchObject({
      primary_name: 'Ben',
    });
    expect(await faultsOf(station)).toEqual([]);
  }

  for (const name of MACHINES) {
    const station = all[name];
    const before = linesOf(station).length;
    await station.restart();
    expect(linesOf(station)).toHaveLength(before);
    onlyBackup(station.folder);
  }
  await untilInStep(central, [dock, lab]);
  for (const station of [dock, lab, central]) await station.stop();
  for (const station of [dock, lab, central]) expect(await faultsOf(station)).toEqual([]);
});

/** What the log says of versions and backups. */
function linesOf({ output }: Station): string[] {
  return [...output.matchAll(/"msg":"((?:The data|The backup is|File version)[^"]*)"/g)].map(
    ([, line = '']) => line,
  );
}

function onlyBackup(folder: string): string {
  const [name = '', ...others] = readdirSync(join(folder, 'backups')).filter(one =>
    one.startsWith('before-'),
  );
  expect(others).toEqual([]);
  return name;
}

function versionOf(folder: string): unknown {
  const database = new DatabaseSync(join(folder, 'holdpoint.db'), { readOnly: true, timeout: 5_000 });
  const row = database.prepare('PRAGMA user_version').get();
  database.close();
  return row?.user_version;
}

/** Where two runs on one machine need the same port, the second waits. */
async function untilFree(port: number): Promise<void> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await Promise.race([
      once(probe, 'listening').then(() => true),
      once(probe, 'error').then(() => false),
    ]);
    if (isFree) {
      probe.close();
      await once(probe, 'close');
      return;
    }
    if (Date.now() > deadline) throw new Error(`The port ${port} is taken by another program.`);
    await sleep(500);
  }
}
