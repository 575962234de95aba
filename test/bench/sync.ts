import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CountingProxy } from './counting-proxy.ts';
import { median } from './quantile.ts';
import { HoldpointTemplate, uploadInBulk } from './sync-holdpoint.ts';
import { installPouchdb, PouchTemplate } from './sync-pouchdb.ts';
import { benchRecord } from './sync-record.ts';
import { bytesPerRecord, cpuPerThousand, rateOf, type Transfer } from './sync-transfer.ts';

export interface SyncBenchOptions {
  records?: number;
  /** Turns of each, after one that is not counted unless it is the only one. */
  rounds: number;
  /** A folder for profiles of the processor, of every station and central; absent for none. */
  profiles?: string | undefined;
  /** The program of station and central instead of the bundle. */
  program?: string | undefined;
}

type Turn = Record<string, Transfer>;

/**
 * Push and pull of records over HTTP on loopback, by turns: Holdpoint's exchange between a real station and a real central
 * against PouchDB with express-pouchdb doing the same, as it comes and in larger batches, and against an upload of the same
 * records into the same server.
 * Prints rates and their ratios, and writes `dist/bench-sync.json`.
 */
export async function benchSync({
  records = 20_000,
  rounds,
  profiles,
  program,
}: SyncBenchOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sync-'));
  const proxy = await CountingProxy.open();
  const flags = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const common = { proxy, records, recordOf: benchRecord, flags, ...(program && { program }) };
  const turns: Turn[] = [];
  try {
    const missing = await installPouchdb(join(tmpdir(), 'bench-pouchdb-9.0.0'));
    if (missing !== undefined) say(`PouchDB could not be installed, and is left out: ${missing}`);
    const pouch =
      missing === undefined
        ? await PouchTemplate.make({
            installed: join(tmpdir(), 'bench-pouchdb-9.0.0'),
            folder: join(folder, 'pouch'),
            proxy,
            records,
          })
        : undefined;
    const single = { ...common, folder: join(folder, 'single') };
    const bulk = { ...common, folder: join(folder, 'bulk') };
    say(`${records} records, ${rounds} turns of each; the station writes them before it has a connection`);
    const ofSingle = await HoldpointTemplate.make(single, 'one by one');
    const ofBulk = await HoldpointTemplate.make(bulk, 'in bulk');
    for (let round = 0; round < rounds + (rounds > 1 ? 1 : 0); round += 1) {
      const turn: Turn = {
        ...named('holdpoint', await ofSingle.turn(['push', 'pull', 'pull anew'])),
        ...named('holdpoint bulk', await ofBulk.turn(['push', 'pull anew'])),
        upload: await uploadInBulk(single, round),
        ...(pouch ? named('pouchdb', await pouch.turn()) : {}),
        ...(pouch ? named(LARGE_BATCHES, await pouch.turn(LARGE_BATCH)) : {}),
      };
      turns.push(turn);
      for (const [name, transfer] of Object.entries(turn)) say(`  ${line(name, transfer)}`);
    }
  } finally {
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  }
  report(rounds > 1 ? turns.slice(1) : turns, records);
}

/** Ten times PouchDB's own, and quicker. */
const LARGE_BATCH = 1_000;
const LARGE_BATCHES = 'pouchdb by thousands';

const RATIOS: { name: string; of: string; to: string; goal: string }[] = [
  { name: 'push against PouchDB', of: 'holdpoint push', to: 'pouchdb push', goal: 'floor 1.5, aim 3' },
  { name: 'pull against PouchDB', of: 'holdpoint pull anew', to: 'pouchdb pull', goal: 'floor 1.5, aim 3' },
  { name: 'pull of the log against PouchDB', of: 'holdpoint pull', to: 'pouchdb pull', goal: '' },
  { name: 'push in bulk against PouchDB', of: 'holdpoint bulk push', to: 'pouchdb push', goal: '' },
  { name: 'push against PouchDB by thousands', of: 'holdpoint push', to: `${LARGE_BATCHES} push`, goal: '' },
  {
    name: 'pull against PouchDB by thousands',
    of: 'holdpoint pull anew',
    to: `${LARGE_BATCHES} pull`,
    goal: '',
  },
  { name: 'push against the upload', of: 'holdpoint push', to: 'upload', goal: 'aim 0.5' },
  { name: 'push in bulk against the upload', of: 'holdpoint bulk push', to: 'upload', goal: 'aim 0.5' },
];

function report(turns: readonly Turn[], records: number): void {
  const rows = [...new Set(turns.flatMap(turn => Object.keys(turn)))].map(name => {
    const transfers = turns.flatMap(turn => turn[name] ?? []);
    return {
      name,
      rate: median(transfers.map(rateOf)),
      slowest: Math.min(...transfers.map(rateOf)),
      fastest: Math.max(...transfers.map(rateOf)),
      bytes: median(transfers.map(bytesPerRecord)),
      bytes_up: median(transfers.map(({ up }) => up / records)),
      bytes_down: median(transfers.map(({ down }) => down / records)),
      cpu_ms_server: median(transfers.map(one => (one.cpuSeconds.server / records) * 1e6)) / 1_000,
      cpu_ms_client: median(transfers.map(one => (one.cpuSeconds.client / records) * 1e6)) / 1_000,
      peak_mb_server: Math.max(...transfers.map(({ peakMB }) => peakMB.server)),
      peak_mb_client: Math.max(...transfers.map(({ peakMB }) => peakMB.client)),
    };
  });
  for (const row of rows) {
    say(
      `${row.name.padEnd(25)} ${row.rate.toFixed(0).padStart(6)}/s (${row.slowest.toFixed(0)} to ${row.fastest.toFixed(0)})  ` +
        `${row.bytes.toFixed(0).padStart(5)} bytes a record (${row.bytes_up.toFixed(0)} up, ${row.bytes_down.toFixed(0)} down)  ` +
        `processor ${row.cpu_ms_server.toFixed(2)} + ${row.cpu_ms_client.toFixed(2)} ms a record  ` +
        `memory ${row.peak_mb_server} + ${row.peak_mb_client} MB`,
    );
  }
  const ratios = RATIOS.flatMap(({ name, of, to, goal }) => {
    const both = turns.flatMap(turn => {
      const [one, other] = [turn[of], turn[to]];
      return one && other ? [{ one, other }] : [];
    });
    if (both.length === 0) return [];
    // Of each round by itself: what else the machine does in a round slows both of its turns.
    const rates = both.map(({ one, other }) => rateOf(one) / rateOf(other));
    const ratio = median(rates);
    const cpu = median(both.map(({ one, other }) => cpuPerThousand(other) / cpuPerThousand(one)));
    say(
      `${name.padEnd(34)} ${ratio.toFixed(2)} (${Math.min(...rates).toFixed(2)} to ${Math.max(...rates).toFixed(2)}), ` +
        `by seconds of processor ${cpu.toFixed(2)}${goal && `; ${goal}`}`,
    );
    return [{ name, ratio, lowest: Math.min(...rates), highest: Math.max(...rates), by_cpu: cpu, goal }];
  });
  const file = { at: new Date().toISOString(), records, rows, ratios, turns };
  writeFileSync('dist/bench-sync.json', `${JSON.stringify(file, null, 2)}\n`);
}

function named(prefix: string, transfers: Record<string, Transfer>): Turn {
  return Object.fromEntries(Object.entries(transfers).map(([name, one]) => [`${prefix} ${name}`, one]));
}

function line(name: string, one: Transfer): string {
  return `${name.padEnd(25)} ${rateOf(one).toFixed(0).padStart(6)}/s ${bytesPerRecord(one).toFixed(0).padStart(5)} bytes a record, processor ${cpuPerThousand(one).toFixed(2)} s a thousand`;
}

function say(text: string): void {
  process.stdout.write(`sync: ${text}\n`);
}
