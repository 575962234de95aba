import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freshBundle } from './fresh-bundle.ts';
import { supervise } from './supervisor.ts';

/**
 * `node server/main.ts serve`: a station's server without a window, restarted when it ends by a fault.
 * `central` is the same server for others to sync with, and `run` is the server process itself.
 */
const [role = 'serve'] = process.argv.slice(2);
const program = fileURLToPath(import.meta.url);

switch (role) {
  case 'serve':
  case 'central':
    supervise(freshBundle(dirname(dirname(program))) ?? program, ['run']);
    break;
  case 'run': {
    // Loaded here, because the process that supervises has no use for it.
    const { endRefused, runServer } = await import('./process.ts');
    runServer().catch(endRefused);
    break;
  }
  default:
    process.stderr.write(`There is no role ${role}. Use: serve, central.\n`);
    process.exit(2);
}
