import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { signFollower } from '../../../../server/enrolment/certificate-chain.ts';
import type {
  CentralCertificate,
  ChainLink,
  ShownCertificates,
} from '../../../../shared/operations/renewal-operations.ts';
import { enrol, newCode } from '../../../server/enrolment/enrolled.ts';
import { temporaryFolder } from '../../../server/store/sqlite/temporary-folder.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import { selfMade, type TestCertificate } from '../../../support/certificates.ts';
import { Station } from '../../../support/station.ts';
import {
  dataOf,
  faultsOf,
  startCentral,
  startStation,
  stationsOf,
  supplierAt,
  syncOf,
  until,
  untilInStep,
} from './installation.ts';

/** Of kills in the midst of renewals. */
const ROUNDS = process.env.HOLDPOINT_SYNC === 'full' ? 12 : 3;

const BEYOND = { HOLDPOINT_HOST: '0.0.0.0' };
const FILES = ['central.crt', 'central.key', 'central.certificates.json'];

const certificateOf = async (central: Station) =>
  dataOf<CentralCertificate>(await central.get('/x/central-certificate'));

const renew = async (central: Station, body: object = {}) =>
  dataOf<CentralCertificate>(await central.post('/x/central-certificate/renew', body));

const shownBy = async (central: Station) =>
  dataOf<ShownCertificates>(await central.get('/x/central-certificate/chain'));

/** What a browser would see. */
async function seenAt(origin: string): Promise<string> {
  const socket = connect({
    host: '127.0.0.1',
    port: Number(new URL(origin).port),
    rejectUnauthorized: false,
  });
  await once(socket, 'secureConnect');
  const { fingerprint256 = '' } = socket.getPeerX509Certificate() ?? {};
  socket.destroy();
  return fingerprint256;
}

function filesOf({ folder }: Station): { putBack: () => void } {
  const copy = temporaryFolder();
  for (const name of FILES) cpSync(join(folder, name), join(copy, name));
  return {
    putBack: () => {
      for (const name of FILES) cpSync(join(copy, name), join(folder, name));
    },
  };
}

describe('with a central whose certificate is renewed', () => {
  let central: Station;
  const stations: Station[] = [];
  beforeAll(async () => {
    central = await startCentral(BEYOND);
    for (const name of ['Dock', 'Lab']) stations.push(await startStation(central, name));
    await untilInStep(central, stations);
  });
  afterAll(async () => {
    for (const station of stations) await station.stop();
    await central?.stop();
  });
  const [dock, lab] = [() => stations[0] as Station, () => stations[1] as Station];

  /** As `holdpoint enrol` does it. */
  const enrolAgain = async (station: Station, name: string) => {
    const code = await newCode(central, name);
    dataOf(await station.post('/x/sync/enrol', { address: central.origin, code }));
  };

  it('all stations hear of the next one, follow it, and a code from before still lets one in', async () => {
    const before = await certificateOf(central);
    const code = await newCode(central, 'Gate');
    await lab().kill();
    const { next } = await renew(central);
    expect(next).toMatchObject({ is_once_heard: true });
    await until(
      'heard by the dock',
      () => stationsOf(central),
      rows => rows[0]?.has_heard === true,
    );
    // Central waits for the one that is away, and both hold meanwhile.
    const waiting = await certificateOf(central);
    expect(waiting.next?.not_heard.map(({ name }) => name)).toEqual(['Lab']);
    expect([waiting.fingerprint, await seenAt(central.origin)]).toEqual([
      before.fingerprint,
      before.fingerprint,
    ]);
    const env = { ...environmentOf(central), ...BEYOND };
    const told = await holdpoint(env, 'certificate', 'show');
    expect(told.output).toContain('until then both hold. Not yet: Lab.');
    expect((await holdpoint(env, 'station', 'list')).output).toMatch(
      /Lab .*has not heard of the next certificate/,
    );

    await lab().start();
    await until(
      'gone over',
      () => certificateOf(central),
      ({ fingerprint }) => fingerprint === next?.fingerprint,
    );
    expect(await seenAt(central.origin)).toBe(next?.fingerprint);
    await supplierAt(dock(), 'After the renewal');
    await untilInStep(central, stations);
    expect((await certificateOf(central)).next).toBeNull();
    expect((await holdpoint(env, 'certificate', 'show')).output).toContain(next?.fingerprint);
    stations.push(await startStation(central, 'Yard'));

    const gate = new Station();
    await gate.start();
    stations.push(gate);
    const joined = await holdpoint(environmentOf(gate), 'enrol', central.origin, code);
    expect([joined.code, joined.output]).toEqual([0, expect.stringContaining('Gate')]);
    await untilInStep(central, stations);
    // The connection that is there goes on; the next one is made anew.
    await central.restart();
    await supplierAt(lab(), 'After the restart');
    await untilInStep(central, stations);
  });

  it('a station that was away over two renewals follows them, and what it wrote arrives', async () => {
    await dock().kill();
    const { fingerprint: former } = await renew(central, { now: true });
    expect(await seenAt(central.origin)).toBe(former);
    // Once more while its server does not run.
    await central.kill();
    const env = { HOLDPOINT_DATA: central.folder };
    expect(await holdpoint(env, 'certificate', 'renew', '--now')).toMatchObject({ code: 0 });
    await central.start();
    const { fingerprint } = await certificateOf(central);
    expect([fingerprint === former, await seenAt(central.origin)]).toEqual([false, fingerprint]);
    await dock().start();
    const id = await supplierAt(dock(), 'Of the one that was away');
    await untilInStep(central, stations);
    expect(dataOf(await central.get(`/suppliers/${id}`))).toMatchObject({ name: 'Of the one that was away' });
  });

  it('who stands in between learns nothing and leads nobody away', async () => {
    const link = ({ certificate }: TestCertificate, signature: string | null = null): ChainLink => ({
      certificate,
      signature,
    });
    const genuine = await shownBy(central);
    const known = { certificate: central.certificate ?? '' };
    const [foreign, other] = [selfMade(), selfMade()];
    const cases: [string, TestCertificate, unknown][] = [
      ['nothing of use', foreign, 'none'],
      [
        'the chain of another central',
        foreign,
        {
          certificates: [
            link(other),
            link(foreign, signFollower(other.certificate, other.key, foreign.certificate)),
          ],
          present: foreign.fingerprint,
        },
      ],
      ["central's own chain", foreign, genuine],
      [
        "central's chain with one more",
        foreign,
        {
          certificates: [
            ...genuine.certificates,
            link(foreign, signFollower(known.certificate, foreign.key, foreign.certificate)),
          ],
          present: foreign.fingerprint,
        },
      ],
    ];
    await central.kill();
    for (const [name, certificate, data] of cases) {
      const heard: string[] = [];
      const between = createServer(
        { cert: certificate.certificate, key: certificate.key },
        (request, response) => {
          heard.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
          request.resume();
          response
            .setHeader('Content-Type', 'application/json')
            .end(JSON.stringify({ status: 'success', message: '', data }));
        },
      );
      const sockets = new Set<Socket>();
      between.on('connection', (socket: Socket) => sockets.add(socket));
      await once(between.listen(Number(new URL(central.origin).port), '0.0.0.0'), 'listening');
      await dock().restart();
      const { says } = await until(
        `told of ${name}`,
        () => syncOf(dock()),
        ({ state }) => state === 'stuck',
      );
      expect(says, name).toContain('none that follows it');
      expect(new Set(heard), name).toEqual(new Set(['GET /api/v2/x/central-certificate/chain ']));
      for (const socket of sockets) socket.destroy();
      between.close();
      await once(between, 'close');
    }
    await central.start();
    await dock().restart();
    await untilInStep(central, stations);
  });

  it('a central that was put back to before a renewal is refused with words, and comes back by its files or a code', async () => {
    const former = filesOf(central);
    await renew(central, { now: true });
    await untilInStep(central, stations);
    await until(
      'known',
      async () => central.output,
      output => output.includes('next certificate'),
    );
    await supplierAt(dock(), 'Over the new one');
    await untilInStep(central, stations);
    const newest = filesOf(central);
    await central.kill();
    former.putBack();
    await central.start();
    const { says } = await until(
      'told',
      () => syncOf(dock()),
      ({ state }) => state === 'stuck',
    );
    expect(says).toContain('that it had before it was renewed');
    expect(says).toContain('Work here goes on');
    await supplierAt(dock(), 'Meanwhile');
    await central.kill();
    newest.putBack();
    await central.start();
    for (const station of stations) await station.restart();
    await untilInStep(central, stations);

    await central.kill();
    former.putBack();
    await central.start();
    await until(
      'told again',
      () => syncOf(lab()),
      ({ state }) => state === 'stuck',
    );
    for (const [index, name] of ['Dock', 'Lab', 'Yard', 'Gate'].entries()) {
      const station = stations[index] as Station;
      const [row] = (await stationsOf(central)).filter(one => one.name === name);
      await central.post(`/x/stations/${row?.id}/revoke`);
      await enrolAgain(station, name);
    }
    await untilInStep(central, stations);
  });

  it('one whose key others know ends the chain: stations say so, and need a new code', async () => {
    const code = await newCode(central, 'Late');
    const { fingerprint } = await renew(central, { compromised: true });
    expect((await shownBy(central)).certificates).toHaveLength(1);
    expect(await seenAt(central.origin)).toBe(fingerprint);
    await dock().restart();
    const { says } = await until(
      'told',
      () => syncOf(dock()),
      ({ state }) => state === 'stuck',
    );
    expect(says).toContain('make a new code there and enrol this station again');
    const late = new Station();
    await late.start();
    onTestFinished(() => late.stop());
    const refused = await holdpoint(environmentOf(late), 'enrol', central.origin, code);
    expect([refused.code === 0, refused.output]).toEqual([
      false,
      expect.stringContaining('none that follows it'),
    ]);
    for (const [index, name] of ['Dock 2', 'Lab 2', 'Yard 2', 'Gate 2'].entries())
      await enrolAgain(stations[index] as Station, name);
    await untilInStep(central, stations);
    for (const each of [central, ...stations]) expect(await faultsOf(each)).toEqual([]);
  });

  it('is killed in the middle of renewals, and nothing is lost', async () => {
    const written: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      written.push(await supplierAt(dock(), `Round ${round}`));
      const asked = renew(central, round % 2 === 0 ? { now: true } : {}).catch(() => undefined);
      await sleep((round * 24) / ROUNDS);
      await central.kill();
      await asked;
      if (round % 3 === 2) await dock().kill();
      await central.start();
      if (round % 3 === 2) await dock().start();
      const { fingerprint, origin } = await certificateOf(central);
      expect([origin, await seenAt(central.origin)]).toEqual(['own', fingerprint]);
      expect(new X509Certificate(central.certificate ?? '').fingerprint256).toBe(fingerprint);
    }
    await untilInStep(central, stations);
    for (const id of written) expect((await central.get(`/suppliers/${id}`)).status).toBe(200);
  });
});

it('what cannot be renewed says why, and a time that is over is refused', async () => {
  const plain = await startCentral();
  onTestFinished(() => plain.stop());
  expect(await certificateOf(plain)).toMatchObject({ origin: 'none', fingerprint: null, is_ending: false });
  expect((await plain.post('/x/central-certificate/renew', {})).body).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('plain HTTP'),
  });
  expect((await plain.get('/x/central-certificate/chain')).status).toBe(404);
  const central = await startCentral(BEYOND);
  onTestFinished(() => central.stop());
  for (const body of [
    { goes_over_at: '2016-01-01T00:00:00Z' },
    { goes_over_at: 'soon' },
    { goes_over_at: new Date(Date.now() + 3_600_000).toISOString(), now: true },
    { goes_over_at: '2099-01-01T00:00:00Z' },
    { goes_over_at: new Date(Date.now() + 3_600_000).toISOString(), compromised: true },
    { now: 'yes' },
  ]) {
    expect((await central.post('/x/central-certificate/renew', body)).status).toBe(422);
  }
  const at = new Date(Date.now() + 3_000).toISOString();
  expect(await renew(central, { goes_over_at: at })).toMatchObject({
    next: { goes_over_at: at, is_once_heard: false },
  });
  await until(
    'gone over at its time',
    () => certificateOf(central),
    ({ next }) => next === null,
  );
  expect((await enrol(central, { code: await newCode(central, 'Dock') })).status).toBe(201);
});
