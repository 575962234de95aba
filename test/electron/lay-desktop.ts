import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { buildBundles } from '../../build/bundles.ts';
import { layServer } from '../support/lay-bundles.ts';
import { TESTED } from '../support/tested-program.ts';

/** Lays the desktop app into a folder as `dist` has it: the main process, its server with cheap passwords, the screens. Its main process's folder. */
export async function layDesktop(folder: string): Promise<string> {
  await Promise.all([layServer(folder, TESTED), buildBundles(['electron'], folder)]);
  await symlink(join(import.meta.dirname, '..', '..', 'dist', 'renderer'), join(folder, 'renderer'));
  return join(folder, 'electron');
}
