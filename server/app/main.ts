import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freshBundle } from './fresh-bundle.ts';
import { supervise } from './supervisor.ts';

/**
 * `node server/app/main.ts serve`: a station's server without a window, restarted when it ends by a fault.
 * `central` is the same server for others to sync with, and `run serve` or `run central` the server process itself.
 */
const [role = 'serve', kind] = process.argv.slice(2);
const program = fileURLToPath(import.meta.url);
const isBundle = program.endsWith('.js');

switch (role) {
  case 'serve':
  case 'central':
    // An installation has the bundle and no sources that it could be older than.
    supervise((isBundle ? undefined : freshBundle(dirname(dirname(dirname(program))))) ?? program, [
      'run',
      role,
    ]);
    break;
  case 'run': {
    // A quarter of a start is compiling. Where the folder beside the bundle cannot be written, every start does it anew.
    if (isBundle) enableCompileCache(join(dirname(program), 'compiled'));
    // Loaded here, because the process that supervises has no use for it.
    const { endRefused, runServer } = await import('./process.ts');
    runServer(kind === 'central' ? 'central' : 'station').catch(endRefused);
    break;
  }
  default:
    process.stderr.write(`There is no role ${role}. Use: serve, central.\n`);
    process.exit(2);
}
