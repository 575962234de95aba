import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command, Option } from 'commander';
import { AppError } from '../../shared/contract/errors.ts';
import { transferOrder } from '../../shared/families/transfer-order.ts';
import type { Client } from '../../shared/operations/client.ts';
import { STATION_HEADER } from '../transfer/export-lines.ts';
import type { WithInterface } from './interface.ts';

type Format = 'csv' | 'json';

interface ExportOptions {
  format: Format;
  items?: string;
  bom?: boolean;
  out?: string;
  all?: boolean;
}

/** `holdpoint export` */
export function exportCommand(withInterface: WithInterface): Command {
  return new Command('export')
    .description('export records as CSV or JSON that import gives back unchanged')
    .argument('[family]', 'such as supplier or orders')
    .addOption(
      new Option('--format <format>', 'csv, or json: one record a line')
        .choices(['csv', 'json'])
        .default('json'),
    )
    .option('--items <collection>', 'with csv: the items of this collection, such as items or samples')
    .option('--bom', 'with a byte order mark, by which spreadsheets know UTF-8')
    .option('--out <path>', 'file to write instead of standard output; with --all the folder')
    .option('--all', 'every family into a folder, with the mapping that imports it again')
    .action(async (family: string | undefined, options: ExportOptions) => {
      if (options.all) await withInterface(client => exportAll(client, options));
      else if (family !== undefined) await withInterface(client => exportOne(client, family, options));
      else
        throw new AppError('validation_failed', 'Name a family, such as supplier, or give --all with --out.');
    });
}

async function exportOne(
  client: Client,
  family: string,
  { format, items, bom, out }: ExportOptions,
): Promise<void> {
  const { body } = await client.stream('x.exports.read', {
    params: { family },
    query: { format, items, bom },
  });
  const lines = Readable.from(body ?? []);
  if (out !== undefined) await writeWhole(out, lines);
  else await pipeline(lines, process.stdout, { end: false });
}

async function exportAll(client: Client, { format, bom, out, items }: ExportOptions): Promise<void> {
  if (out === undefined) throw new AppError('validation_failed', 'Give the folder to write to with --out.');
  if (items !== undefined)
    throw new AppError('validation_failed', '--items goes with one family; --all has every item.');
  await mkdir(out, { recursive: true });
  let source = '';
  const save = async (name: string, family: string, collection?: string): Promise<void> => {
    const query = { format, bom, items: collection };
    const { body, headers } = await client.stream('x.exports.read', { params: { family }, query });
    source = headers.get(STATION_HEADER) ?? source;
    await writeWhole(join(out, name), Readable.from(body ?? []));
  };
  const steps: unknown[] = [];
  for (const family of transferOrder()) {
    const file = `${family.name}.${format === 'csv' ? 'csv' : 'jsonl'}`;
    await save(file, family.name);
    const collections = format === 'csv' ? Object.keys(family.collections) : [];
    const files = collections.map(name => [name, { file: `${family.name}-${name}.csv` }] as const);
    for (const [name, { file }] of files) await save(file, family.name, name);
    const itemFiles = files.length > 0 ? { items: Object.fromEntries(files) } : {};
    steps.push({ format: 'holdpoint', file, family: family.name, ...itemFiles });
  }
  const mapping = {
    description: 'Everything that was exported, in an order in which it can be imported again.',
    source,
    steps,
  };
  await writeFile(join(out, 'mapping.json'), `${JSON.stringify(mapping, null, 2)}\n`);
  process.stdout.write(
    `${steps.length} families are in ${out}. To import them: holdpoint import ${join(out, 'mapping.json')}\n`,
  );
}

/** Under its own name only when it is complete. */
async function writeWhole(path: string, content: Readable): Promise<void> {
  const part = `${path}.part`;
  try {
    await pipeline(content, createWriteStream(part));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
