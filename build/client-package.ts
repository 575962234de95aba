import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import program from '../package.json' with { type: 'json' };
import { clientTypes } from './client-types.ts';
import { packedOperations } from './packed-operations.ts';

const PROJECT = join(import.meta.dirname, '..');
const COMPILER = join(PROJECT, 'node_modules/typescript/bin/tsc');

/** Writes the client package: ES modules without dependencies, with their types. `npm run build:client`. */
export async function buildClient(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const flags =
    '--ignoreConfig --strict --target ES2022 --lib ES2024,WebWorker --module NodeNext --types [] --declaration --skipLibCheck --exactOptionalPropertyTypes --rewriteRelativeImportExtensions';
  const args = flags.replace('--types [] ', '').split(' ');
  const roots = ['--rootDir', PROJECT, '--outDir', folder];
  await promisify(execFile)(
    process.execPath,
    [COMPILER, ...args, ...roots, join(PROJECT, 'shared/client/holdpoint.ts')],
    { cwd: PROJECT },
  );
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = join(folder, name);
    const text = await readFile(file, 'utf8');
    await writeFile(
      file,
      text.replaceAll(/(from '\.[^']*|from "\.[^"]*|import\("\.[^"]*)\.ts(['"])/g, '$1.js$2'),
    );
  }
  const rows = packedOperations().map(operation => `  ${JSON.stringify(operation)},`);
  const files: Record<string, string> = {
    'operations.js': `export const operations = [\n${rows.join('\n')}\n];\n`,
    'operations.d.ts': clientTypes(),
    'index.js': INDEX,
    'index.d.ts': INDEX_TYPES,
    'README.md': await readMe(),
    'package.json': `${JSON.stringify(description, null, 2)}\n`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

/** The document; what it links to is not in the package. */
async function readMe(): Promise<string> {
  const text = await readFile(join(PROJECT, 'docs/interface/clients.md'), 'utf8');
  return text.replaceAll(/\[([^\]]+)\]\(\.\.[^)]*\)/g, '`$1`');
}

const description = {
  name: 'holdpoint-client',
  version: program.version,
  description: 'Client of the interface of Holdpoint',
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20.3' },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
};

const INDEX = `import { createHoldpoint as create } from './shared/client/holdpoint.js';
import { operations } from './operations.js';

export { AppError } from './shared/contract/errors.js';
export { CallError } from './shared/operations/send-operation.js';

export function createHoldpoint(options) {
  return create(operations, options);
}
`;

const INDEX_TYPES = `import type { Operations } from './operations.js';
import type { Holdpoint as HoldpointOf, HoldpointOptions } from './shared/client/holdpoint.js';

export { AppError } from './shared/contract/errors.js';
export type { ErrorCode, FieldErrors } from './shared/contract/errors.js';
export { CallError } from './shared/operations/send-operation.js';
export type * from './operations.js';
export type { CallExtras, ChangesOptions, ChangesPage, FollowOptions, HoldpointOptions } from './shared/client/holdpoint.js';
export type { TypedReply } from './shared/operations/send-operation.js';
export type { StreamedEvent } from './shared/client/read-events.js';

export type Holdpoint = HoldpointOf<Operations>;

/**
 * A client of the interface that repeats what was lost. Errors that the server answers are \`CallError\`; without an answer
 * in time, \`AppError\` with the code \`unavailable\` or \`timeout\`.
 */
export declare function createHoldpoint(options: HoldpointOptions): Holdpoint;
`;

if (process.argv[1] === import.meta.filename) await buildClient(join(PROJECT, 'dist/client'));
