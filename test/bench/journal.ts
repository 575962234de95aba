import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Postgres } from '../support/postgres.ts';
import { BenchMachine, isInStep, TOKEN } from './bench-machine.ts';
import { Connection, measure, type Prepared, prepare } from './client.ts';
import { CountingProxy } from './counting-proxy.ts';
import { median, quantile } from './quantile.ts';
import { benchRecord } from './sync-record.ts';

const TURN_MS = 1_000;
const PUSHED = 1_000;
const WAITED = 200;
const KEYS = ['authority.key', 'webhook.key'];

type Kind = 'create' | 'read';

/** What is asked of one process, and of two that write at once, with so many connections in all. */
const MEASURED: { kind: Kind; connections: number; processes: number }[] = [
  ...[1, 16, 64].map(connections => ({ kind: 'create' as const, connections, processes: 1 })),
  ...[16, 64].map(connections => ({ kind: 'create' as const, connections, processes: 2 })),
  ...[1, 16].map(connections => ({ kind: 'read' as const, connections, processes: 1 })),
];

export interface JournalBenchOptions {
  rounds: number;
  /** A folder for profiles of the processor. */
  profiles?: string | undefined;
}

/**
 * A central on a journal against one of the same program on SQLite alone, by turns in one run: creates and reads at one process, creates
 * at two at once, a station's push, how late the other process has what one wrote, and how fast a new one replays it all. PostgreSQL
 * runs on the same machine, and waits for its disk.
 */
export async function benchJournal({ rounds, profiles }: JournalBenchOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-journal-'));
  const postgres = new Postgres(undefined, true);
  const proxies = { alone: await CountingProxy.open(), one: await CountingProxy.open() };
  const host = Object.values(proxies)
    .map(({ port }) => `127.0.0.1:${port}`)
    .join(',');
  const started: BenchMachine[] = [];
  const start = async (role: 'serve' | 'central', name: string, journal?: string) => {
    const machine = await BenchMachine.at(role, { folder: join(folder, name), host, journal });
    await machine.start(profiles ? ['--cpu-prof', `--cpu-prof-dir=${join(profiles, name)}`] : []);
    started.push(machine);
    return machine;
  };
  try {
    await postgres.start();
    await postgres.createDatabase('bench');
    const journal = postgres.url('bench');
    tellLoad('before');
    const alone = await start('central', 'alone');
    const one = await start('central', 'one', journal);
    const sides = [];
    for (const [name, central] of Object.entries({ alone, one })) {
      const proxy = proxies[name as keyof typeof proxies];
      const station = await start('serve', `station of ${name}`);
      proxy.turnTo(central.port);
      await station.enrolAt(central, name, `http://127.0.0.1:${proxy.port}`);
      await station.until(isInStep);
      sides.push({ central, proxy, station });
    }
    await comparePush(rounds, sides);
    for (const { station } of sides) await station.stop();
    copyKeys(one.folder, join(folder, 'other'));
    const other = await start('central', 'other', journal);
    for (const measured of MEASURED) await compare(rounds, measured, alone, [one, other]);
    await tellLag(one, other);
    await tellReplay(one, name => {
      copyKeys(one.folder, join(folder, name));
      return start('central', name, journal);
    });
    tellLoad('after');
  } finally {
    for (const machine of started) await machine.stop();
    for (const proxy of Object.values(proxies)) proxy.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Side {
  central: BenchMachine;
  proxy: CountingProxy;
  station: BenchMachine;
}

let written = 0;

/** Another part each time. */
function creating(port: number): Prepared {
  written += 1;
  return prepare('POST', '/api/v2/parts', port, TOKEN, JSON.stringify(benchRecord(written)));
}

async function compare(
  rounds: number,
  { kind, connections, processes }: (typeof MEASURED)[number],
  alone: BenchMachine,
  shared: readonly BenchMachine[],
): Promise<void> {
  const asked = shared.slice(0, processes);
  const rates: { alone: number; shared: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const rate = {
      alone: await rateAt(alone, kind, connections),
      shared: (
        await Promise.all(asked.map(machine => rateAt(machine, kind, connections / processes)))
      ).reduce((sum, each) => sum + each),
    };
    // The first turn warms up.
    if (round > 0) rates.push(rate);
  }
  const each = `alone ${median(rates.map(rate => rate.alone)).toFixed(0)}/s, on a journal ${median(rates.map(rate => rate.shared)).toFixed(0)}/s`;
  tell(`${kind}, ${connections} at ${processes}`, rates, each);
}

async function rateAt(machine: BenchMachine, kind: Kind, connections: number): Promise<number> {
  const { port } = machine;
  const [part] = (await machine.ask('GET', '/parts')) as { id: number }[];
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)));
  const create = () => creating(port);
  const read = () => prepare('GET', `/api/v2/parts/${part?.id}`, port, TOKEN);
  const rate = await measure(open, TURN_MS, kind === 'create' ? create : read);
  for (const connection of open) connection.close();
  return rate;
}

/** So many commits of a station, from the first byte of its push to the last answer, at either central. */
async function comparePush(rounds: number, sides: readonly Side[]): Promise<void> {
  const rates: { alone: number; shared: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const [alone = 0, shared = 0] = [await pushRate(sides[0]), await pushRate(sides[1])];
    if (round > 0) rates.push({ alone, shared });
  }
  tell(`push of ${PUSHED}`, rates);
}

async function pushRate(side: Side | undefined): Promise<number> {
  if (!side) return 0;
  const { central, proxy, station } = side;
  proxy.turnTo(undefined);
  const connection = await Connection.open(station.port);
  for (let n = 0; n < PUSHED; n += 1) await connection.send(creating(station.port));
  connection.close();
  // One that has just started does not wait before it tries again.
  await station.stop();
  proxy.reset();
  proxy.turnTo(central.port);
  await station.start();
  await station.until(isInStep);
  return PUSHED / ((proxy.lastAt - (proxy.firstAt ?? 0)) / 1_000);
}

/** From the answer of a write at one to the event that the other tells who listens there. */
async function tellLag(one: BenchMachine, other: BenchMachine): Promise<void> {
  const socket = connect(other.port, '127.0.0.1');
  socket.write(
    `GET /api/v2/x/events?families=part HTTP/1.1\r\nHost: 127.0.0.1:${other.port}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
  );
  let text = '';
  socket.setEncoding('utf8').on('data', chunk => {
    text += chunk;
  });
  const connection = await Connection.open(one.port);
  const late: number[] = [];
  for (let n = 0; n < WAITED; n += 1) {
    text = '';
    await connection.send(creating(one.port));
    const answered = performance.now();
    while (!text.includes('data:')) await once(socket, 'data');
    late.push(Math.max(0, performance.now() - answered));
  }
  connection.close();
  socket.destroy();
  console.log(`lag: median ${median(late).toFixed(1)} ms, p95 ${quantile(late, 0.95).toFixed(1)} ms`);
}

/** A new process with an empty folder, beyond what a start takes that finds all here. */
async function tellReplay(one: BenchMachine, start: (name: string) => Promise<BenchMachine>): Promise<void> {
  const before = performance.now();
  const fresh = await start('new');
  const replayed = performance.now() - before;
  await fresh.stop();
  const again = performance.now();
  await fresh.start();
  const seconds = (replayed - (performance.now() - again)) / 1_000;
  const sequence = (await one.sync()).sequence ?? 0;
  console.log(`replay: ${sequence} entries, ${(sequence / seconds).toFixed(0)}/s beyond a start`);
}

function tell(what: string, rates: readonly { alone: number; shared: number }[], beside = ''): void {
  const ratios = rates.map(({ alone, shared }) => shared / alone);
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)].map(ratio => ratio.toFixed(2));
  console.log(`${what.padEnd(16)} ratio ${median(ratios).toFixed(2)} (${low} to ${high})  ${beside}`);
}

function tellLoad(when: string): void {
  const load = loadavg().map(each => each.toFixed(1));
  console.log(`load of the machine ${when}: ${load.join(' ')}`);
}

function copyKeys(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const key of KEYS) copyFileSync(join(from, key), join(to, key));
}
