import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BenchMachine, isInStep, TOKEN } from './bench-machine.ts';
import { Connection, prepare } from './client.ts';
import { PageCount, type PageMap } from './pages.ts';
import { benchRecord } from './sync-record.ts';

const BULK = 1_000;

export interface MapOptions {
  program?: string | undefined;
  /** Parts that there are to begin with. */
  records?: number;
}

/**
 * `npm run bench map`: how many pages of the database each kind of write touches, by table and index, and how much
 * processor time of the server it takes: a create over one and over sixteen connections, an update, a receipt with ten lines, a bulk of a thousand,
 * and a commit that a station pushed.
 */
export async function benchMap({ program, records = 20_000 }: MapOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-map-'));
  const central = await BenchMachine.at('central', { folder: join(folder, 'central'), program });
  const station = await BenchMachine.at('serve', { folder: join(folder, 'station'), program });
  try {
    await central.start();
    const rows = (from: number) => Array.from({ length: BULK }, (_, row) => benchRecord(from + row));
    for (let from = 0; from < records; from += BULK) await central.ask('POST', '/parts/bulk', rows(from));
    const supplier = (await central.ask('POST', '/suppliers', { name: 'Bench', identification: 'B' })) as {
      id: number;
    };
    let next = records;
    const count = async (name: string, operations: number, work: () => Promise<unknown>) => {
      const before = central.process.cpuSeconds();
      const pages = new PageCount(central.folder);
      await work();
      const cpu = ((central.process.cpuSeconds() - before) / operations) * 1e6;
      tell(name, operations, cpu, pages.end());
    };
    const creates = async (operations: number, connections: number, at = central) => {
      const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(at.port)));
      const end = next + operations;
      await Promise.all(
        open.map(async connection => {
          while (next < end) {
            const body = JSON.stringify(benchRecord(next++));
            await connection.send(prepare('POST', '/api/v2/parts', at.port, TOKEN, body));
          }
          connection.close();
        }),
      );
    };
    await creates(200, 1);
    await count('create, 1 connection', 500, () => creates(500, 1));
    await count('create, 16 connections', 2_000, () => creates(2_000, 16));
    await count('update', 500, async () => {
      for (let index = 0; index < 500; index += 1)
        await central.ask('PUT', `/parts/${1 + index * 7}`, {
          ...benchRecord(index * 7),
          name: `Other ${index}`,
        });
    });
    await count('receipt with 10 lines', 100, async () => {
      for (let index = 0; index < 100; index += 1) {
        await central.ask('POST', '/receiving-inspections', {
          supplier_id: supplier.id,
          receive_date: '2026-11-20',
          items: Array.from({ length: 10 }, (_, line) => ({
            part_id: 1 + index * 10 + line,
            quantity_accepted: 5,
            serial_number: `L-${index}-${line}`,
          })),
        });
      }
    });
    await count('bulk of 1,000, for each', 5 * BULK, async () => {
      for (let turn = 0; turn < 5; turn += 1)
        await central.ask('POST', '/parts/bulk', rows(next + turn * BULK));
    });
    next += 5 * BULK;
    await station.start();
    await station.enrolAt(central, 'Map', central.origin);
    await station.until(isInStep);
    await central.stop();
    await creates(4_000, 16, station);
    await central.start();
    await count('pushed commit', 4_000, () => station.until(isInStep));
  } finally {
    await station.stop();
    await central.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function tell(name: string, operations: number, cpu: number, { transactions, pages }: PageMap): void {
  const all = pages.reduce((sum, each) => sum + each.pages, 0);
  process.stdout.write(
    `${name}: ${(all / operations).toFixed(2)} pages and ${cpu.toFixed(0)} µs of the processor each; ` +
      `${transactions} transactions of ${(all / transactions).toFixed(1)} pages\n`,
  );
  for (const each of pages.slice(0, 25))
    process.stdout.write(
      `  ${(each.pages / operations).toFixed(3).padStart(8)}  ${(each.pages / transactions).toFixed(2).padStart(7)} a transaction  ${each.name}\n`,
    );
}
