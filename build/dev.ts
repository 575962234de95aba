import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, type ProxyOptions } from 'vite';

/**
 * `npm run dev`: the screens from their sources, in the browser at once when a file is saved. Calls go to the station at
 * `HOLDPOINT_PORT` that runs beside it (`npm run serve`); where none answers, one is started and ended with this.
 *
 * Vite's page loads its client by an inline script, so it has no Content-Security-Policy; `npm run build` makes the pages
 * that have one. A text of a catalogue (`texts.ts`) is read when the page opens, so the page reloads for it.
 */
const project = join(import.meta.dirname, '..');
const station = `http://127.0.0.1:${process.env.HOLDPOINT_PORT ?? '4870'}`;
const port = Number(process.env.HOLDPOINT_DEV_PORT ?? 5173);

/** A station refuses what was asked of another host, or by another origin's page. Here the two are one page. */
const toStation: ProxyOptions = {
  target: station,
  changeOrigin: true,
  configure: proxy => {
    proxy.on('proxyReq', (request, { headers }) => {
      if (headers.origin === screens) request.setHeader('origin', station);
    });
  },
};

const server = await createServer({
  configFile: join(project, 'build', 'vite.renderer.ts'),
  root: join(project, 'renderer'),
  // Of this checkout alone: node_modules may be a link to another one's.
  cacheDir: join(project, 'dist', 'dev'),
  server: {
    host: '127.0.0.1',
    port,
    strictPort: true,
    cors: false,
    // `/api` alone would take the screens' own folder of that name.
    proxy: { '/api/v2': toStation, '/docs': toStation },
    fs: { allow: [project, realpathSync(join(project, 'node_modules'))] },
  },
});
await server.listen();
const screens = `http://127.0.0.1:${port}`;
process.stdout.write(`The screens are at ${screens}/app, their station at ${station}.\n`);

const child = (await isAnswering()) ? undefined : startStation();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end());

function startStation(): ReturnType<typeof spawn> {
  process.stdout.write('No station answers there, so one is started.\n');
  const main = join(project, 'server', 'app', 'main.ts');
  const started = spawn(process.execPath, [main, 'serve'], { stdio: ['ignore', 'pipe', 'inherit'] });
  // The link of the first sign-in leads to the screens here.
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text.replaceAll(`${station}/first`, `${screens}/first`));
  });
  started.once('exit', code => void end(code ?? 1));
  return started;
}

async function end(code = 0): Promise<void> {
  child?.removeAllListeners('exit');
  child?.once('exit', () => process.exit(code));
  await server.close();
  if (child?.exitCode === null && child.kill()) return;
  process.exit(code);
}

async function isAnswering(): Promise<boolean> {
  return fetch(`${station}/api/v2/status`).then(
    ({ ok }) => ok,
    () => false,
  );
}
