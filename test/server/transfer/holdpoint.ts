import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { HOLDPOINT } from '../../support/command-line.ts';
import type { Station } from '../../support/station.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

export interface Run {
  code: number | null;
  /** Of both streams. */
  output: string;
  stdout: string;
}

/** `holdpoint …` on a data folder; where its server runs, with `environmentOf` it. */
export async function holdpoint(env: Record<string, string>, ...words: string[]): Promise<Run> {
  return startHoldpoint(env, ...words).run;
}

/** What tells the command line where a running server is. */
export function environmentOf(station: Station): Record<string, string> {
  return {
    HOLDPOINT_DATA: station.folder,
    HOLDPOINT_PORT: new URL(station.origin).port,
    HOLDPOINT_TOKEN: station.token,
  };
}

/** As `holdpoint`, with the process for signals. */
export function startHoldpoint(
  env: Record<string, string>,
  ...words: string[]
): { child: ChildProcess; run: Promise<Run>; output: () => string } {
  const child = spawn(process.execPath, [HOLDPOINT, ...words], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TZ: 'UTC', NODE_ENV: undefined, ...env },
  });
  let stdout = '';
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const run = once(child, 'close').then(([code]) => ({ code, output, stdout }));
  return { child, run, output: () => output };
}
