import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
/** What the screens are made from, folders with all below them. */
const SOURCES = [
  'renderer',
  'shared',
  'build/vite.renderer.ts',
  'build/fresh-screens.ts',
  'build/list-packages.ts',
  'package-lock.json',
];

/** Builds the screens into `dist/renderer`, unless nothing has changed since they were built. */
export async function buildStaleScreens(): Promise<void> {
  const built = statSync(join(PROJECT, 'dist', 'renderer', 'index.html'), { throwIfNoEntry: false })?.mtimeMs;
  const isFresh = built !== undefined && SOURCES.every(name => newestBelow(join(PROJECT, name)) < built);
  if (isFresh) return;
  const { NODE_ENV } = process.env;
  // React chooses its own build for development, larger and slower, by the NODE_ENV that a test run has.
  process.env.NODE_ENV = 'production';
  try {
    await build({
      configFile: join(PROJECT, 'build', 'vite.renderer.ts'),
      root: join(PROJECT, 'renderer'),
      logLevel: 'warn',
    });
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

/** Removing a file changes its folder. */
function newestBelow(path: string): number {
  const own = statSync(path);
  if (!own.isDirectory()) return own.mtimeMs;
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return Math.max(own.mtimeMs, ...names.map(name => statSync(join(path, name)).mtimeMs));
}
