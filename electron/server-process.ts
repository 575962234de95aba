import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The entry of the utility process that runs the station's server: the bundle that `npm run serve` runs as well, with
 * Electron's channel in the place of Node's. Ends in order on `stop`, because Windows has no signal for that.
 */
const { parentPort } = process;
/** What came before the server was there to listen. */
const early: unknown[] = [];
let hasStarted = false;

process.send = (message: unknown) => {
  parentPort.postMessage(message);
  if (isStarted(message)) {
    hasStarted = true;
    // The server begins to listen in the same turn as it says that it has started.
    setImmediate(() => {
      for (const each of early) process.emit('message', each, undefined);
    });
  }
  return true;
};
parentPort.on('message', ({ data }) => {
  if (hasStarted) process.emit('message', data, undefined);
  else early.push(data);
});

const program = join(import.meta.dirname, '..', 'server', 'main.js');
process.argv = [process.execPath, program, 'run', 'serve'];
await import(pathToFileURL(program).href);

function isStarted(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'type' in message && message.type === 'server-started'
  );
}
