import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ClockedStation } from '../identity/clocked-station.ts';
import { type Answer, type Received, Receiver, taking } from './receiver.ts';

type Data = Record<string, unknown>;

/** What a receiver hears, in which order, and what becomes of what does not arrive. */
const at = new ClockedStation({
  webhooks: {
    // A server that waited for it would not end in the time of a test.
    timeLimit: 600_000,
    pace: {
      firstWait: 5,
      longestMessageWait: 50,
      longestWait: 50,
      attempts: 4,
      suspected: 3,
      failures: 9,
      dead: 3,
      noted: 20,
      grace: 100,
    },
  },
});
let receiver: Receiver;
let names = 0;

beforeAll(() => at.start());
afterAll(() => at.end());
beforeEach(async () => {
  receiver = await new Receiver().open();
  return () => receiver.close();
});

const dataOf = ({ body }: { body: unknown }) => (body as { data: Data }).data;

async function call(
  method: string,
  path: string,
  body?: unknown,
  status = method === 'POST' ? undefined : 200,
) {
  const answer = await at.call(method, path, body);
  if (status !== undefined)
    expect({ path, status: answer.status, body: answer.body }).toMatchObject({ status });
  return answer;
}

async function subscribe(more: Data = {}): Promise<number> {
  names += 1;
  const made = await at.call('POST', '/x/webhooks', { name: `hook ${names}`, url: receiver.url, ...more });
  expect(made.body).toMatchObject({ status: 'success' });
  return Number(dataOf(made).id);
}

async function webhook(id: number): Promise<Data> {
  const { data } = (await call('GET', '/x/webhooks')).body as { data: Data[] };
  return data.find(each => each.id === id) ?? {};
}

const remove = (id: number) => call('POST', `/x/webhooks/${id}/remove`, {});
const supplier = async (name: string) => Number(dataOf(await at.call('POST', '/suppliers', { name })).id);
const rename = (id: number, name: string) => at.call('PATCH', `/suppliers/${id}`, { name });
/** Refuses what `isRefused` names with this status. */
const refusing =
  (isRefused: (message: Received) => boolean, status = 500): Answer =>
  (message, response) => {
    if (!isRefused(message)) return taking(message, response);
    response.writeHead(status).end();
    return false;
  };

describe('a message', () => {
  it('says what changed, by whom, with the record and the place, and is signed over its id, time and body', async () => {
    const id = await subscribe({ families: ['suppliers'] });
    const acme = await supplier('Acme');
    await rename(acme, 'Acme & Co.');
    const [made, changed] = await receiver.take(2);
    expect(made?.body).toMatchObject({
      type: 'supplier.created',
      data: { family: 'supplier', id: acme, change: 'created', user: 'HOLDPOINT_TOKEN', version: 1 },
    });
    expect(changed?.body.data).toMatchObject({
      change: 'changed',
      record: { id: acme, name: 'Acme & Co.' },
      changes: [{ path: 'name', old: 'Acme', new: 'Acme & Co.' }],
    });
    expect(changed?.body.timestamp).toBe(changed?.body.data.at);
    expect(made?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    });
    expect(made?.headers['webhook-signature']).toMatch(/^v1,[\w+/]{43}=$/);
    // Where it stands, `/x/changes` goes on.
    const rest = await call('GET', `/x/changes?families=supplier&since=${made?.body.data.cursor}`);
    expect((rest.body as { data: Data[] }).data.map(({ id: each }) => each)).toEqual([acme]);
    await remove(id);
  });

  it('comes of what was asked for only, and of people says that there is a change and not what', async () => {
    const id = await subscribe({ families: ['user', 'supplier'], kinds: ['created'] });
    await at.user('webhook.reader', ['viewer']);
    const acme = await supplier('Acme');
    await rename(acme, 'Acme 2');
    await supplier('Beta');
    await receiver.take(3);
    expect(receiver.taken.map(({ body }) => body.type)).toEqual([
      'user.created',
      'supplier.created',
      'supplier.created',
    ]);
    const [person] = receiver.taken;
    expect(person?.body.data).toMatchObject({ family: 'user', record: null });
    expect(person?.text).not.toContain('webhook.reader');
    await remove(id);
  });

  it('comes from a place that is named, with the same id each time', async () => {
    const cursor = String(((await call('GET', '/x/changes')).body as { meta: Data }).meta.cursor);
    await supplier('Before');
    const first = await subscribe({ families: ['supplier'], since: cursor });
    const second = await subscribe({ families: ['supplier'], since: cursor });
    const [one, other] = await receiver.take(2);
    expect(one?.id).toMatch(/^msg_/);
    expect(one?.id).toBe(other?.id);
    await remove(first);
    await remove(second);
  });
});

describe('what fails', () => {
  it('is tried again, those of its record wait behind it, and others go on', async () => {
    const id = await subscribe({ families: ['supplier'] });
    const [slow, quick] = [await supplier('Slow'), await supplier('Quick')];
    await receiver.take(2);
    let refusals = 2;
    receiver.answer = refusing(
      ({ body: { data } }) => data.id === slow && (data.record as Data).name !== 'Quick' && refusals-- > 0,
    );
    for (const n of [1, 2, 3]) {
      await rename(slow, `Slow ${n}`);
      await rename(quick, `Quick ${n}`);
    }
    await receiver.take(8);
    expect(
      receiver.taken.slice(2).flatMap(({ body }) => (body.data.changes as Data[]).map(change => change.new)),
    ).toHaveLength(6);
    const told = (which: number) =>
      receiver.taken.filter(({ body }) => body.data.id === which).map(({ body }) => body.data.version);
    expect(told(slow)).toEqual([...told(slow)].sort());
    expect(receiver.seen.length).toBe(10);
    await remove(id);
  });

  it('is given up where others arrive, sent again by a person, and thrown away', async () => {
    const id = await subscribe({ families: ['supplier'] });
    const bad = await supplier('Bad');
    await receiver.take(1);
    receiver.answer = refusing(({ body: { data } }) => data.id === bad, 422);
    await rename(bad, 'Bad 1');
    const others = async () => {
      await supplier('Other');
      return (await webhook(id)).dead;
    };
    await expect.poll(others).toBe(1);
    expect((await call('GET', '/x/attention')).body).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ kind: 'webhooks', says: expect.stringContaining('given up messages: 1') }),
      ]),
    });
    const { dead } = dataOf(await call('GET', `/x/webhooks/${id}/deliveries`)) as { dead: Data[] };
    expect(dead).toMatchObject([
      { record: `supplier:${bad}`, attempts: 4, last: { result: 'answered', status: 422 } },
    ]);
    receiver.answer = taking;
    const before = receiver.taken.length;
    expect(dataOf(await call('POST', `/x/webhooks/${id}/replay`, {}))).toEqual({ replayed: 1 });
    await receiver.until(({ taken }) =>
      taken.slice(before).some(({ id: message }) => message === dead[0]?.id),
    );
    expect(await webhook(id)).toMatchObject({ dead: 0 });
    expect((await at.call('POST', `/x/webhooks/${id}/discard`, { messages: ['msg_none'] })).status).toBe(422);
    const events = (await call('GET', '/x/audit?kind=webhook_replayed')).body as { data: Data[] };
    expect(events.data.at(-1)).toMatchObject({ author: 'HOLDPOINT_TOKEN', details: { messages: 1 } });
    await remove(id);
  });

  it('stops the webhook after many failures with nothing lost, which Today says; it goes on when somebody lets it', async () => {
    const id = await subscribe({ families: ['supplier'] });
    receiver.answer = refusing(() => true, 503);
    const lost = await supplier('Kept');
    await expect.poll(async () => (await webhook(id)).paused).toMatchObject({ cause: 'failing', by: null });
    await rename(lost, 'Kept 2');
    expect((await call('GET', '/x/attention')).body).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ kind: 'webhooks', says: expect.stringContaining('sends nothing') }),
      ]),
    });
    receiver.answer = taking;
    await call('PATCH', `/x/webhooks/${id}`, { is_paused: false });
    expect((await receiver.take(2)).map(({ body }) => body.data.version)).toEqual([1, 2]);
    expect(receiver.taken.map(({ body }) => body.type)).toEqual(['supplier.created', 'supplier.changed']);
    await remove(id);
  });

  it('with 410 stops it at once', async () => {
    const id = await subscribe({ families: ['supplier'] });
    receiver.answer = refusing(() => true, 410);
    await supplier('Gone');
    await expect.poll(async () => (await webhook(id)).paused).toMatchObject({ cause: 'gone' });
    expect(receiver.seen).toHaveLength(1);
    await remove(id);
  });
});

describe('a clock that is set', () => {
  it.each([
    ['back', -60 * 24 * 400],
    ['on', 60 * 24 * 400],
  ])('%s neither stops nor gives up what waits', async (_way, minutes) => {
    const id = await subscribe({ families: ['supplier'] });
    receiver.answer = refusing(({ body }) => body.type === 'supplier.created');
    await supplier('Waiting');
    await receiver.until(({ seen }) => seen.length > 0);
    at.set(minutes);
    receiver.answer = taking;
    await receiver.take(1);
    at.set(-minutes);
    await remove(id);
  });
});

describe('an end of the server', () => {
  it('does not wait for a receiver that hangs, and tells it the same once more', async () => {
    const id = await subscribe({ families: ['supplier'] });
    receiver.answer = () => false;
    await supplier('Hanging');
    await receiver.until(({ seen }) => seen.length === 1);
    await at.stop();
    receiver.answer = taking;
    await at.start();
    const [again] = await receiver.take(1);
    expect(again?.id).toBe(receiver.seen[0]?.id);
    expect(again?.text).toBe(receiver.seen[0]?.text);
    await remove(id);
  });

  it('keeps what waits, and after it the place goes on where it was', async () => {
    const id = await subscribe({ families: ['supplier'] });
    const kept = await supplier('Kept');
    await receiver.take(1);
    receiver.answer = refusing(({ body }) => body.data.id === kept);
    await rename(kept, 'Kept 1');
    await receiver.until(({ seen }) => seen.length >= 2);
    await rename(kept, 'Kept 2');
    const other = await supplier('Another');
    await receiver.take(2);
    await at.stop();
    receiver.answer = taking;
    await at.start();
    await receiver.take(4);
    expect(receiver.taken.map(({ body }) => body.data.id)).toEqual([kept, other, kept, kept]);
    await remove(id);
  });
});

describe('secrets', () => {
  it('are in one answer, and in no list, log, trail or file of the database', async () => {
    const made = dataOf(
      await at.call('POST', '/x/webhooks', { name: 'secret', url: `${receiver.url}?key=abc123` }),
    );
    const secret = String(made.secret);
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const rotated = dataOf(await call('POST', `/x/webhooks/${made.id}/rotate`, {}));
    for (const each of [secret, String(rotated.secret)]) {
      const bare = each.slice('whsec_'.length);
      const seen = JSON.stringify([
        (await call('GET', '/x/webhooks')).body,
        (await call('GET', '/x/audit?per_page=500')).body,
      ]);
      expect(seen).not.toContain(bare);
      expect(at.log).not.toContain(bare);
      const stored = ['holdpoint.db', 'holdpoint.db-wal']
        .map(file => readFileSync(join(at.folder, file), 'latin1'))
        .join('');
      expect(stored).not.toContain(bare);
      expect(stored).not.toContain(Buffer.from(bare, 'base64').toString('latin1'));
    }
    const trail = JSON.stringify((await call('GET', '/x/audit?per_page=500')).body);
    expect(trail).not.toContain('abc123');
    expect(at.log).not.toContain('abc123');
    await remove(Number(made.id));
  });
});
