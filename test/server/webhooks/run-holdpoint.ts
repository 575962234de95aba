import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { HOLDPOINT } from '../../support/command-line.ts';

/** `npx holdpoint` over a data folder. Throws with its output where it fails. */
export async function runHoldpoint(folder: string, ...words: string[]): Promise<string> {
  const env = { ...process.env, NODE_ENV: undefined, HOLDPOINT_DATA: folder, HOLDPOINT_TOKEN: undefined };
  const { stdout } = await promisify(execFile)(process.execPath, [HOLDPOINT, ...words], { env });
  return stdout;
}
