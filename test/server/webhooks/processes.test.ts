import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import { newCode } from '../enrolment/enrolled.ts';
import { environmentOf, holdpoint } from '../transfer/holdpoint.ts';
import { type Received, Receiver, taking } from './receiver.ts';

type Data = Record<string, unknown>;

/** Real processes: kills, ends, restores, copies, and a receiver in another process. */
const station = new Station();
let receiver: Receiver;

beforeAll(() => station.start());
afterAll(() => station.stop());
beforeEach(async () => {
  receiver = await new Receiver().open();
  return () => receiver.close();
});

const dataOf = ({ body }: { body: unknown }) => (body as { data: Data }).data;

async function subscribe(name: string, more: Data = {}): Promise<Data> {
  const made = await station.post('/x/webhooks', {
    name,
    url: receiver.url,
    families: ['supplier'],
    ...more,
  });
  expect(made.body).toMatchObject({ status: 'success' });
  return dataOf(made);
}

const remove = async ({ id }: Data) =>
  expect((await station.post(`/x/webhooks/${id}/remove`)).status).toBe(200);

const byRecord = (messages: readonly Received[]): Map<unknown, unknown[]> =>
  Map.groupBy(
    new Map(messages.map(message => [message.id, message])).values().map(({ body: { data } }) => data),
    ({ id }) => id,
  ) as Map<unknown, unknown[]>;

describe('a server that is killed', () => {
  it('amid deliveries goes on where it was: each change arrives, and each record in its order', async () => {
    const hook = await subscribe('killed');
    let busy = 0;
    receiver.answer = (message, response) => {
      // Slow enough that there is always something under way.
      busy += 1;
      setTimeout(() => taking(message, response), busy % 7);
      return true;
    };
    const made: number[] = [];
    for (const n of [1, 2, 3, 4, 5])
      made.push(Number(dataOf(await station.post('/suppliers', { name: `S ${n}` })).id));
    const rounds = 30;
    for (let round = 1; round <= rounds; round += 1) {
      for (const id of made)
        expect((await station.patch(`/suppliers/${id}`, { name: `S ${id} round ${round}` })).status).toBe(
          200,
        );
      if (round % 10 === 5) {
        await station.kill();
        await station.start();
      }
    }
    const whole = made.length * (rounds + 1);
    await receiver.until(({ taken }) => new Set(taken.map(({ id }) => id)).size === whole);
    for (const [id, told] of byRecord(receiver.taken)) {
      const names = told.map(
        data => ((data as Data).changes as Data[]).find(({ path }) => path === 'name')?.new,
      );
      expect(names.slice(1)).toEqual(Array.from({ length: rounds }, (_, n) => `S ${id} round ${n + 1}`));
    }
    await remove(hook);
  });
});

describe('a secret that is replaced', () => {
  it('signs beside the new one for its time, and with none of it is nobody believed', async () => {
    const hook = await subscribe('rotated');
    const first = String(hook.secret);
    const second = String(dataOf(await station.post(`/x/webhooks/${hook.id}/rotate`)).secret);
    await station.post('/suppliers', { name: 'Both' });
    const [both] = await receiver.take(1);
    const headersOf = (message: Received | undefined) => message?.headers as Record<string, string>;
    for (const secret of [first, second])
      expect(new Webhook(secret).verify(both?.text ?? '', headersOf(both))).toMatchObject({
        type: 'supplier.created',
      });
    const third = String(
      dataOf(await station.post(`/x/webhooks/${hook.id}/rotate`, { overlap_hours: 0 })).secret,
    );
    await station.post('/suppliers', { name: 'One' });
    const one = (await receiver.take(2))[1];
    expect(new Webhook(third).verify(one?.text ?? '', headersOf(one))).toMatchObject({
      type: 'supplier.created',
    });
    for (const secret of [first, second])
      expect(() => new Webhook(secret).verify(one?.text ?? '', headersOf(one))).toThrow();
    await remove(hook);
  });
});

describe('a backup', () => {
  it('that is restored tells the receiver to read everything anew, and goes on', async () => {
    const hook = await subscribe('restored');
    await station.post('/suppliers', { name: 'Before the backup' });
    await receiver.take(1);
    const { file } = dataOf(await station.post('/x/backups'));
    await station.post('/suppliers', { name: 'Lost' });
    await receiver.take(2);
    await station.end();
    expect(await holdpoint(environmentOf(station), 'restore', String(file))).toMatchObject({ code: 0 });
    await station.start();
    const [reset] = await receiver.take(1, 'reset');
    const { cursor } = reset?.body.data ?? {};
    await station.post('/suppliers', { name: 'After the restore' });
    const after = await receiver.take(3, 'supplier.created');
    expect(after.at(-1)?.body.data).toMatchObject({ record: { name: 'After the restore' } });
    const since = await station.get('/x/changes', { since: String(cursor), families: 'supplier' });
    expect(since.body).toMatchObject({ meta: { is_reset: false }, data: [{ change: 'created' }] });
    // The key to the secrets is in the data folder, and in no backup.
    const elsewhere = mkdtempSync(join(tmpdir(), 'holdpoint-hooks-'));
    const other = new Station({ folder: elsewhere });
    try {
      const env = { ...environmentOf(station), HOLDPOINT_DATA: elsewhere };
      expect(await holdpoint(env, 'restore', String(file))).toMatchObject({ code: 0 });
      expect(readdirSync(elsewhere)).not.toContain('webhook.key');
      await other.start();
      await expect
        .poll(async () => ((await other.get('/x/webhooks')).body as { data: Data[] }).data)
        .toMatchObject([{ name: 'restored', paused: { cause: 'no_secret' } }]);
      expect((await other.patch(`/x/webhooks/${hook.id}`, { is_paused: false })).status).toBe(409);
    } finally {
      await other.stop();
      rmSync(elsewhere, { recursive: true, force: true });
    }
    await remove(hook);
  });

  it('of the whole disk that is put back without a word sends the same id for the same change', async () => {
    const hook = await subscribe('imaged');
    receiver.answer = () => false;
    await station.post('/suppliers', { name: 'Twice' });
    await receiver.until(({ seen }) => seen.length === 1);
    await station.kill();
    const image = mkdtempSync(join(tmpdir(), 'holdpoint-image-'));
    cpSync(station.folder, image, { recursive: true });
    receiver.answer = taking;
    await station.start();
    await receiver.take(1);
    await station.end();
    for (const name of readdirSync(station.folder)) rmSync(join(station.folder, name), { recursive: true });
    cpSync(image, station.folder, { recursive: true });
    rmSync(image, { recursive: true });
    await station.start();
    await receiver.take(2);
    expect(new Set(receiver.seen.map(({ id }) => id))).toEqual(
      new Set([expect.stringMatching(/^msg_[\w-]{32}$/)]),
    );
    expect(new Set(receiver.seen.map(({ text }) => text)).size).toBe(1);
    await remove(hook);
  });
});

describe('a machine that joins a central', () => {
  it('sends nothing from then on until somebody lets it, and begins with reading everything anew', async () => {
    const central = new Station({ role: 'central' });
    const joining = new Station();
    try {
      await central.start();
      await joining.start();
      const body = { name: 'own', url: receiver.url, families: ['supplier'] };
      const { id } = dataOf(await joining.post('/x/webhooks', body));
      await joining.post('/suppliers', { name: 'Before' });
      await receiver.take(1);
      const code = await newCode(central, 'Dock', { brings_records: true });
      expect(await holdpoint(environmentOf(joining), 'enrol', central.origin, code)).toMatchObject({
        code: 0,
      });
      const state = async () => ((await joining.get('/x/webhooks')).body as { data: Data[] }).data[0];
      await expect.poll(state).toMatchObject({ name: 'own', paused: { cause: 'joined', by: null } });
      await central.post('/suppliers', { name: 'Of central' });
      await expect
        .poll(async () => JSON.stringify((await joining.get('/suppliers')).body))
        .toContain('Of central');
      expect(receiver.seen).toHaveLength(1);
      expect((await joining.patch(`/x/webhooks/${id}`, { is_paused: false })).status).toBe(200);
      const [reset] = await receiver.take(1, 'reset');
      expect(reset?.body.data.cursor).toEqual(expect.any(String));
    } finally {
      await joining.stop();
      await central.stop();
    }
  });
});

describe('the receiver of the documentation', () => {
  it('takes what is signed, each message once, and nothing else', async () => {
    const hook = dataOf(
      await station.post('/x/webhooks', {
        name: 'example',
        url: 'http://127.0.0.1:1/',
        families: ['supplier'],
      }),
    );
    const path = new URL('../../../docs/examples/webhook-receiver.mjs', import.meta.url).pathname;
    const env = { ...process.env, WEBHOOK_SECRET: String(hook.secret), PORT: '0' };
    const example = spawn(process.execPath, [path], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const lines = createInterface({ input: example.stdout })[Symbol.asyncIterator]();
      const next = async () => String((await lines.next()).value);
      const port = (await next()).split(' ')[1];
      const url = `http://127.0.0.1:${port}/`;
      expect((await station.patch(`/x/webhooks/${hook.id}`, { url })).status).toBe(200);
      expect(dataOf(await station.post(`/x/webhooks/${hook.id}/test`))).toMatchObject({
        result: 'delivered',
        status: 204,
      });
      expect(await next()).toBe('test');
      const { id } = dataOf(await station.post('/suppliers', { name: 'Acme' }));
      expect(await next()).toBe(`supplier.created ${id} version 1`);
      const forged = await fetch(url, {
        method: 'POST',
        headers: {
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
          'webhook-signature': 'v1,AAAA',
        },
        body: '{"type":"test"}',
      });
      expect(forged.status).toBe(401);
    } finally {
      example.kill();
    }
    await remove(hook);
  });
});
