import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { serverMessage } from '../../../renderer/i18n/server-messages.ts';
import { Station } from '../../support/station.ts';
import { callWith, type EnrolledStation, enrol, enrolledStation, errorOf, newCode } from './enrolled.ts';

interface Code {
  name: string;
  uses: number;
  used: number;
  group: string | null;
  state: string;
}

async function started(): Promise<Station & AsyncDisposable> {
  const central = new Station({ role: 'central' });
  await central.start();
  return Object.assign(central, { [Symbol.asyncDispose]: () => central.stop() });
}

const dataOf = (answer: { body: unknown }) => (answer.body as { data: EnrolledStation }).data;

async function codes(central: Station): Promise<Code[]> {
  return ((await central.get('/x/enrolment-codes')).body as { data: Code[] }).data;
}

async function stations(
  central: Station,
): Promise<{ station: string; name: string; group: string | null }[]> {
  return (
    (await central.get('/x/stations')).body as { data: { station: string; name: string; group: null }[] }
  ).data;
}

describe('a code for several stations', () => {
  it('lets in as many as it says, each with a name of its own, in its group, and no other', async () => {
    await using central = await started();
    await enrolledStation(central, 'Dock PC');
    const code = await newCode(central, 'Hall 3', { uses: 3, group: 'Plant Wels', hours: 8_760 });
    const answers = [];
    for (const name of ['dock pc', 'Dock PC', undefined])
      answers.push(await enrol(central, { code, ...(name && { name }) }));
    expect(answers.map(answer => dataOf(answer).name)).toEqual(['dock pc 2', 'Dock PC 3', 'Hall 3']);
    const late = await enrol(central, { code });
    expect([late.status, errorOf(late).message]).toEqual([
      403,
      'This code let in 3 stations, as many as it may. Ask central for a new one.',
    ]);
    expect((await codes(central)).at(-1)).toMatchObject({
      used: 3,
      uses: 3,
      group: 'Plant Wels',
      state: 'used',
    });
    expect((await stations(central)).map(({ group }) => group)).toEqual([
      null,
      'Plant Wels',
      'Plant Wels',
      'Plant Wels',
    ]);
    const events = (await central.get('/x/audit?kind=station_enrolled,code_created')).body;
    expect(JSON.stringify(events)).toContain('"name":"Dock PC 3"');
    expect(events).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ details: expect.objectContaining({ uses: 3, group: 'Plant Wels' }) }),
      ]),
    });
  });

  it('counts a station once whose answer was lost, and makes none of those that are there already', async () => {
    await using central = await started();
    const code = await newCode(central, 'Hall', { uses: 3 });
    const station = randomUUID();
    const first = dataOf(await enrol(central, { code, station }));
    const again = dataOf(await enrol(central, { code, station }));
    expect([again.name, again.blocks]).toEqual([first.name, first.blocks]);
    expect((await codes(central)).at(-1)).toMatchObject({ used: 1, state: 'open' });
    expect((await callWith(central, again.key, 'POST', '/x/stations/block')).status).toBe(201);
    const replayed = await enrol(central, { code, station });
    expect([replayed.status, errorOf(replayed).message]).toMatchObject([
      403,
      expect.stringContaining('used already'),
    ]);

    const other = await enrolledStation(central, 'Office');
    for (const body of [
      { code, station: other.station },
      { code, station: randomUUID(), separated_from: { station: other.station } },
    ]) {
      const taken = await enrol(central, body);
      expect([taken.status, errorOf(taken).message]).toMatchObject([
        403,
        expect.stringContaining('lets in new installations only'),
      ]);
    }
    expect((await callWith(central, other.key, 'POST', '/x/stations/block')).status).toBe(201);
    expect((await codes(central)).find(({ name }) => name === 'Hall')).toMatchObject({ used: 1 });
  });

  it('is bounded, ends, and brings nothing along', async () => {
    await using central = await started();
    const refused = async (body: object) => {
      const { status, body: answer } = await central.post('/x/enrolment-codes', { name: 'Hall', ...body });
      const errors = (answer as { errors?: Record<string, string[]> }).errors ?? {};
      // Each is said in German too.
      for (const message of Object.values(errors).flat())
        expect(serverMessage(message, 'de', word => word)).not.toContain('auf Englisch');
      return [status, Object.keys(errors)];
    };
    expect(await refused({ uses: 2, brings_records: true })).toEqual([422, ['brings_records']]);
    expect(await refused({ hours: 169 })).toEqual([422, ['hours']]);
    expect(await refused({ uses: 2, hours: 8_761 })).toEqual([422, ['hours']]);
    expect(await refused({ uses: 1_001 })).toEqual([422, ['uses']]);
    expect(await refused({ uses: 0 })).toEqual([422, ['uses']]);
    expect(await refused({ group: ' ' })).toEqual([422, ['group']]);
    const code = await newCode(central, 'Hall', { uses: 2 });
    await enrol(central, { code });
    const ended = await central.post('/x/enrolment-codes/1/revoke');
    expect(ended.body).toMatchObject({ data: { state: 'revoked', used: 1 } });
    const late = await enrol(central, { code });
    expect([late.status, errorOf(late).message]).toMatchObject([403, expect.stringContaining('was revoked')]);
    expect((await stations(central)).length).toBe(1);
  });

  it('is made, listed and ended by the command', async () => {
    await using central = await started();
    const run = (...words: string[]) => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['server/cli/holdpoint.ts', 'station', ...words],
        {
          encoding: 'utf8',
          env: {
            ...process.env,
            HOLDPOINT_DATA: central.folder,
            HOLDPOINT_PORT: new URL(central.origin).port,
            HOLDPOINT_TOKEN: central.token,
          },
        },
      );
      return { status, stdout, stderr };
    };
    const made = run('code', 'Hall 3', '--uses', '50', '--hours', '2000', '--group', 'Plant Wels');
    expect([made.status, made.stderr]).toEqual([0, expect.stringContaining('valid for 50 stations until')]);
    expect((await enrol(central, { code: made.stdout.trim() })).status).toBe(201);
    expect(run('codes').stdout).toMatch(/1 +Hall 3 +Plant Wels +1 of 50 .* open/);
    expect(run('end-code', '1').stdout).toBe('The code 1 "Hall 3" lets in no further station.\n');
    expect(run('codes').stdout).toMatch(/1 of 50 .* revoked/);
    expect(run('code', 'Hall 4', '--uses', 'many')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Give how many stations it lets in'),
    });
  });

  it('keeps its count among many that come at once, and over the deaths of central', async () => {
    const central = new Station({ role: 'central' });
    await central.start();
    try {
      const code = await newCode(central, 'Hall', { uses: 12 });
      const machines = Array.from({ length: 20 }, () => randomUUID());
      const attempt = (list: readonly string[]) =>
        Promise.all(list.map(station => enrol(central, { code, station }).catch(() => undefined)));
      // Killed while they ask: what was answered stands, what was not may stand or not, and nothing counts twice.
      for (let death = 0; death < 3; death++) {
        const asked = attempt(machines);
        await enrol(central, { code, station: machines[death] ?? '' }).catch(() => undefined);
        await central.kill();
        const answered = (await asked).flatMap(answer =>
          answer?.status === 201 ? [dataOf(answer).station] : [],
        );
        await central.start();
        const known = (await stations(central)).map(({ station }) => station);
        expect(known).toEqual(expect.arrayContaining(answered));
        expect((await codes(central))[0]).toMatchObject({ used: known.length });
      }
      const last = await attempt(machines);
      expect(last.filter(answer => answer?.status === 201)).toHaveLength(12);
      expect(last.filter(answer => answer?.status === 403)).toHaveLength(8);
      const known = await stations(central);
      expect([known.length, new Set(known.map(({ name }) => name)).size]).toEqual([12, 12]);
      expect((await codes(central))[0]).toMatchObject({ used: 12, uses: 12, state: 'used' });
    } finally {
      await central.stop();
    }
  });
});
