import { Command } from 'commander';
import { dateIn } from '../../shared/contract/dates.ts';
import type { Family } from '../../shared/contract/define-family.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { type FamilyName, families, family } from '../../shared/families/registry.ts';
import type { Client } from '../../shared/operations/client.ts';
import { fillSampleCompany, type Progress, type SampleCompany } from '../demo/fill-sample-company.ts';
import { cancellable } from './progress.ts';

export interface DemoOptions {
  /** Writes beside the records that are there. */
  isForced: boolean;
  clock: () => Date;
  /** Takes text for the person at the terminal; `isTerminal`: a line may be written over. */
  write: (text: string) => void;
  isTerminal: boolean;
  signal: AbortSignal;
}

/** `holdpoint demo`, on whatever finds or opens the station. */
export function demoCommand(
  withInterface: (work: (client: Client) => Promise<void>) => Promise<void>,
): Command {
  return new Command('demo')
    .description('fill a fresh installation with a sample company')
    .option('--force', 'add it to the records that are there')
    .action(async ({ force = false }: { force?: boolean }) => {
      const options = {
        isForced: force,
        clock: () => new Date(),
        write: (text: string) => void process.stdout.write(text),
        isTerminal: process.stdout.isTTY === true,
      };
      await cancellable(signal => withInterface(client => demo(client, { ...options, signal })));
    });
}

/**
 * Writes the sample company and tells what was made. Cancelling keeps what was written.
 * @throws AppError 409 when the installation has records and is not forced
 */
export async function demo(
  client: Client,
  { isForced, clock, write, isTerminal, signal }: DemoOptions,
): Promise<void> {
  const present = await countRecords(client);
  if (present > 0 && !isForced) {
    throw new AppError(
      'conflict',
      'This installation already has records; use another data folder: HOLDPOINT_DATA=…, or --force to add to them.',
    );
  }
  const { data: settings } = await client.call('x.settings.read');
  let last: Progress | undefined;
  const onProgress = (progress: Progress) => {
    last = progress;
    const { done, steps, title } = progress;
    if (isTerminal) write(`\r\u001b[K${done} of ${steps} steps  ${title}`);
    else if (done % 100 === 0 || done === steps) write(`${done} of ${steps} steps\n`);
  };
  const started = clock();
  try {
    const company = await fillSampleCompany(client, {
      today: dateIn(settings.time_zone, started.toISOString()),
      series: present > 0 ? `S${present}-` : '',
      onProgress,
      signal,
    });
    if (isTerminal) write('\r\u001b[K');
    write(summary(company, (clock().getTime() - started.getTime()) / 1_000));
  } catch (error) {
    if (isTerminal) write('\n');
    if (signal.aborted)
      write(`Cancelled after ${last?.done ?? 0} of ${last?.steps ?? 0} steps; what was written stays.\n`);
    throw error;
  }
}

/** Records other than users and the company that a fresh installation has. */
async function countRecords(client: Client): Promise<number> {
  let count = -1;
  for (const [name, { operations }] of Object.entries<Family>(families)) {
    const kinds = [...(operations.documented?.kinds ?? []), ...operations.extensions];
    if (operations.isAdministrative || !kinds.includes('list')) continue;
    const { meta } = await client.list(name as FamilyName, { per_page: 1 });
    count += meta.total;
  }
  return count;
}

function summary({ counts, idOf }: SampleCompany, seconds: number): string {
  const made = Object.entries(counts).map(
    ([name, count]) => `  ${String(count).padStart(4)}  ${family(name as FamilyName).plural}`,
  );
  const looks = [
    [
      `/inspections?drawing_id=${idOf('template:DW-3020')}`,
      'the neck of the 250 ml bottle grows from delivery to delivery',
    ],
    [
      `/x/lab-results?specification_id=${idOf('template:LS-2000')}`,
      'oils that are worse in warm months, and one tank out of limits',
    ],
    [`/inventory?part_id=${idOf('part:PK-3020')}`, 'lots of that bottle, one locked by a failed inspection'],
    ['/inventory?keyword=dried', 'herbs: near expiry, expired, in quarantine, locked by the laboratory'],
    ['/ncrs?status=open', 'what still has to be decided'],
    [`/x/history/shipments/${idOf('shipment:14+5')}`, 'a shipment that was taken back and closed again'],
  ].map(([path, what]) => `  /api/v2${path}\n      ${what}`);
  return [
    `The sample company is there, after ${seconds.toFixed(1)} s:`,
    ...made,
    'Look first at',
    ...looks,
    '',
  ].join('\n');
}
