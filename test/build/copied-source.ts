import { cp, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
/** What the server and the screens are built from. */
const SOURCES = [
  'shared',
  'server',
  'renderer',
  'build',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
];

/** A checkout of its own in a temporary folder, which a test may change; its packages are this checkout's. */
export async function copySource(further: readonly string[] = []): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdpoint-source-'));
  for (const name of [...SOURCES, ...further]) {
    await cp(join(PROJECT, name), join(folder, name), { recursive: true });
  }
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}
