import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJoin, enrolHandlers } from '../../../server/http/handlers/enrol.ts';
import type { Services } from '../../../server/http/handlers/handler.ts';
import type { Reply, RequestContext } from '../../../server/http/request-context.ts';
import type { Enrolled } from '../../../server/sync/client/enrol-with.ts';
import {
  openCentralClient,
  readEnrolmentData,
  readStationKey,
  takeStationKey,
  writeEnrolmentData,
} from '../../../server/sync/client/enrolment-data.ts';
import { openAuthority } from '../../../server/trust/authority-key.ts';
import { listOperations } from '../../../shared/operations/operations.ts';
import { Station } from '../../support/station.ts';
import { temporaryDatabase, temporaryFolder } from '../store/sqlite/temporary-folder.ts';
import { centralStandIn, successText } from '../sync/client/central-stand-in.ts';
import { newCode } from './enrolled.ts';

describe('enrolment at the station', () => {
  const central = new Station({ role: 'central', env: { HOLDPOINT_HOST: '0.0.0.0' } });
  beforeAll(() => central.start());
  afterAll(() => central.stop());

  /** The operation over a data folder, with what the store was asked to join. */
  function stationWith(join: (enrolled: Enrolled) => Promise<void> = async () => {}, isCentral = false) {
    const folder = temporaryFolder();
    const joined: Enrolled[] = [];
    const note = async () => {};
    const services = { store: { station: randomUUID() }, trail: { note } } as unknown as Services;
    const joining = createJoin(services, {
      folder,
      isCentral,
      authority: openAuthority(temporaryFolder()),
      version: '0.1.0',
      authorities: undefined,
      clock: () => new Date(),
      separating: () => Promise.reject(new Error('Nothing is separated here.')),
      separateStore: () => Promise.resolve(),
      isHeldOff: () => false,
      blocksToMove: () => 0,
      backUp: () => Promise.reject(new Error('A fresh installation needs no backup.')),
      isImporting: () => false,
      refuseJoin: () => {},
      joinStore: async enrolled => {
        joined.push(enrolled);
        await join(enrolled);
        return undefined;
      },
    });
    const handler = enrolHandlers(joining, () => undefined)['x.sync.enrol'];
    const operation = listOperations().find(({ id }) => id === 'x.sync.enrol');
    const request = { socket: {} };
    const enrol = async (body: unknown) =>
      (await handler?.(services, { operation, body, request } as RequestContext<'x.sync.enrol'>)) as Reply;
    return { folder, joined, enrol };
  }

  it('keeps the key for its owner, then joins the store', async () => {
    const { folder, joined, enrol } = stationWith();
    const reply = await enrol({
      address: central.origin,
      code: await newCode(central, 'Dock'),
      name: 'Dock 7',
    });
    const [enrolled] = joined;
    if (!enrolled) throw new Error('The store was not joined.');
    expect(reply).toMatchObject({
      status: 201,
      body: { data: { address: central.origin, name: 'Dock 7', block: enrolled.answer.block } },
    });
    expect(JSON.stringify(reply)).not.toContain(enrolled.answer.key);
    const path = join(folder, 'station.key.next');
    expect([statSync(path).mode & 0o777, readFileSync(path, 'utf8')]).toEqual([
      0o600,
      `${enrolled.answer.key}\n`,
    ]);
    const database = temporaryDatabase();
    database.exec('CREATE TABLE local (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID');
    expect(readEnrolmentData(database)).toBeUndefined();
    writeEnrolmentData(database, enrolled.enrolment);
    // Of an enrolment that was cut off, or another one, it is not used.
    takeStationKey(folder, { ...enrolled.enrolment, key_hash: 'of another one' });
    expect(readStationKey(folder)).toBeUndefined();
    takeStationKey(folder, enrolled.enrolment);
    const [data, key] = [readEnrolmentData(database), readStationKey(folder)];
    if (!data || !key) throw new Error('Nothing was kept.');
    const client = openCentralClient(data, key, undefined);
    expect(await client.request('POST', '/x/stations/block')).toMatchObject({
      block: enrolled.answer.block + 1,
    });
    client.close();
  });

  it('that is repeated after the store did not join gives the same block', async () => {
    let isFailing = true;
    const { joined, enrol } = stationWith(async () => {
      if (isFailing) throw new Error('The disk is full.');
    });
    const request = { address: central.origin, code: await newCode(central, 'Gate') };
    await expect(enrol(request)).rejects.toThrow('The disk is full.');
    isFailing = false;
    expect((await enrol(request)).status).toBe(201);
    const [first, second] = joined.map(({ answer }) => answer);
    expect([second?.block, second?.blocks]).toEqual([first?.block, first?.blocks]);
    expect(second?.key).not.toBe(first?.key);
  });

  it('runs once at a time', async () => {
    const { joined, enrol } = stationWith();
    const request = { address: central.origin, code: await newCode(central, 'Yard') };
    const [one, other] = await Promise.allSettled([enrol(request), enrol(request)]);
    expect([one?.status, other]).toMatchObject([
      'fulfilled',
      { status: 'rejected', reason: { code: 'conflict' } },
    ]);
    expect(joined).toHaveLength(1);
  });

  it('is not for a central', async () => {
    const { enrol } = stationWith(undefined, true);
    const request = { address: central.origin, code: await newCode(central, 'Roof') };
    await expect(enrol(request)).rejects.toThrow('This installation is a central.');
  });

  it('that is refused leaves no key', async () => {
    const { folder, joined, enrol } = stationWith();
    const code = await newCode(central, 'Shed');
    const foreign = await centralStandIn((_request, response) => {
      response.writeHead(201, { 'Content-Type': 'application/json' }).end(successText({ key: 'hps_x' }));
    });
    const plainCode = 'HP1-7K2M-9QXT-A41C-0VHR-5B8N-ZE6J-TD3G';
    const cases: [unknown, string][] = [
      [{ address: central.origin }, 'code: Give the code'],
      [{ code }, 'address: Give central'],
      [{ address: 'http://central.example', code }, 'plain HTTP'],
      [{ address: central.origin, code: `${code}0` }, 'mistyped'],
      [{ address: central.origin, code: plainCode }, 'HOLDPOINT_CA'],
      [{ address: `http://127.0.0.1:${foreign}`, code: plainCode }, 'something else than a central'],
      [{ address: 'https://127.0.0.1:1', code }, 'nothing listens there'],
    ];
    for (const [body, words] of cases) await expect(enrol(body), words).rejects.toThrow(words);
    expect([joined, readdirSync(folder)]).toEqual([[], []]);
  });
});
