import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FleetFigures, LightFleet } from '../system/sync/fleet/light-fleet.ts';
import { BenchMachine } from './bench-machine.ts';
import { CountingProxy } from './counting-proxy.ts';
import { costsOf, type FleetCosts } from './fleet-central.ts';
import { median, quantile } from './quantile.ts';

export interface FleetBenchOptions {
  stations?: number;
  /** Of each rate of edits. */
  minutes: number;
  program?: string | undefined;
  /** A folder for a profile of central's processor; absent for none. */
  profiles?: string | undefined;
}

/** Commits a minute at each station. */
const RATES = [1, 10];
const STORM_EDITS = 5;
/** So many stations reach central through a proxy that counts bytes; the others cost no more than they must. */
const COUNTED = 10;
/** On paper: a station asks for news no more often than this, in seconds. */
const PAUSES = [0.2, 5, 30];
const PAPER = { stations: 5_000, perHour: [6, 60, 600] };

interface Phase extends Omit<FleetFigures, 'arrivals'> {
  name: string;
  seconds: number;
  /** Milliseconds from an edit to its arrival at another station. */
  latency: { median: number; p95: number; p99: number; samples: number };
  /** Cores, in the mean. */
  central_cpu: number;
  stations_cpu: number;
  central_resident_mb: number;
  central_peak_mb: number;
  /** Of one station, both ways. */
  bytes_per_station_second: number;
}

/**
 * A large fleet: light stations in this process against one real central. Prints throughput, latency, memory, processor
 * and bytes, and what 5,000 stations need by the costs that were measured; writes `dist/bench-fleet.json`.
 */
export async function benchFleet({
  stations = 200,
  minutes,
  program,
  profiles,
}: FleetBenchOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-fleet-'));
  const proxy = await CountingProxy.open();
  const host = `127.0.0.1:${proxy.port}`;
  const central = await BenchMachine.at('central', { folder: join(folder, 'central'), program, host });
  await central.start(profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`]);
  proxy.turnTo(central.port);
  const phases: Phase[] = [];
  try {
    const fleet = await LightFleet.open({
      stations,
      seed: 20_261_121,
      addressOf: index => (index < COUNTED ? `http://${host}` : central.origin),
      newCode: async name => {
        const made = await central.ask('POST', '/x/enrolment-codes', { name, hours: 24 });
        return (made as { code: string }).code;
      },
    });
    await fleet.untilQuiet();
    const phase = async (name: string, work: () => Promise<void>) => {
      fleet.takeFigures();
      proxy.reset();
      const before = {
        at: performance.now(),
        central: central.process.cpuSeconds(),
        own: process.cpuUsage(),
      };
      await work();
      const seconds = (performance.now() - before.at) / 1_000;
      const own = process.cpuUsage(before.own);
      const { arrivals, ...figures } = fleet.takeFigures();
      const { residentMB, peakMB } = central.process.memory();
      phases.push({
        name,
        seconds,
        ...figures,
        latency: {
          median: median(arrivals),
          p95: quantile(arrivals, 0.95),
          p99: quantile(arrivals, 0.99),
          samples: arrivals.length,
        },
        central_cpu: (central.process.cpuSeconds() - before.central) / seconds,
        stations_cpu: (own.user + own.system) / 1e6 / seconds,
        central_resident_mb: residentMB,
        central_peak_mb: peakMB,
        bytes_per_station_second: (proxy.up + proxy.down) / Math.min(COUNTED, stations) / seconds,
      });
      tell(phases.at(-1));
    };
    for (const rate of RATES) {
      await phase(`${stations} stations, ${rate} commits a minute each`, async () => {
        await fleet.write(rate, minutes * 60_000);
        await fleet.untilQuiet();
      });
    }
    await phase(`all come back at once, ${STORM_EDITS} commits each`, () => fleet.storm(STORM_EDITS));
    await fleet.close();
    const costs = await costsOf(central, proxy, fleet);
    const paper = onPaper(costs);
    writeFileSync(
      'dist/bench-fleet.json',
      `${JSON.stringify({ at: new Date().toISOString(), stations, phases, costs, paper }, null, 2)}\n`,
    );
  } finally {
    proxy.close();
    await central.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface PaperRow {
  commits_per_hour: number;
  pause_seconds: number;
  messages_per_second: number;
  entries_per_second: number;
  cores: number;
  megabits_per_second: number;
}

/**
 * What central needs when each station writes so often and asks for news no more often than the pause, but only when
 * there are some: messages, entries in answers and commits, each by its measured cost.
 */
function onPaper({ message, entry, commit }: FleetCosts): PaperRow[] {
  const { stations } = PAPER;
  for (const [name, { ms, bytes }] of Object.entries({ message, entry, commit })) {
    say(`central, for each ${name}: ${ms.toFixed(3)} ms of processor, ${bytes.toFixed(0)} bytes on the wire`);
  }
  return PAPER.perHour.flatMap(commits_per_hour =>
    PAUSES.map(pause_seconds => {
      const commits = (stations * commits_per_hour) / 3_600;
      // There is news in a pause unless nobody wrote in it.
      const pulls = (stations / pause_seconds) * (1 - Math.exp(-commits * pause_seconds));
      const pushes = Math.min(commits, stations / pause_seconds);
      const messages = pulls + pushes;
      const entries = commits * stations;
      const row = {
        commits_per_hour,
        pause_seconds,
        messages_per_second: messages,
        entries_per_second: entries,
        cores: (messages * message.ms + entries * entry.ms + commits * commit.ms) / 1_000,
        megabits_per_second: ((messages * message.bytes + entries * entry.bytes) * 8) / 1e6,
      };
      say(
        `on paper, ${stations} stations, ${commits_per_hour} commits an hour each, news every ${pause_seconds} s: ` +
          `${row.messages_per_second.toFixed(0)} messages/s, ${entries.toFixed(0)} entries/s, ` +
          `${row.cores.toFixed(1)} cores, ${row.megabits_per_second.toFixed(0)} Mbit/s`,
      );
      return row;
    }),
  );
}

function tell(phase: Phase | undefined): void {
  if (!phase) return;
  const { latency } = phase;
  say(
    `${phase.name}, ${phase.seconds.toFixed(0)} s: ${phase.written} commits, ${phase.pushes} pushes, ${phase.pulls} pulls, ` +
      `${(phase.entries / phase.seconds).toFixed(0)} entries/s arrive, ${phase.breaks} breaks, ${phase.failures} failures; ` +
      `${latency.samples === 0 ? '' : `edit to arrival ${latency.median.toFixed(0)} ms median, ${latency.p95.toFixed(0)} p95, ${latency.p99.toFixed(0)} p99 of ${latency.samples}; `}` +
      `central ${phase.central_cpu.toFixed(2)} cores, ${phase.central_resident_mb} MB (peak ${phase.central_peak_mb}); stations ${phase.stations_cpu.toFixed(2)} cores; ` +
      `${phase.bytes_per_station_second.toFixed(0)} bytes/s a station`,
  );
}

function say(text: string): void {
  process.stdout.write(`fleet: ${text}\n`);
}
