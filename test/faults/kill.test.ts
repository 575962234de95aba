import { randomInt, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { audit, commitsOf, recordsOf } from '../store/audit.ts';
import { temporaryStore } from '../store/temporary-store.ts';
import { isObject } from '../support/expect-shape.ts';
import { type Answer, Station } from '../support/station.ts';

/** How often the server is killed; more in a long run. */
const KILLS = Number(process.env.HOLDPOINT_KILLS ?? 12);
const WRITERS = 4;

interface Write {
  method: 'POST' | 'PUT';
  path: string;
  body: Record<string, unknown>;
  /** Sent as Idempotency-Key with every attempt. */
  key: string;
}

/** A write that was answered 2xx, with the id in its answer. */
interface Answered extends Write {
  id: number;
}

it(
  `keeps every answered write, once, through ${KILLS} kills`,
  async () => {
    const station = new Station();
    await station.start();
    try {
      const part = idOf(await station.post('/parts', { name: 'Jar', unit_of_measure: 'units' }));
      const stop = new AbortController();
      const logs: Answered[][] = [];
      const writers = Array.from({ length: WRITERS }, (_, index) => {
        const log: Answered[] = [];
        logs.push(log);
        return writeUntil(stop.signal, station, log, { part, name: `W${index}` });
      });

      for (let kill = 0; kill < KILLS; kill += 1) {
        await sleep(randomInt(20, 400));
        const newest = logs.flatMap(log => log.slice(-3));
        if (kill % 2 === 0) await killServerProcess(station);
        else {
          await station.kill();
          await station.start();
        }
        for (const write of newest) await expectFound(station, write);
      }
      stop.abort();
      await Promise.all(writers);
      const answered = logs.flat();
      expect(answered.length).toBeGreaterThan(KILLS * WRITERS);
      await station.kill();
      await expectOnce(station.folder, answered);
    } finally {
      await station.kill();
      await rm(station.folder, { recursive: true, force: true });
    }
  },
  60_000 + KILLS * 5_000,
);

/** New suppliers, changes of them, and receipts of one lot, each repeated with its key until it is answered. */
async function writeUntil(
  signal: AbortSignal,
  station: Station,
  log: Answered[],
  { part, name }: { part: number; name: string },
): Promise<void> {
  let supplier = 0;
  for (let turn = 0; !signal.aborted; turn += 1) {
    const kind = turn % 3;
    const write: Write = {
      key: randomUUID(),
      ...(kind === 0
        ? { method: 'POST', path: '/suppliers', body: { name: `${name}-${turn}` } }
        : kind === 1
          ? { method: 'PUT', path: `/suppliers/${supplier}`, body: { primary_name: `${name}-${turn}` } }
          : {
              method: 'POST',
              path: '/receiving-inspections',
              body: { items: [{ part_id: part, serial_number: 'L', quantity_accepted: 0.1 }] },
            }),
    };
    const { method, path, body, key } = write;
    const headers = { 'idempotency-key': key };
    const answer = await patiently(() => station.call(method, path, { body, headers }));
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    const id = idOf(answer);
    if (kind === 0) supplier = id;
    log.push({ ...write, id });
  }
}

/** Repeats a call that was cut off: whether it was written, only the next attempt can tell. */
async function patiently(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await sleep(10);
    }
  }
}

/** SIGKILL to the server process alone; its supervisor starts the next. */
async function killServerProcess(station: Station): Promise<void> {
  const pid = serverProcess(station);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => serverProcess(station), { timeout: 20_000 }).not.toBe(pid);
}

/** The server process says its number whenever it is ready. */
function serverProcess(station: Station): number {
  return Number([...station.output.matchAll(/\(process (\d+)\)/g)].at(-1)?.[1]);
}

/** The record is read, and its history has the write, once. */
async function expectFound(station: Station, { path, id, body }: Answered): Promise<void> {
  const family = path.split('/')[1];
  expect(await data(station, `/${family}/${id}`)).toMatchObject({ id });
  const history = await data(station, `/x/history/${family}/${id}`);
  const changes = Array.isArray(history) ? history.flatMap(commit => commit.changes) : [];
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'string') continue;
    expect(changes.filter(change => change.path === name && change.new === value)).toHaveLength(1);
  }
}

async function data(station: Station, path: string): Promise<unknown> {
  const { status, body } = await patiently(() => station.get(path));
  expect(status, path).toBe(200);
  return isObject(body) ? body.data : undefined;
}

/** What the file holds after the last kill: a valid chain, each write once, stock as received. */
async function expectOnce(folder: string, answered: readonly Answered[]): Promise<void> {
  const store = await temporaryStore({ folder });
  expect(audit(store)).toEqual([]);
  const suppliers = recordsOf(store).filter(({ family }) => family === 'supplier');
  const names = answered.filter(({ path }) => path === '/suppliers').map(({ body }) => body.name);
  expect(suppliers.map(({ fields }) => fields.name).sort()).toEqual(names.sort());
  const values = (name: string) =>
    commitsOf(store).flatMap(({ entries }) =>
      entries.flatMap(({ changes }) => changes.filter(({ path }) => path === name).map(change => change.new)),
    );
  const changed = answered.filter(({ method }) => method === 'PUT').map(({ body }) => body.primary_name);
  expect(values('primary_name').sort()).toEqual(changed.sort());
  const receipts = answered.filter(({ path }) => path === '/receiving-inspections').map(({ id }) => id);
  const stored = recordsOf(store).filter(({ family }) => family === 'receiving-inspection');
  expect(stored.map(({ id }) => id)).toEqual(receipts.sort((a, b) => a - b));
  const stock = store.database.allBig<{ quantity: bigint }>('SELECT quantity FROM stock');
  expect(stock).toEqual([{ quantity: BigInt(receipts.length) * 100_000n }]);
}

function idOf({ body }: Answer): number {
  const data = isObject(body) ? body.data : undefined;
  if (!isObject(data)) throw new Error(JSON.stringify(body));
  return Number(data.id);
}
