import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MachinePolicyAnswer } from '../../../shared/operations/machine-policy-operations.ts';
import { Station } from '../../support/station.ts';
import { startCentral, stationsOf, syncOf, until } from '../../system/sync/processes/installation.ts';
import { newCode } from './enrolled.ts';

/** Only root can make a file that is root's. */
const isRoot = process.getuid?.() === 0;
const MACHINES = 50;
const AT_ONCE = 5;
const LONG_MS = 600_000;

const policyOf = async (station: Station) =>
  ((await station.get('/x/machine-policy')).body as { data: MachinePolicyAnswer }).data;

describe.skipIf(!isRoot)('by the policy of the machine alone', () => {
  let central: Station;
  let folder: string;
  beforeAll(async () => {
    central = await startCentral();
    folder = mkdtempSync(join(tmpdir(), 'holdpoint-policy-'));
  });
  afterAll(async () => {
    await central.stop();
    rmSync(folder, { recursive: true });
  });

  let files = 0;
  function policyFile(settings: object): string {
    const path = join(folder, `${++files}.json`);
    writeFileSync(path, JSON.stringify(settings), { mode: 0o600 });
    return path;
  }

  it(`${MACHINES} machines enrol, each once, and no further one`, { timeout: LONG_MS }, async () => {
    const before = (await stationsOf(central)).length;
    const code = await newCode(central, 'Roll-out', { uses: MACHINES, group: 'Plant Wels' });
    const HOLDPOINT_POLICY = policyFile({
      central: central.origin,
      enrolment_code: code,
      station_name: 'Dock PC',
    });
    const enrolled = async () => {
      const machine = new Station({ env: { HOLDPOINT_POLICY } });
      await machine.start();
      try {
        await expect
          .poll(async () => (await policyOf(machine)).enrolment.state, { timeout: LONG_MS })
          .toMatch(/done|none/);
        await until(
          'in step',
          () => syncOf(machine),
          ({ state }) => state === 'in_step',
        );
        const session = (await machine.get('/status')).body;
        expect(JSON.stringify(session)).not.toContain(code);
      } finally {
        await machine.stop();
      }
    };
    for (let count = 0; count < MACHINES; count += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, enrolled));
    const stations = (await stationsOf(central)).filter(({ group }) => group === 'Plant Wels');
    expect(stations).toHaveLength(MACHINES);
    expect(new Set(stations.map(({ name }) => name)).size).toBe(MACHINES);
    expect(stations.filter(({ last_seen_at: seen }) => seen === null)).toEqual([]);

    const late = new Station({ env: { HOLDPOINT_POLICY } });
    await late.start();
    try {
      await expect
        .poll(async () => (await policyOf(late)).enrolment)
        .toMatchObject({ state: 'refused', says: expect.stringContaining('as many as it may') });
    } finally {
      await late.stop();
    }
    expect(await stationsOf(central)).toHaveLength(before + MACHINES);
  });

  it('a machine that was set up before central is, and is killed meanwhile, is enrolled once central is there', async () => {
    const before = (await stationsOf(central)).length;
    const code = await newCode(central, 'Night shift', { uses: 2 });
    const HOLDPOINT_POLICY = policyFile({ central: central.origin, enrolment_code: code });
    await central.end();
    const machine = new Station({ env: { HOLDPOINT_POLICY } });
    await machine.start();
    await expect.poll(async () => (await policyOf(machine)).enrolment.state).toBe('waiting');
    await machine.kill();
    await central.start();
    await machine.start();
    try {
      await expect.poll(async () => (await stationsOf(central)).length).toBe(before + 1);
      await expect.poll(async () => (await policyOf(machine)).enrolment.state).toMatch(/done|none/);
    } finally {
      await machine.stop();
    }
  });

  it('a page sets no policy, and nobody enrols the machine at another central', async () => {
    const machine = new Station({
      env: { HOLDPOINT_POLICY: policyFile({ central: 'https://central.example:4870', updates: 'off' }) },
    });
    await machine.start();
    try {
      for (const method of ['PUT', 'POST', 'PATCH', 'DELETE'])
        expect((await machine.call(method, '/x/machine-policy', { body: { port: 1 } })).status).toBe(405);
      const code = await newCode(central, 'Elsewhere');
      const refused = await machine.post('/x/sync/enrol', { address: central.origin, code });
      expect([refused.status, refused.body]).toEqual([
        409,
        expect.objectContaining({
          message: expect.stringContaining('its central is https://central.example:4870'),
        }),
      ]);
      expect(await policyOf(machine)).toMatchObject({
        central: 'https://central.example:4870',
        updates: 'off',
        has_code: false,
        has_kiosk_pin: false,
        enrolment: { state: 'none' },
      });
    } finally {
      await machine.stop();
    }
  });

  it('an installation with records of its own is not enrolled, and says so', async () => {
    const code = await newCode(central, 'Late', { uses: 2 });
    const path = policyFile({ central: central.origin });
    const machine = new Station({ env: { HOLDPOINT_POLICY: path } });
    await machine.start();
    try {
      expect((await machine.post('/suppliers', { name: 'Acme' })).status).toBe(201);
      await machine.end();
    } finally {
      writeFileSync(path, JSON.stringify({ central: central.origin, enrolment_code: code }));
    }
    await machine.start();
    try {
      await expect
        .poll(async () => (await policyOf(machine)).enrolment)
        .toMatchObject({ state: 'refused', says: expect.stringContaining('records of its own') });
    } finally {
      await machine.stop();
    }
  });

  it('the command shows the policy without its code, and ends with 1 where a part is not in force', async () => {
    const code = await newCode(central, 'Shown', { uses: 2 });
    const path = policyFile({ central: central.origin, enrolment_code: code, port: 'x' });
    const run = () =>
      spawnSync(process.execPath, ['server/cli/holdpoint.ts', 'policy'], {
        env: { ...process.env, HOLDPOINT_POLICY: path },
        encoding: 'utf8',
      });
    const shown = run();
    expect(shown.status).toBe(1);
    expect(shown.stdout).toContain(central.origin);
    expect(shown.stdout + shown.stderr).not.toContain(code.slice(4, 12));
    expect(shown.stderr).toContain('port="x" cannot be used. Give a port, 1 to 65535.');
    writeFileSync(path, JSON.stringify({ central: central.origin }));
    expect(run().status).toBe(0);
    chmodSync(path, 0o666);
    expect(run().stderr).toContain('Others than root may write it');
  });
});
