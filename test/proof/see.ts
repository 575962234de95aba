import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startPacked } from './packed-program.ts';
import { SIGHTS } from './sights.ts';

/**
 * `node test/proof/see.ts SIGHT PROGRAM [ARGUMENT…]`: starts a packed app and looks at it, for the jobs of `desktop-proof.yml`. Ends with
 * 1 where something is otherwise; pictures are laid into `dist/proof`.
 */
const [name = '', program = '', ...args] = process.argv.slice(2);
const sight = Object.entries(SIGHTS).find(([each]) => each === name)?.[1];
if (sight === undefined || program === '') {
  process.stderr.write(`Give one of ${Object.keys(SIGHTS).join(', ')}, and a program.\n`);
  process.exit(2);
}
const folder = join(import.meta.dirname, '..', '..', 'dist', 'proof');
mkdirSync(folder, { recursive: true });
const app = await startPacked(program, args);
try {
  await sight({ ...app, memory: () => memoryOf(app.pid), folder, env: process.env });
} finally {
  await app.stop();
}
process.stdout.write(`Seen: ${name}\n`);

/** In bytes. */
function memoryOf(pid: number): number {
  const [command = '', ...words] =
    process.platform === 'win32'
      ? ['powershell', '-NoProfile', '-Command', `(Get-Process -Id ${pid}).WorkingSet64 / 1KB`]
      : ['ps', '-o', 'rss=', '-p', String(pid)];
  return Number(spawnSync(command, words, { encoding: 'utf8' }).stdout) * 1024;
}
