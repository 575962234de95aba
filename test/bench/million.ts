import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ID, listFields } from '../../shared/contract/list-fields.ts';
import { families } from '../../shared/families/registry.ts';
import { BenchMachine, heldUp, PROBE, TOKEN } from './bench-machine.ts';
import { Connection, prepare } from './client.ts';
import { importRows } from './import-rows.ts';
import { MillionCompany, RENAMED } from './million-company.ts';
import { median, quantile } from './quantile.ts';
import { readsUntil } from './reads-until.ts';
import { wordOf } from './sync-record.ts';

const SMALL = 1_000;
const ROUNDS = 15;
/** Of each round, so many requests of one kind. */
const REQUESTS = 8;
const ALONE_MS = 5_000;
/** What a person waits for at most. */
const PATIENCE_MS = 200;

const run = promisify(execFile);

export interface MillionOptions {
  program: string;
  /** Of the large company; a million unless it is said. */
  records: number;
  /** Only what has this text in its name: no restore and no starts. */
  scene?: string | undefined;
}

/** What one kind of request asks a company for; another with each number. */
type Ask = (
  company: MillionCompany,
  n: number,
) => { method: 'GET' | 'POST' | 'PUT'; path: string; body?: unknown };

interface Pair {
  large: MillionCompany;
  small: MillionCompany;
}

/**
 * `npm run bench million`: a company of a million records of mixed families, with history and 50,000 lots, beside one of a
 * thousand. What people wait for, by turns with growth; long work, with the reads of others beside it; starts, memory and disk.
 */
export async function benchMillion({ program, records, scene }: MillionOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-million-'));
  const machines = {
    large: await BenchMachine.at('serve', { folder: join(folder, 'large'), program }),
    small: await BenchMachine.at('serve', { folder: join(folder, 'small'), program }),
  };
  say(`load of the machine before: ${load()}`);
  try {
    const pair = {
      large: new MillionCompany(machines.large, records),
      small: new MillionCompany(machines.small, SMALL),
    };
    for (const machine of Object.values(machines)) await machine.start(PROBE);
    await pair.small.fill(() => {});
    await pair.large.fill(text => say(`  ${text}`));
    sayFacts(machines.large, 'filled');
    await sleep(5_000);
    for (const [name, ask] of Object.entries(asks()))
      if (name.includes(scene ?? '')) await compare(name, ask, pair);
    const file = await longWork(pair.large, program, scene ?? '');
    if (scene !== undefined) return;
    await restore(pair.large, program, file);
    sayFacts(machines.large, 'measured');
    await starts(machines.large);
    say(`load of the machine after: ${load()}`);
  } finally {
    for (const machine of Object.values(machines)) await machine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function asks(): Record<string, Ask> {
  const get = (path: (company: MillionCompany, n: number) => string): Ask => {
    return (company, n) => ({ method: 'GET', path: path(company, n) });
  };
  const part = (company: MillionCompany, n: number) => 1 + ((n * 7_919) % company.count('parts'));
  const lot = (company: MillionCompany, n: number) => 1 + ((n * 7_919) % company.count('inventory'));
  const pages = {
    part: '/parts',
    inventory: '/inventory',
    'receiving-inspection': '/receiving-inspections',
    ncr: '/ncrs',
    order: '/orders',
  } satisfies Partial<Record<keyof typeof families, string>>;
  const sorted = Object.entries(pages).flatMap(([name, path]) =>
    [...listFields(families[name as keyof typeof pages]).keys()].flatMap(field => [
      [
        `${path} by ${field}`,
        get((_company, n) => `${path}?sort=${n % 2 ? '-' : ''}${field}&page=${pageIn(path, n)}`),
      ] as const,
    ]),
  );
  const filtered = Object.entries(pages).flatMap(([name, path]) =>
    [...listFields(families[name as keyof typeof pages])]
      .filter(([field, kind]) => kind === 'reference' && field !== ID)
      .map(
        ([field]) =>
          [
            `${path} of a ${field}`,
            get((_company, n) => `${path}?filter[${field}]=${1 + (n % 10)}`),
          ] as const,
      ),
  );
  return {
    'create a part': (company, n) => ({
      method: 'POST',
      path: '/parts',
      body: company.row('parts', 10_000_000 + n),
    }),
    'create a complaint': (company, n) => ({
      method: 'POST',
      path: '/complaints',
      body: company.row('complaints', 10_000_000 + n),
    }),
    'change a part': (company, n) => ({
      method: 'PUT',
      path: `/parts/${part(company, n)}`,
      body: { name: company.partName(n, 'changed') },
    }),
    'adjust a lot': (company, n) => ({
      method: 'POST',
      path: '/x/adjustments',
      body: { ...company.row('adjustments', n), inventory_id: lot(company, n) },
    }),
    'read a part': get((company, n) => `/parts/${part(company, n)}`),
    'read a lot': get((company, n) => `/inventory/${lot(company, n)}`),
    'a page of parts': get((_company, n) => `/parts?page=${pageIn('/parts', n)}`),
    'a deep page of parts': get(
      company => `/parts?page=${Math.max(1, Math.floor(company.count('parts') / 60))}`,
    ),
    'a page of lots': get(() => '/inventory'),
    ...Object.fromEntries(sorted),
    ...Object.fromEntries(filtered),
    '/receiving-inspections of a serial number': get(
      (company, n) => `/receiving-inspections?filter[serial_numbers]=SN-${lot(company, n)}`,
    ),
    '/receiving-inspections of twenty serial numbers': get(
      (company, n) =>
        `/receiving-inspections?filter[serial_numbers][in]=${Array.from({ length: 20 }, (_, index) => `SN-${lot(company, n + index)}`)}`,
    ),
    'search, rare': get((company, n) => `/parts?keyword=${wordOf((n * 31) % company.vocabulary)}`),
    'search, common': get(() => '/parts?keyword=fitting'),
    'search, common, last page': get(company => `/parts?keyword=fitting&page=${lastPage(company)}`),
    'search, common, by name': get(() => '/parts?keyword=fitting&sort=name'),
    'search, common, last by name': get(
      company => `/parts?keyword=fitting&sort=name&page=${lastPage(company)}`,
    ),
    'search, common, of a supplier': get(
      (_company, n) => `/parts?keyword=fitting&filter[supplier_id]=${1 + (n % 10)}`,
    ),
    'search, lots by a common word': get(() => '/inventory?keyword=fitting'),
    'search, two characters': get((_company, n) => `/parts?keyword=${wordOf(n).slice(0, 2)}`),
    'find anything': get((company, n) => `/x/find?text=${wordOf((n * 31) % company.vocabulary)}`),
    'facts of a lot': get((company, n) => `/x/inventory/${lot(company, n)}/facts`),
    'places of a lot': get((company, n) => `/x/inventory/${lot(company, n)}/places`),
    'trace of a lot': get((company, n) => `/x/trace/inventory/${lot(company, n)}`),
    'history of a part': get((company, n) => `/x/history/part/${part(company, n)}`),
    'who refers to a part': get((company, n) => `/x/references/part/${part(company, n)}`),
    'what wants attention': get(() => '/x/attention'),
    putaway: get(() => '/x/putaway'),
    'figures of stock': get(() => '/x/figures/stock-value'),
    'figures of NCRs': get(() => '/x/figures/ncrs'),
    'figures of suppliers': get(() => '/x/figures/suppliers'),
    'board of NCRs': get(() => '/x/boards/ncr'),
    changes: get((_company, n) => `/x/changes?since=0&limit=${50 + (n % 2)}`),
  };
}

/** One that both companies have: the small one has six pages of parts, and one of the others. */
function pageIn(path: string, n: number): number {
  return path === '/parts' ? 1 + (n % 6) : 1;
}

/** Of the parts that have a common word. */
function lastPage(company: MillionCompany): number {
  return Math.max(1, Math.floor((company.count('parts') * (1 - RENAMED)) / 50));
}

/** Prints the median and p99 of the large company, and how many times as long it takes as in the small one: of each round by itself. */
async function compare(name: string, ask: Ask, pair: Pair): Promise<void> {
  const all: number[] = [];
  const growth: number[] = [];
  let next = 0;
  try {
    await turn(pair.large, ask, next);
    await turn(pair.small, ask, next);
    for (let round = 0; round < ROUNDS; round += 1) {
      next += REQUESTS;
      const times = await turn(pair.large, ask, next);
      all.push(...times);
      const small = await turn(pair.small, ask, next);
      growth.push(median(times) / median(small));
      // What takes long is not asked for as often.
      if (round >= 3 && all.reduce((sum, time) => sum + time, 0) > 4_000) break;
    }
  } catch (error) {
    say(`${name.padEnd(40)} ${error instanceof Error ? error.message.slice(0, 200) : error}`);
    return;
  }
  const p99 = quantile(all, 0.99);
  say(
    `${name.padEnd(40)} median ${ms(median(all))}  p99 ${ms(p99)}  growth ${median(growth).toFixed(2)}` +
      (p99 > PATIENCE_MS ? `  above ${PATIENCE_MS} ms` : ''),
  );
}

async function turn(company: MillionCompany, ask: Ask, from: number): Promise<number[]> {
  const { machine } = company;
  const connection = await Connection.open(machine.port);
  const times: number[] = [];
  for (let n = from; n < from + REQUESTS; n += 1) {
    const { method, path, body } = ask(company, n);
    const text = body === undefined ? undefined : JSON.stringify(body);
    const request = prepare(method, `/api/v2${path}`, machine.port, TOKEN, text);
    const began = performance.now();
    await connection.send(request);
    times.push(performance.now() - began);
  }
  connection.close();
  return times;
}

/**
 * What has a progress of its own, each with the reads of others beside it, and how long it held up the thread. Returns the
 * file of the backup; nothing where none was asked for.
 */
async function longWork({ machine }: MillionCompany, program: string, scene: string): Promise<string> {
  let file = '';
  const works: [string, () => Promise<unknown>][] = [
    [
      'import of 10,000 parts',
      () =>
        importRows(
          machine,
          'part',
          Array.from({ length: 10_000 }, (_, n) => `${n},imported ${wordOf(n)} ${n}`),
        ),
    ],
    ['export of all parts', () => fetchAll(machine, '/x/exports/part?format=csv')],
    ['verify', () => cli(machine, program, 'verify')],
    [
      'backup',
      async () => {
        ({ file } = (await machine.ask('POST', '/x/backups')) as { file: string });
      },
    ],
    ['rebuild', () => machine.ask('POST', '/x/rebuild')],
  ];
  const wanted = works.filter(([name]) => name.includes(scene));
  const alone = wanted.length > 0 ? await readsUntil(machine.port, sleep(ALONE_MS)) : [];
  for (const [name, work] of wanted) {
    await sleep(500);
    await heldUp(machine);
    const began = performance.now();
    let seconds = 0;
    const working = work().finally(() => {
      seconds = (performance.now() - began) / 1_000;
    });
    try {
      const beside = await readsUntil(machine.port, working);
      const { wall, processor } = await heldUp(machine);
      const [p99, before] = [quantile(beside, 0.99), quantile(alone, 0.99)];
      say(
        `${name.padEnd(40)} ${seconds.toFixed(1)} s; reads beside it p99 ${ms(p99)}, alone ${ms(before)}: ${(p99 / before).toFixed(1)} times; ` +
          `loop held up ${wall} ms, of the processor ${processor} ms`,
      );
    } catch (error) {
      say(`${name.padEnd(40)} ${error instanceof Error ? error.message.slice(0, 300) : error}`);
    }
  }
  return file;
}

async function restore({ machine }: MillionCompany, program: string, file: string): Promise<void> {
  if (file === '') return;
  await machine.stop();
  const began = performance.now();
  await cli(machine, program, 'restore', file);
  say(`${'restore'.padEnd(40)} ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  await machine.start(PROBE);
}

function cli({ folder, port }: BenchMachine, program: string, ...args: string[]): Promise<unknown> {
  return run(process.execPath, [program.replace(/main\.js$/, 'holdpoint.js'), ...args], {
    env: {
      ...process.env,
      HOLDPOINT_DATA: folder,
      HOLDPOINT_PORT: String(port),
      HOLDPOINT_TOKEN: TOKEN,
    },
    maxBuffer: 1e9,
  });
}

async function fetchAll(machine: BenchMachine, path: string): Promise<void> {
  const response = await fetch(`${machine.origin}/api/v2${path}`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  if (!response.ok) throw new Error(await response.text());
  for await (const _ of response.body ?? []);
}

async function starts(machine: BenchMachine): Promise<void> {
  for (const [name, signal] of [
    ['start', 'SIGTERM'],
    ['start after a kill', 'SIGKILL'],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      await machine.ask('POST', '/suppliers', { name: `Before a start ${name} ${round}` });
      await machine.stop(signal);
      const began = performance.now();
      await machine.start(PROBE);
      times.push(performance.now() - began);
    }
    say(`${name.padEnd(40)} median ${ms(median(times))}`);
  }
  sayFacts(machine, 'started');
}

function sayFacts({ process, folder }: BenchMachine, after: string): void {
  const { residentMB, peakMB } = process.memory();
  const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.parentPath.includes('backups'))
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  say(`${after}: ${residentMB} MB in memory, ${peakMB} at most; ${Math.round(bytes / 1e6)} MB on disk`);
}

function ms(time: number): string {
  return `${time.toFixed(1)} ms`;
}

function load(): string {
  return loadavg()
    .map(each => each.toFixed(1))
    .join(' ');
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
