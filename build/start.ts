import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { freshBundle } from '../server/app/fresh-bundle.ts';
import { buildBundles } from './bundles.ts';
import { electronProgram } from './electron-runtime.ts';
import { buildStaleScreens } from './fresh-screens.ts';
import { addressIn, openBrowser } from './open-browser.ts';

/**
 * `npm start`: builds what is stale, then runs the desktop app; where Electron's runtime is not here, the same server
 * for the browser, which has everything but the shell (tray, silent printing, updates).
 */
const project = join(import.meta.dirname, '..');
const electron = electronProgram();
await buildStaleScreens();
if (electron) {
  await buildBundles(freshBundle(project) ? ['electron'] : ['server', 'electron']);
  run(spawn(electron, [project, ...process.argv.slice(2)], { stdio: 'inherit' }));
} else {
  process.stdout.write("Electron's runtime is not here, so the app opens in the browser.\n");
  const server = join(project, 'server', 'app', 'main.ts');
  const child = spawn(process.execPath, [server, 'serve'], { stdio: ['inherit', 'pipe', 'inherit'] });
  run(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    if (output.length > 10_000) return;
    const [before, now] = [addressIn(output), addressIn(output + text)];
    output += text;
    if (before === undefined && now !== undefined) openBrowser(now);
  });
}

function run(child: ReturnType<typeof spawn>): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
  child.once('exit', code => process.exit(code ?? 1));
}
