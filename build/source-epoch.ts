import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** By which a package's files are dated, in seconds since 1970: `SOURCE_DATE_EPOCH`, or else when the commit was made. */
export function sourceEpoch(): number {
  const { SOURCE_DATE_EPOCH: given } = process.env;
  if (given) return Number(given);
  const project = join(import.meta.dirname, '..');
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: project, encoding: 'utf8' }));
}
