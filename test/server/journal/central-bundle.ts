import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';

let bundled: Promise<string> | undefined;

/** The program of a central's process, bundled once for all that are started: from the sources each takes four times as long. */
export function centralBundle(): Promise<string> {
  bundled ??= bundle();
  return bundled;
}

async function bundle(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'holdpoint-central-program-'));
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  const input = {
    program: 'test/server/journal/central-program.ts',
    // A thread is started by its file.
    'write-back-thread': 'server/store/sqlite/write-back-thread.ts',
  };
  await build({
    configFile: false,
    logLevel: 'silent',
    build: { ssr: true, target: 'node24', minify: false, outDir, rolldownOptions: { input } },
    ssr: { noExternal: true },
  });
  return join(outDir, 'program.js');
}
