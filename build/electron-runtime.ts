import { existsSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..');
const PROGRAMS: Partial<Record<NodeJS.Platform, string>> = {
  win32: 'electron.exe',
  darwin: 'Electron.app/Contents/MacOS/Electron',
};

/**
 * Electron's own program: in the folder that `ELECTRON_OVERRIDE_DIST_PATH` names, or where Electron's install script
 * puts it. Undefined where it was never fetched, which needs a way to its releases.
 */
export function electronProgram(
  env: Record<string, string | undefined> = process.env,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const folder = env.ELECTRON_OVERRIDE_DIST_PATH || join(PROJECT, 'node_modules', 'electron', 'dist');
  const program = join(folder, PROGRAMS[platform] ?? 'electron');
  return existsSync(program) ? program : undefined;
}
