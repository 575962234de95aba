import { existsSync, openAsBlob } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { AppError, invalid } from '../../shared/contract/errors.ts';
import type { CarryState } from '../../shared/operations/carry-operations.ts';
import type { Client } from '../../shared/operations/client.ts';
import type { WithInterface } from './interface.ts';
import { cancellable, progressLine } from './progress.ts';
import { writeWhole } from './whole-file.ts';

const POLL_MS = 500;
const CANCELLED = 130;

/** `holdpoint carry out|in`, at a station and at central. */
export function carryCommand(withInterface: WithInterface): Command {
  const carry = new Command('carry').description(
    'exchange with central by files on a stick, where there is no line',
  );

  carry
    .command('out <file>')
    .description('write what the other side is not known to have')
    .option('--station <name>', 'at central: the station that it is for, by its name or id')
    .action(async (file: string, { station }: { station?: string }) => {
      await told(signal => withInterface(client => out(client, resolve(file), station, signal)));
    });

  carry
    .command('in <file>')
    .description('read in what the other side wrote; once more does no harm')
    .option(
      '--key <sha256>',
      'the key it may be signed with, as somebody there has told it: where it is another one than before',
    )
    .action(async (file: string, { key }: { key?: string }) => {
      await told(signal => withInterface(client => readIn(client, resolve(file), key, signal)));
    });

  return carry;
}

async function told(work: (signal: AbortSignal) => Promise<string>): Promise<void> {
  await cancellable(async signal => {
    try {
      process.stdout.write(await work(signal));
    } catch (error) {
      if (!signal.aborted) throw error;
      process.stderr.write('Cancelled. Nothing is lost: the same command does it anew.\n');
      process.exitCode = CANCELLED;
    }
  });
}

async function out(
  client: Client,
  file: string,
  station: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const to = await otherOf(client, station);
  const body = to.id === null ? {} : { station: to.id };
  const { body: content } = await client.stream('x.carry.out', { body, signal });
  const bytes = await writeWhole(file, content ?? new ReadableStream(), signal);
  const whom = to.id === null ? 'central' : `the station "${to.name}"`;
  return `${file}: ${bytes} bytes for ${whom}. Only ${whom} can read it. Read it in there: holdpoint carry in FILE\n`;
}

async function readIn(
  client: Client,
  file: string,
  key: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (!existsSync(file))
    throw new AppError('not_found', `There is no file ${file}. Give the path of a file of "carry out".`);
  const progress = progressLine(process.stderr);
  const done = new AbortController();
  const watch = async () => {
    while (!done.signal.aborted) {
      await sleep(POLL_MS, undefined, { signal: done.signal }).catch(() => undefined);
      if (done.signal.aborted) return;
      const { data } = await client.call('x.carry.read');
      if (data.running && data.running.of > 0)
        progress.show(`${data.running.done} of ${data.running.of} messages are taken.`);
    }
  };
  const watching = watch().catch(() => undefined);
  try {
    const { data } = await client.call('x.carry.in', {
      body: await openAsBlob(file),
      signal,
      ...(key !== undefined && { query: { key } }),
    });
    const { name, written_at: at, changes, known } = data;
    const of = name === null ? 'central' : `the station "${name}"`;
    const news = changes === 0 ? 'nothing new' : `${changes} new changes`;
    const also = known === 0 ? '' : `, and ${known} that were here already`;
    return `The file of ${of} of ${at.slice(0, 16).replace('T', ' ')} UTC had ${news}${also}.\n`;
  } finally {
    done.abort();
    await watching;
    progress.clear();
  }
}

type Other = Pick<CarryState['others'][number], 'id' | 'name'>;

/** @throws AppError 422 on `--station` where it is missing, not known or not needed */
async function otherOf(client: Client, wanted: string | undefined): Promise<Other> {
  const { data } = await client.call('x.carry.read');
  const { role, others } = data;
  const names = others.map(({ name }) => `"${name}"`).join(', ') || 'none';
  const isWanted =
    (text: string) =>
    ({ id, name }: Other) =>
      String(id) === text || name.toLowerCase() === text.toLowerCase();
  if (role === 'station' && wanted !== undefined) {
    throw invalid({
      '--station': ['This is a station: its files are for its central. Leave --station out.'],
    });
  }
  // One that stands alone is told so by the server.
  if (role === 'station') return { id: null, name: '' };
  const found = wanted === undefined ? undefined : others.find(isWanted(wanted));
  if (found) return found;
  throw invalid({ '--station': [`Say which station the file is for. Stations: ${names}.`] });
}
