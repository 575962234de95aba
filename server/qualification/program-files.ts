import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { canonicalJson } from '../../shared/contract/canonical-json.ts';

/** In each folder of what was built: which files are in it, by their digests. Written by the build. */
const LIST = 'files.json';
const FOLDERS = ['server', 'renderer', 'electron'];
/** Of these a program is made; what else lies beside them, such as the cache of the runtime, it does not read as its own. */
const OF_PROGRAM = /\.(js|mjs|cjs|html)$/;
const CACHE = /^compiled[/\\]/;

const listSchema = z.object({
  version: z.string(),
  files: z.record(z.string(), z.string()),
});

/** The program as it lies on the disk: a folder with what was built, or the sources. */
export interface ProgramFiles {
  /** The folder in which `server`, `renderer` and `electron` lie. */
  root: string;
}

/** Of this process: it lies in `server` of what was built, or is a source. */
export function ownProgramFiles(): ProgramFiles {
  return { root: fileURLToPath(new URL('..', import.meta.url)) };
}

export interface FilesFound {
  /** Versions that the lists name. */
  versions: string[];
  count: number;
  /** SHA-256 of all digests: one number to compare with another machine's. */
  sha256: string;
  /** What is not as it was built, a path and a word each. */
  differing: string[];
}

/** Compares what lies there with what was built; undefined: it runs from its sources. */
export function lookAtFiles({ root }: ProgramFiles): FilesFound | undefined {
  const lists = FOLDERS.flatMap(folder => {
    const path = join(root, folder, LIST);
    return existsSync(path) ? [{ folder, ...listSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) }] : [];
  });
  if (!lists.some(({ folder }) => folder === 'server')) return undefined;
  const differing = lists.flatMap(({ folder, files }) => {
    const changed = Object.entries(files).flatMap(([name, digest]) => {
      const path = join(root, folder, name);
      if (!existsSync(path)) return [`${folder}/${name}: missing`];
      return hash('sha256', readFileSync(path)) === digest ? [] : [`${folder}/${name}: changed`];
    });
    const added = namesIn(join(root, folder)).filter(name => OF_PROGRAM.test(name) && !(name in files));
    return [...changed, ...added.map(name => `${folder}/${name}: added`)];
  });
  const digests = Object.fromEntries(lists.map(({ folder, files }) => [folder, files]));
  return {
    versions: [...new Set(lists.map(({ version }) => version))],
    count: lists.reduce((sum, { files }) => sum + Object.keys(files).length, 0),
    sha256: hash('sha256', canonicalJson(digests)),
    differing,
  };
}

function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => !CACHE.test(name))
    .map(name => name.replaceAll('\\', '/'));
}
