import { join } from 'node:path';
import { runCommand } from './command.ts';

/** The entry of the utility process that runs one command for the dialog of a server that cannot start. */
const program = join(import.meta.dirname, '..', 'server', 'holdpoint.js');
process.exit(await runCommand(program, process.argv.slice(2)));
