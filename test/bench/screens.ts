import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { buildStaleScreens } from '../../build/fresh-screens.ts';
import { openApp } from '../e2e/support/app.ts';
import type { Station } from '../support/station.ts';
import { type Taken, watchPaint } from './painted.ts';
import { median, quantile } from './quantile.ts';
import { timeKeys } from './screens-grid.ts';
import { timeLists } from './screens-list.ts';
import { timeOpenings } from './screens-open.ts';
import { timeScans } from './screens-scan.ts';
import { wordOf } from './sync-record.ts';

export interface ScreensBenchOptions {
  parts?: number;
  /** The program of the station instead of the bundle. */
  program?: string;
}

interface Row {
  name: string;
  count: number;
  median: number;
  p95: number;
  /** Median of what the page's main thread worked for it, keys and all; of a quiet machine and of a busy one alike. */
  work?: number;
  /** Milliseconds that the median has to stay under; absent where nothing is asked. */
  floor?: number;
}

const BULK = 1_000;
/** Parts that one word finds: a page. */
const FOUND = 50;
const GTIN = '09506000134352';
const CHARACTERISTICS = 40;
const SAMPLES = 50;
/** Of an inspection that is opened: 1,250 cells. */
const OPENED = { characteristics: 10, samples: 125 };
const LINES = 500;

/**
 * How long the screens take, in a real Chromium before a real server with 100,000 parts: a page of a list after its
 * answer, a scan after its last key, and a key in a large inspection. Prints the medians, and writes
 * `dist/bench-screens.json`.
 */
export async function benchScreens({
  parts = 100_000,
  program = 'dist/server/main.js',
}: ScreensBenchOptions = {}): Promise<void> {
  await buildStaleScreens();
  const paths = { receipt: '', inspection: '', opened: '', long: '' };
  const app = await openApp({
    program,
    fill: async station => {
      await fill(station, parts);
      Object.assign(paths, await workAt(station));
    },
  });
  const load = loadavg()[0] ?? 0;
  const rows: Row[] = [];
  const note = (name: string, taken: readonly Taken[], floor?: number) => {
    const times = taken.map(({ ms }) => ms);
    const works = taken.flatMap(({ work }) => work ?? []);
    const work = works.length > 0 ? median(works) : undefined;
    const row = { name, count: times.length, median: median(times), p95: quantile(times, 0.95) };
    rows.push({ ...row, ...(work !== undefined && { work }), ...(floor !== undefined && { floor }) });
    const says = `median ${row.median.toFixed(1).padStart(6)} ms  p95 ${row.p95.toFixed(1).padStart(6)} ms${work === undefined ? '' : `  worked ${work.toFixed(1)} ms`}  of ${row.count}`;
    say(`${name.padEnd(48)} ${says}${floor === undefined ? '' : `; floor ${floor} ms`}`);
  };
  say(`${parts} parts; load of the machine ${load.toFixed(2)}`);
  try {
    const { page, station } = app;
    await watchPaint(page);
    const lists = await timeLists(page, station.origin, { turns: 40, searches: 20 });
    note('a page turned, from its answer', lists.turns, 100);
    note('a search, from its answer', lists.searches, 100);
    const receiptAt = `${station.origin}/app/receiving/${paths.receipt}`;
    const scans = await timeScans(page, { receiptAt, gtin: GTIN, lots: 'LOT', scans: 100 });
    note('a scan in the list of scans, from its last key', scans.entries, 50);
    note('the line that a scan fills, from its last key', scans.lines, 100);
    const longAt = `${station.origin}/app/receiving/${paths.long}`;
    const onLong = await timeScans(page, { receiptAt: longAt, gtin: GTIN, lots: 'MORE', scans: 30 });
    note(`a scan in the list of scans, after ${LINES} lines`, onLong.entries, 50);
    note(`the line that a scan fills, after ${LINES} lines`, onLong.lines, 100);
    const inspectionAt = `${station.origin}/app/inspection/${paths.inspection}`;
    note(
      `a key in ${(SAMPLES * CHARACTERISTICS).toLocaleString('en')} cells`,
      await timeKeys(page, { inspectionAt, keys: 200 }),
      50,
    );
    const cells = OPENED.characteristics * OPENED.samples;
    note(
      `an inspection of ${cells.toLocaleString('en')} cells opened`,
      await timeOpenings(page, {
        path: `/app/inspection/${paths.opened}`,
        // Rows that are not seen are not drawn.
        shows: ['.measured-value', OPENED.characteristics * 5],
        openings: 10,
      }),
      1_000,
    );
    note(
      `a receipt of ${LINES} lines opened`,
      await timeOpenings(page, {
        path: `/app/receiving/${paths.long}`,
        shows: ['main tbody tr', 50],
        openings: 10,
      }),
      1_000,
    );
    if (app.faults.length > 0) throw new Error(app.faults.join('\n'));
  } finally {
    await app.close();
  }
  const file = { at: new Date().toISOString(), parts, load, rows };
  writeFileSync('dist/bench-screens.json', `${JSON.stringify(file, null, 2)}\n`);
}

async function fill(station: Station, parts: number): Promise<void> {
  const words = Math.max(1, Math.floor(parts / FOUND));
  for (let from = 0; from < parts; from += BULK) {
    const body = Array.from({ length: BULK }, (_, index) => ({
      name: `${wordOf((from + index) % words)} fitting ${from + index}`,
      identification: `P-${String(from + index).padStart(8, '0')}`,
      unit_type: 'Mass',
      unit_of_measure: 'kg',
      density: 1.25,
      density_mass_unit: 'kg',
      density_volume_unit: 'l',
    }));
    await make(station, '/parts/bulk', body);
  }
}

/** A receipt to scan at, and a large inspection. */
async function workAt(
  station: Station,
): Promise<{ receipt: string; inspection: string; opened: string; long: string }> {
  const supplier = await make(station, '/suppliers', { name: 'Harbour Fasteners' });
  const part = await make(station, '/parts', {
    name: 'Hex bolt M8',
    identification: 'HB-8',
    unit_of_measure: 'units',
    barcodes: [GTIN],
  });
  const receipt = await make(station, '/receiving-inspections', { supplier_id: supplier, po_number: 'PO-1' });
  const inspectionOf = async (name: string, characteristics: number, samples: number) => {
    const template = await make(station, '/x/specifications', {
      name,
      is_approved: true,
      characteristics: Array.from({ length: characteristics }, (_, index) => ({
        name: `C${index + 1}`,
        dimensions: '10',
        tolerance: '±1',
      })),
    });
    return make(station, '/inspections', { entity_id: part, drawing_id: template, sample_size: samples });
  };
  const inspection = await inspectionOf('Wide', CHARACTERISTICS, SAMPLES);
  const opened = await inspectionOf('Long', OPENED.characteristics, OPENED.samples);
  const items = Array.from({ length: LINES }, (_, index) => ({
    part_id: part,
    serial_number: `L-${index}`,
    quantity_accepted: 10,
  }));
  const long = await make(station, '/receiving-inspections', { po_number: 'PO-500', items });
  return { receipt, inspection, opened, long };
}

/** The id of what was made; a refusal ends the benchmark. */
async function make(station: Station, path: string, body: unknown): Promise<string> {
  const answer = await station.post(path, body);
  const { data } = answer.body as { data?: { id?: number | string } };
  if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return String(data?.id ?? '');
}

function say(text: string): void {
  process.stdout.write(`screens: ${text}\n`);
}
