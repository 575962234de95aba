import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import manifest from '../package.json' with { type: 'json' };

const LIST = 'files.json';
/** What the runtime keeps beside the server. */
const CACHE = /^compiled[/\\]/;

/** Writes beside what was built which files it is, by their SHA-256: `holdpoint validate` compares an installation with it. */
export function listFiles(): Plugin {
  return {
    name: 'list-files',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      handler: ({ dir }) => {
        if (dir !== undefined) writeList(dir);
      },
    },
  };
}

export function writeList(folder: string, version: string = manifest.version): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    name => name !== LIST && !CACHE.test(name) && statSync(join(folder, name)).isFile(),
  );
  const files = names
    .map(name => [name.replaceAll('\\', '/'), hash('sha256', readFileSync(join(folder, name)))] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(
    join(folder, LIST),
    `${JSON.stringify({ version, files: Object.fromEntries(files) }, null, 1)}\n`,
  );
}
