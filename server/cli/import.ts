import { existsSync, openAsBlob, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { AppError } from '../../shared/contract/errors.ts';
import type { Client } from '../../shared/operations/client.ts';
import { asTyped } from '../../shared/operations/client.ts';
import type { ImportJob } from '../transfer/imports.ts';
import type { WithInterface } from './interface.ts';
import { cancellable } from './progress.ts';

const POLL_MS = 200;
const CANCELLED = 130;

interface ImportOptions {
  folder?: string;
  skipBad?: boolean;
  dryRun?: boolean;
}

/** `holdpoint import` */
export function importCommand(withInterface: WithInterface): Command {
  return new Command('import')
    .description('import CSV or JSON files by a mapping: all rows or none')
    .argument('<mapping>', 'file that says how columns become fields (JSON)')
    .option('--folder <folder>', 'where the files are that the mapping names; else beside it')
    .option('--skip-bad', 'take the good rows and leave the bad ones out')
    .option('--dry-run', 'check every row and tell what would be done; write nothing')
    .action(async (mappingFile: string, options: ImportOptions) => {
      const mapping = readMappingFile(mappingFile);
      const folder = options.folder ?? dirname(mappingFile);
      const job = await cancellable(signal =>
        withInterface(client => importFiles(client, mapping, folder, options, signal)),
      );
      process.stdout.write(report(job));
      process.exitCode =
        job.state === 'cancelled' ? CANCELLED : job.state === 'done' && job.bad === 0 ? 0 : 1;
    });
}

/** Makes the import, gives it its files, runs it and follows it to its end. */
async function importFiles(
  client: Client,
  mapping: unknown,
  folder: string,
  { skipBad = false, dryRun = false }: ImportOptions,
  signal: AbortSignal,
): Promise<ImportJob> {
  const body = asTyped<'x.imports.create'>({ mapping, skip_bad: skipBad, dry_run: dryRun });
  let { data: job } = await client.call('x.imports.create', { body });
  const { id, missing_files: files } = job;
  const show = progressLine();
  try {
    const missing = files.filter(name => !existsSync(join(folder, name)));
    if (missing.length > 0) {
      throw new AppError(
        'not_found',
        `The mapping names files that are not in ${folder}: ${missing.join(', ')}. Give their place with --folder.`,
      );
    }
    for (const name of files) {
      show(`${name} is being sent.`);
      const file = await openAsBlob(join(folder, name));
      await client.call('x.imports.file', { params: { id, name }, body: file, signal });
    }
    job = (await client.call('x.imports.run', { params: { id }, signal })).data;
    while (job.state === 'running') {
      await sleep(POLL_MS, undefined, { signal });
      job = (await client.call('x.imports.read', { params: { id }, signal })).data;
      if (job.state === 'running') show(progressOf(job));
    }
    return job;
  } catch (error) {
    const cancelled = await cancelImport(client, id);
    if (signal.aborted) return cancelled;
    throw error;
  } finally {
    show('');
  }
}

/** Also when it has ended in the meantime: then it stays as it is. */
async function cancelImport(client: Client, id: string): Promise<ImportJob> {
  try {
    return (await client.call('x.imports.cancel', { params: { id } })).data;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    return (await client.call('x.imports.read', { params: { id } })).data;
  }
}

function readMappingFile(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new AppError('not_found', `The mapping ${path} cannot be read. Give the path of a mapping file.`, {
      cause,
    });
  }
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : '';
    throw new AppError('malformed', `The mapping ${path} is not valid JSON: ${why}`, { cause });
  }
}

/** One line that is written over on a terminal; elsewhere a line only when something else begins. */
function progressLine(): (text: string) => void {
  if (process.stderr.isTTY) return text => void process.stderr.write(`\r\u001b[K${text}`);
  let last = '';
  return text => {
    const what = text.replace(/ {2}.*$/, '');
    if (what !== '' && what !== last) process.stderr.write(`${what}\n`);
    last = what;
  };
}

function progressOf({ message, rows_read: read, rows_total: total }: ImportJob): string {
  return `${message}  ${total === null ? read : `${read} of ${total}`} rows`;
}

function report(job: ImportJob): string {
  const faults = job.bad_rows.map(({ file, line, column, value, message }) => {
    const where = column === null ? '' : `, ${column}${value === null ? '' : ` = ${JSON.stringify(value)}`}`;
    return `  ${file}, line ${line}${where}: ${message}`;
  });
  if (job.bad_rows.length < job.bad) faults.push(`  … and further ones: ${job.bad} bad rows in all`);
  const unmapped = Object.entries(job.unmapped_columns).map(
    ([file, columns]) => `  ${file}: ${columns.join(', ')}`,
  );
  return [
    ...(unmapped.length > 0
      ? ['Columns that the mapping leaves out ("ignore" takes them off this list):', ...unmapped]
      : []),
    ...(faults.length > 0 ? ['Rows that cannot be taken:', ...faults] : []),
    job.message,
    '',
  ].join('\n');
}
