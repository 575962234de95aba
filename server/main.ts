import { fileURLToPath } from 'node:url';
import { endRefused, runServer } from './process.ts';
import { supervise } from './supervisor.ts';

/**
 * `node server/main.ts serve`: a station's server without a window, restarted when it ends by a fault.
 * `central` is the same server for others to sync with, and `run` is the server process itself.
 */
const [role = 'serve'] = process.argv.slice(2);

switch (role) {
  case 'serve':
  case 'central':
    supervise(fileURLToPath(import.meta.url), ['run']);
    break;
  case 'run':
    runServer().catch(endRefused);
    break;
  default:
    process.stderr.write(`There is no role ${role}. Use: serve, central.\n`);
    process.exit(2);
}
