import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { BenchMachine, TOKEN } from './bench-machine.ts';
import { Connection, measure, type Prepared, prepare } from './client.ts';
import { CountingProxy } from './counting-proxy.ts';
import { median } from './quantile.ts';
import { HoldpointTemplate } from './sync-holdpoint.ts';
import { benchRecord } from './sync-record.ts';
import { rateOf } from './sync-transfer.ts';

const BULK = 1_000;
const PARTS = 5_000;
const TURN_MS = 1_000;

export interface VersionsOptions {
  /** Bundles of the server: `main.js` of each version, the first of them is what the others are compared with. */
  programs: readonly string[];
  rounds: number;
  /** What is measured: words of its name; none for all. */
  chosen: readonly string[];
  /** Of an exchange. */
  records?: number;
  /** A folder for profiles of the processor. */
  profiles?: string | undefined;
}

interface Measured {
  rate: number;
  /** Microseconds of the server's processor for each operation, and of the other side's where there is one. */
  cpu: number;
  other?: number;
}

type Request = (machine: BenchMachine, index: number) => { request: Prepared; operations: number };

const LOCAL: { name: string; connections: number; request: Request }[] = [
  { name: 'read', connections: 1, request: read },
  { name: 'read', connections: 16, request: read },
  { name: 'list', connections: 1, request: (machine, i) => one(get(machine, `/parts?page=${1 + (i % 40)}`)) },
  { name: 'create', connections: 1, request: create },
  { name: 'create', connections: 16, request: create },
  {
    name: 'bulk',
    connections: 1,
    request: (machine, index) => {
      const rows = Array.from({ length: BULK }, (_, row) => benchRecord(10_000_000 + index * BULK + row));
      return { request: post(machine, '/parts/bulk', rows), operations: BULK };
    },
  },
];

/**
 * `npm run bench versions --program=<bundle> --program=<bundle> …`: versions of the server against the first of them, by
 * turns in one run. Rates, and processor time for each operation: what a busy machine hardly changes.
 */
export async function benchVersions(options: VersionsOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-versions-'));
  try {
    const isChosen = (name: string) =>
      options.chosen.length === 0 || options.chosen.some(word => name.includes(word));
    const local = LOCAL.filter(({ name, connections }) => isChosen(`${name} ${connections}`));
    if (local.length > 0) await compareLocal(options, folder, local);
    const kinds = (['push', 'pull', 'pull anew'] as const).filter(isChosen);
    if (kinds.length > 0) await compareExchange(options, folder, kinds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compareLocal(
  { programs, rounds }: VersionsOptions,
  folder: string,
  operations: typeof LOCAL,
): Promise<void> {
  const machines = await Promise.all(
    programs.map((program, index) =>
      BenchMachine.at('serve', { folder: join(folder, `local-${index}`), program }),
    ),
  );
  try {
    for (const machine of machines) {
      await machine.start();
      await fill(machine);
    }
    for (const { name, connections, request } of operations) {
      const all: Measured[][] = programs.map(() => []);
      let next = 0;
      for (let round = 0; round <= rounds; round += 1) {
        for (const index of turned(programs, round)) {
          const machine = machines[index] as BenchMachine;
          const measured = await turn(machine, connections, () => request(machine, next++));
          // The first turn warms up.
          if (round > 0) all[index]?.push(measured);
        }
      }
      tell(`${name}, ${connections}`, programs, all);
    }
  } finally {
    for (const machine of machines) await machine.stop();
  }
}

async function compareExchange(
  { programs, rounds, records = 10_000, profiles }: VersionsOptions,
  folder: string,
  kinds: readonly ('push' | 'pull' | 'pull anew')[],
): Promise<void> {
  const proxy = await CountingProxy.open();
  const flags = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  try {
    const templates: HoldpointTemplate[] = [];
    for (const [index, program] of programs.entries()) {
      const of = { folder: join(folder, `exchange-${index}`), proxy, records, recordOf: benchRecord };
      templates.push(await HoldpointTemplate.make({ ...of, program, flags }, 'one by one'));
    }
    const all = new Map(kinds.map(kind => [kind, programs.map((): Measured[] => [])]));
    for (let round = 0; round <= rounds; round += 1) {
      for (const index of turned(programs, round)) {
        const transfers = await templates[index]?.turn(kinds);
        for (const kind of kinds) {
          const transfer = transfers?.[kind];
          if (!transfer || round === 0) continue;
          const perCommit = (seconds: number) => (seconds / records) * 1e6;
          const { server, client } = transfer.cpuSeconds;
          const measured = { rate: rateOf(transfer), cpu: perCommit(server), other: perCommit(client) };
          all.get(kind)?.[index]?.push(measured);
        }
      }
    }
    for (const [kind, measured] of all) tell(kind, programs, measured);
  } finally {
    proxy.close();
  }
}

/** Each round begins with another one: who comes after whom is not always the same. */
function turned(programs: readonly string[], round: number): number[] {
  return programs.map((_, index) => (index + round) % programs.length);
}

async function turn(
  machine: BenchMachine,
  connections: number,
  next: () => { request: Prepared; operations: number },
): Promise<Measured> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(machine.port)));
  const before = machine.process.cpuSeconds();
  const started = performance.now();
  let done = 0;
  await measure(open, TURN_MS, () => {
    const { request, operations } = next();
    done += operations;
    return request;
  });
  const seconds = (performance.now() - started) / 1_000;
  for (const connection of open) connection.close();
  return { rate: done / seconds, cpu: ((machine.process.cpuSeconds() - before) / done) * 1e6 };
}

function tell(name: string, programs: readonly string[], all: readonly (readonly Measured[])[]): void {
  process.stdout.write(`${name}\n`);
  const [first = []] = all;
  for (const [index, measured] of all.entries()) {
    // Of each round by itself: what else the machine does in a round slows all of its turns.
    const ratio = median(measured.map(({ rate }, round) => rate / (first[round]?.rate ?? rate)));
    const cpu = median(measured.map(each => each.cpu / (first[measured.indexOf(each)]?.cpu ?? each.cpu)));
    const other = measured.flatMap(each => each.other ?? []);
    process.stdout.write(
      `  ${nameOf(programs[index] ?? '').padEnd(24)} ${median(measured.map(({ rate }) => rate))
        .toFixed(0)
        .padStart(
          7,
        )}/s ratio ${ratio.toFixed(3)}  processor ${median(measured.map(each => each.cpu)).toFixed(0)} µs` +
        `${other.length > 0 ? ` + ${median(other).toFixed(0)} µs` : ''}, ratio ${cpu.toFixed(3)}\n`,
    );
  }
}

/** The folder that the bundle is in. */
function nameOf(program: string): string {
  return basename(join(program, '..'));
}

async function fill(machine: BenchMachine): Promise<void> {
  const connection = await Connection.open(machine.port);
  for (let from = 0; from < PARTS; from += BULK) {
    const rows = Array.from({ length: BULK }, (_, row) => benchRecord(from + row));
    await connection.send(post(machine, '/parts/bulk', rows));
  }
  connection.close();
}

function read(machine: BenchMachine, index: number): ReturnType<Request> {
  return one(get(machine, `/parts/${1 + ((index * 7919) % PARTS)}`));
}

function create(machine: BenchMachine, index: number): ReturnType<Request> {
  return one(post(machine, '/parts', benchRecord(1_000_000 + index)));
}

function one(request: Prepared): ReturnType<Request> {
  return { request, operations: 1 };
}

function get(machine: BenchMachine, path: string): Prepared {
  return prepare('GET', `/api/v2${path}`, machine.port, TOKEN);
}

function post(machine: BenchMachine, path: string, body: unknown): Prepared {
  return prepare('POST', `/api/v2${path}`, machine.port, TOKEN, JSON.stringify(body));
}
