import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildStaleScreens } from './fresh-screens.ts';

/** `npm start`: builds the screens where they are stale, then runs the station's server, which serves them. */
await buildStaleScreens();
const server = fileURLToPath(new URL('../server/main.ts', import.meta.url));
const child = spawn(process.execPath, [server, 'serve'], { stdio: 'inherit' });
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
child.once('exit', code => process.exit(code ?? 1));
