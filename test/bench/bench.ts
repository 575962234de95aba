import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { SERVER_FLAGS } from '../../server/app/supervisor.ts';
import { Connection, measure, type Prepared, prepare } from './client.ts';
import { benchEvents } from './events.ts';
import { benchFleet } from './fleet.ts';
import { benchGaps } from './gaps.ts';
import { benchJournal } from './journal.ts';
import { benchMap } from './map.ts';
import { freePort } from './measured-process.ts';
import { benchMillion } from './million.ts';
import { median } from './quantile.ts';
import { benchScreens } from './screens.ts';
import { benchSignIn } from './sign-in.ts';
import { benchSoak } from './soak.ts';
import { type Facts, type Row, writeTable } from './speed-table.ts';
import { benchSync } from './sync.ts';
import { wordOf } from './sync-record.ts';
import { benchVersions } from './versions.ts';

/**
 * `npm run bench`: Holdpoint against a bare Express 5 and node:sqlite server, in one run and taking turns, so that a
 * noisy machine disturbs both alike. Prints ratios of rates (1 is as fast as the bare server) and writes `dist/bench.json`.
 * `--write` puts the table into docs/speed.md. Holdpoint is what is installed: the bundle, and of its two processes the one that serves.
 * `--million` adds 1,000,000 records, `--quick` takes short turns, `--small` stays at 1,000 records, and any other words
 * choose the operations whose names hold one of them. `sync` measures the exchange of stations with central, which the
 * whole benchmark does as well, and `fleet` what news cost with up to 200 stations, or with 2,000 (`--large`), with
 * `--program=<file>` by turns with another version. `gaps` measures how long readers wait while central and a station take much at once, with `--program=<file>` of
 * another version, too, and `--scene=<text>` of those alone whose names hold the text. `--profile=<folder>` writes profiles of the processor of these two. `screens` measures the screens in a
 * real Chromium, `sign-in` how long the right password and reads wait while strangers try 10,000 logins. `versions`, with a
 * `--program=<bundle>` for each and words of what is measured, compares versions of the server by turns. `map` counts
 * the pages of the database that each kind of write touches, by table and index. `events` replays 1,000,000 changes (`--changes=<number>`) to a
 * slow reader while others read, compares pages of changes with pages of a list at 16 readers, and says how late a webhook arrives.
 * `journal` compares a central on a journal in PostgreSQL with one on SQLite alone, with `--profile=<folder>` as well.
 * `million` measures a company of 1,000,000 mixed records (`--records=<number>`), and `soak` 30 minutes (`--minutes=<number>`) at 70 % of the
 * highest mixed rate.
 */
const isQuick = process.argv.includes('--quick');
const smallest = 1_000;
const sizes = [
  smallest,
  ...(process.argv.includes('--small') ? [] : [100_000]),
  ...(process.argv.includes('--million') ? [1_000_000] : []),
];
const chosen = process.argv.slice(2).filter(argument => !argument.startsWith('--'));
const ROUNDS = isQuick ? 9 : 15;
const TURN_MS = isQuick ? 150 : 400;
const TOKEN = 'bench';
const BULK = 1_000;
/** Parts that one keyword finds, at every size: growth compares answers of one length. */
const FOUND = 20;

interface Server {
  process: ChildProcess;
  port: number;
  prefix: string;
  folder: string;
  startMs: number;
  /** How many parts there are to begin with. */
  parts: number;
  /** How many different first words their names have: a keyword finds `FOUND` parts at every size. */
  vocabulary: number;
  /** How many requests were measured: each has its own number. */
  requests: number;
}

/** The two that are compared. */
interface Pair {
  bare: Server;
  holdpoint: Server;
}

const OPERATIONS: {
  name: string;
  connections: number[];
  request: (server: Server, index: number) => Prepared;
}[] = [
  { name: 'read', connections: [1, 16], request: (s, i) => get(s, `/parts/${1 + ((i * 7919) % s.parts)}`) },
  { name: 'list of 50', connections: [1], request: (s, i) => get(s, `/parts?page=${1 + (i % 10)}`) },
  // More records than the server keeps parsed, so that each page is read as if for the first time.
  {
    name: 'list, other pages',
    connections: [1],
    request: (s, i) => get(s, `/parts?page=${1 + ((i * 7) % Math.min(40, s.parts / 50))}`),
  },
  {
    name: 'deep list',
    connections: [1],
    request: (s, i) => get(s, `/parts?page=${Math.floor(s.parts / 50) - (i % 10)}`),
  },
  {
    name: 'keyword search',
    connections: [1],
    request: (s, i) => get(s, `/parts?keyword=${wordOf((i * 31) % s.vocabulary)}`),
  },
  {
    name: 'create',
    connections: [1, 16],
    request: (s, i) => post(s, '/parts', JSON.stringify(partOf(s, s.parts + i))),
  },
  {
    name: 'bulk of 1,000',
    connections: [1],
    request: (s, i) => post(s, '/parts/bulk', bulkOf(s, s.parts + i * BULK)),
  },
];

const rows: Row[] = [];
const facts: Facts[] = [];
if (chosen[0] !== 'versions') await build({ configFile: 'build/vite.server.ts', logLevel: 'silent' });
/** What these words name is compared with something else than the bare server. */
const isAside =
  chosen[0] === 'versions' ||
  (chosen.length > 0 &&
    chosen.every(word =>
      ['sync', 'fleet', 'screens', 'gaps', 'map', 'sign-in', 'events', 'journal', 'million', 'soak'].includes(
        word,
      ),
    ));
const starts = isAside ? undefined : await compareStarts();
for (const size of isAside ? [] : sizes) {
  // The smallest size takes turns with a larger one: growth is a ratio in one run like everything else.
  const pairs = [await startPair(size), ...(size === smallest ? [] : [await startPair(smallest)])];
  const measured = pairs.slice(0, 1).flatMap(({ bare, holdpoint }) => [bare, holdpoint]);
  try {
    facts.push(...measured.map(server => factsOf(server, size, 'filled')));
    for (const operation of OPERATIONS.filter(isChosen)) {
      for (const connections of operation.connections)
        rows.push(await compare(pairs, size, operation, connections));
    }
    facts.push(...measured.map(server => factsOf(server, size, 'measured')));
  } finally {
    for (const { bare, holdpoint } of pairs) for (const server of [bare, holdpoint]) await stop(server);
  }
}
if (!isAside) report();
const profiles = optionOf('profile');
if (chosen[0] === 'versions') {
  const programs = process.argv.flatMap(argument => argument.match(/^--program=(.+)$/)?.[1] ?? []);
  await benchVersions({ programs, rounds: isQuick ? 3 : 7, chosen: chosen.slice(1), profiles });
  process.exit();
}
if (chosen.length === 0 || chosen.includes('sync'))
  await benchSync({ ...(isQuick ? { records: 2_000, rounds: 1 } : { rounds: 3 }), profiles });
if (chosen.includes('screens')) await benchScreens();
if (chosen.includes('map')) await benchMap({ program: optionOf('program') });
if (chosen.includes('gaps')) await benchGaps({ program: optionOf('program'), scene: optionOf('scene') });
if (chosen.includes('sign-in')) await benchSignIn();
if (chosen.includes('events'))
  await benchEvents({ changes: Number(optionOf('changes') ?? (isQuick ? 50_000 : 1_000_000)) });
if (chosen.includes('journal')) await benchJournal({ rounds: isQuick ? 3 : 7, profiles });
if (chosen.includes('million'))
  await benchMillion({
    program: optionOf('program') ?? 'dist/server/main.js',
    records: Number(optionOf('records') ?? 1_000_000),
    scene: optionOf('scene'),
  });
if (chosen.includes('soak'))
  await benchSoak({ program: optionOf('program'), minutes: Number(optionOf('minutes') ?? 30) });
if (chosen.includes('fleet')) {
  const isLarge = process.argv.includes('--large');
  await benchFleet({ isLarge, program: optionOf('program'), profiles });
}

/** Of `--name=value`. */
function optionOf(name: string): string | undefined {
  return process.argv.find(argument => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
}

/** Milliseconds from the start of the process until it serves, on a folder that it has used before. */
async function compareStarts(): Promise<{ bare: number; holdpoint: number; ratio: number }> {
  const folders = [newFolder('bare'), newFolder('holdpoint')] as const;
  const times: { bare: number; holdpoint: number }[] = [];
  const timeOf = async (server: Server) => {
    await stop(server, { keepsFolder: true });
    return server.startMs;
  };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const time = {
      bare: await timeOf(await startBare(folders[0])),
      holdpoint: await timeOf(await startHoldpoint(folders[1])),
    };
    if (round > 0) times.push(time);
  }
  for (const folder of folders) rmSync(folder, { recursive: true });
  const bare = Math.round(median(times.map(time => time.bare)));
  const holdpoint = Math.round(median(times.map(time => time.holdpoint)));
  const ratio = median(times.map(time => time.holdpoint / time.bare));
  process.stdout.write(`start: bare ${bare} ms  holdpoint ${holdpoint} ms  times ${ratio.toFixed(2)}\n`);
  return { bare, holdpoint, ratio };
}

function isChosen({ name }: { name: string }): boolean {
  return chosen.length === 0 || chosen.some(word => name.includes(word));
}

/** @param pairs the one that is compared, and where it has grown the smallest one */
async function compare(
  pairs: readonly Pair[],
  size: number,
  { name, request }: (typeof OPERATIONS)[number],
  connections: number,
): Promise<Row> {
  const turn = name.startsWith('bulk') ? TURN_MS * 3 : TURN_MS;
  const rateOf = async (server: Server) => {
    const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(server.port)));
    const rate = await measure(open, turn, () => request(server, server.requests++));
    for (const connection of open) connection.close();
    return rate;
  };
  const ratesOf = async ({ bare, holdpoint }: Pair) => ({
    bare: await rateOf(bare),
    holdpoint: await rateOf(holdpoint),
  });
  const rounds: { bare: number; holdpoint: number }[][] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const rates = [];
    for (const pair of pairs) rates.push(await ratesOf(pair));
    // The first turn warms up.
    if (round > 0) rounds.push(rates);
  }
  const grown = rounds.flatMap(([large, small]) => (large && small ? [{ large, small }] : []));
  const own = rounds.flatMap(rates => rates.slice(0, 1));
  const row: Row = {
    size,
    operation: name,
    connections,
    bare: median(own.map(({ bare }) => bare)),
    holdpoint: median(own.map(({ holdpoint }) => holdpoint)),
    // Of each round by itself: what else the machine does in a round slows all of its turns.
    ratio: median(own.map(({ bare, holdpoint }) => holdpoint / bare)),
    ...(grown.length > 0
      ? {
          growth: {
            bare: median(grown.map(({ large, small }) => small.bare / large.bare)),
            holdpoint: median(grown.map(({ large, small }) => small.holdpoint / large.holdpoint)),
          },
        }
      : {}),
  };
  const growth = row.growth
    ? `  growth ${row.growth.holdpoint.toFixed(2)}, bare ${row.growth.bare.toFixed(2)}`
    : '';
  process.stdout.write(
    `${String(size).padStart(9)}  ${name.padEnd(16)} ${String(connections).padStart(2)}  bare ${row.bare.toFixed(0).padStart(7)}/s  holdpoint ${row.holdpoint.toFixed(0).padStart(7)}/s  ratio ${row.ratio.toFixed(2)}${growth}\n`,
  );
  return row;
}

function report(): void {
  for (const fact of facts) process.stdout.write(`${JSON.stringify(fact)}\n`);
  mkdirSync('dist', { recursive: true });
  const measured = { at: new Date().toISOString(), starts, rows, facts };
  writeFileSync('dist/bench.json', `${JSON.stringify(measured, null, 2)}\n`);
  if (process.argv.includes('--write')) writeTable(measured);
}

async function startPair(size: number): Promise<Pair> {
  const pair = { bare: await startBare(), holdpoint: await startHoldpoint() };
  for (const server of [pair.bare, pair.holdpoint]) await fill(server, size);
  return pair;
}

async function fill(server: Server, size: number): Promise<void> {
  server.vocabulary = size / FOUND;
  const connection = await Connection.open(server.port);
  for (let from = 0; from < size; from += BULK) {
    await connection.send(post(server, '/parts/bulk?index=1', bulkOf(server, from)));
    server.parts += BULK;
  }
  connection.close();
  // Lets both merge and checkpoint what they put off.
  await new Promise(resolve => setTimeout(resolve, isQuick ? 2_000 : 5_000));
}

function factsOf(server: Server, size: number, after: string): Facts {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
  const resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  const bytes = readdirSync(server.folder).reduce(
    (sum, name) => sum + statSync(join(server.folder, name)).size,
    0,
  );
  return {
    server: server.prefix === '' ? 'bare' : 'holdpoint',
    size,
    after,
    residentMB: Math.round(resident),
    fileMB: Math.round(bytes / 1024 / 1024),
  };
}

function newFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `bench-${name}-`));
}

async function startBare(folder = newFolder('bare')): Promise<Server> {
  const port = await freePort();
  return start(
    folder,
    port,
    '',
    ['test/bench/bare-server.ts', join(folder, 'bare.db'), String(port)],
    'ready',
  );
}

async function startHoldpoint(folder = newFolder('holdpoint')): Promise<Server> {
  const port = await freePort();
  return start(folder, port, '/api/v2', [...SERVER_FLAGS, 'dist/server/main.js', 'run'], 'serves');
}

async function start(
  folder: string,
  port: number,
  prefix: string,
  args: string[],
  ready: string,
): Promise<Server> {
  const started = performance.now();
  const env = {
    ...process.env,
    HOLDPOINT_DATA: folder,
    HOLDPOINT_PORT: String(port),
    HOLDPOINT_TOKEN: TOKEN,
    HOLDPOINT_LOG: 'warn',
  };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => chunk.includes(ready) && resolve());
    child.once('exit', code => reject(new Error(`${args.join(' ')} ended with ${code}.`)));
  });
  return {
    process: child,
    port,
    prefix,
    folder,
    startMs: performance.now() - started,
    parts: 0,
    vocabulary: 0,
    requests: 0,
  };
}

async function stop(server: Server, options: { keepsFolder?: boolean } = {}): Promise<void> {
  const ended = new Promise(resolve => server.process.once('exit', resolve));
  server.process.kill('SIGTERM');
  await ended;
  if (!options.keepsFolder) rmSync(server.folder, { recursive: true, force: true });
}

function get(server: Server, path: string): Prepared {
  return prepare('GET', server.prefix + path, server.port, TOKEN);
}

function post(server: Server, path: string, body: string): Prepared {
  return prepare('POST', server.prefix + path, server.port, TOKEN, body);
}

function bulkOf(server: Server, from: number): string {
  return JSON.stringify(Array.from({ length: BULK }, (_, index) => partOf(server, from + index)));
}

function partOf({ vocabulary }: Server, n: number): object {
  return {
    name: `${wordOf(n % vocabulary)} fitting ${n}`,
    identification: `P-${String(n).padStart(8, '0')}`,
    unit_type: 'Mass',
    unit_of_measure: 'kg',
    density: 1.25,
    density_mass_unit: 'kg',
    density_volume_unit: 'l',
    is_finished_product: n % 2 === 0,
  };
}
