import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BenchMachine, TOKEN } from './bench-machine.ts';
import { Connection, measure, type Prepared, prepare } from './client.ts';
import { quantile } from './quantile.ts';
import { benchRecord, wordOf } from './sync-record.ts';

const CONNECTIONS = 16;
const PARTS = 10_000;
/** Of the highest rate. */
const SHARE = 0.7;
const HIGHEST_MS = 5_000;
const SAMPLE_MS = 15_000;
const WARM_MS = 10_000;

export interface SoakOptions {
  program?: string | undefined;
  minutes: number;
}

interface Sample {
  seconds: number;
  rate: number;
  p50: number;
  p99: number;
  residentMB: number;
  fileMB: number;
}

/**
 * `npm run bench soak`: mixed work at 70 % of the highest rate that the machine bears, for half an hour: rate, p50, p99,
 * resident memory and size on disk over time, their slopes by least squares, and how long what was put off takes afterwards.
 */
export async function benchSoak({ program, minutes }: SoakOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-soak-'));
  const machine = await BenchMachine.at('serve', { folder, program });
  try {
    await machine.start();
    for (let from = 0; from < PARTS; from += 1_000)
      await machine.ask(
        'POST',
        '/parts/bulk',
        Array.from({ length: 1_000 }, (_, n) => benchRecord(from + n)),
      );
    say(
      `load of the machine before: ${loadavg()
        .map(each => each.toFixed(1))
        .join(' ')}`,
    );
    const work = new MixedWork(machine);
    const open = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(machine.port)));
    await measure(open, WARM_MS, () => work.next());
    const highest = await measure(open, HIGHEST_MS, () => work.next());
    say(
      `highest rate ${highest.toFixed(0)}/s; soaked at ${(highest * SHARE).toFixed(0)}/s for ${minutes} minutes`,
    );
    const samples = await soak(machine, open, { work, rate: highest * SHARE, ms: minutes * 60_000 });
    for (const connection of open) connection.close();
    tellSlopes(samples);
    const began = performance.now();
    const used = () => machine.process.cpuSeconds();
    // Over when it has had nothing to do for a second.
    for (let before = used(); ; before = used()) {
      await sleep(1_000);
      if (used() - before <= 0.02) break;
    }
    say(`what was put off took ${((performance.now() - began) / 1_000 - 1).toFixed(1)} s afterwards`);
  } finally {
    await machine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of ten requests six read a part, one lists, one searches, one makes a part and one changes one. */
class MixedWork {
  readonly #machine: BenchMachine;
  #made = 0;

  constructor(machine: BenchMachine) {
    this.#machine = machine;
  }

  next(): Prepared {
    const n = this.#made++;
    const part = 1 + ((n * 7_919) % PARTS);
    const kind = n % 10;
    if (kind < 6) return this.#request('GET', `/parts/${part}`);
    if (kind === 6) return this.#request('GET', `/parts?page=${1 + (n % 40)}`);
    if (kind === 7) return this.#request('GET', `/parts?keyword=${wordOf((n * 31) % PARTS)}`);
    if (kind === 8) return this.#request('POST', '/parts', benchRecord(PARTS + n));
    return this.#request('PUT', `/parts/${part}`, { name: `${wordOf(n)} changed ${n}` });
  }

  #request(method: string, path: string, body?: object): Prepared {
    return prepare(method, `/api/v2${path}`, this.#machine.port, TOKEN, body && JSON.stringify(body));
  }
}

/** An open loop: requests begin when it is their time, and waiting for a free connection counts as waiting. */
async function soak(
  machine: BenchMachine,
  open: readonly Connection[],
  { work, rate, ms }: { work: MixedWork; rate: number; ms: number },
): Promise<Sample[]> {
  const began = performance.now();
  const samples: Sample[] = [];
  let times: number[] = [];
  let given = 0;
  let sampled = began;
  const one = async (connection: Connection) => {
    for (;;) {
      const due = began + (given++ / rate) * 1_000;
      if (due - began > ms) return;
      const early = due - performance.now();
      if (early > 1) await sleep(early);
      await connection.send(work.next());
      times.push(performance.now() - due);
    }
  };
  const timer = setInterval(() => {
    const now = performance.now();
    const sample = {
      seconds: (now - began) / 1_000,
      rate: times.length / ((now - sampled) / 1_000),
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      residentMB: machine.process.memory().residentMB,
      fileMB: sizeOf(machine.folder),
    };
    samples.push(sample);
    times = [];
    sampled = now;
    say(
      `${sample.seconds.toFixed(0).padStart(5)} s  ${sample.rate.toFixed(0)}/s  p50 ${sample.p50.toFixed(2)} ms  p99 ${sample.p99.toFixed(2)} ms  ${sample.residentMB} MB  ${sample.fileMB} MB on disk`,
    );
  }, SAMPLE_MS);
  await Promise.all(open.map(one));
  clearInterval(timer);
  return samples;
}

function tellSlopes(samples: readonly Sample[]): void {
  for (const name of ['rate', 'p50', 'p99', 'residentMB', 'fileMB'] as const) {
    const slope = slopeOf(samples.map(sample => [sample.seconds / 60, sample[name]]));
    say(`slope of ${name}: ${slope.toFixed(3)} a minute`);
  }
}

/** By least squares. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const over = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return over / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}

function sizeOf(folder: string): number {
  const bytes = readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(folder, entry.name)).size, 0);
  return Math.round(bytes / 1e6);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
