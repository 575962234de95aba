import { EventEmitter } from 'node:events';

/** Electron's `process.parentPort` over the channel of Node.js, in a process that believes to be Electron's. */
Object.defineProperty(process.versions, 'electron', { value: '45.3.4' });
const send = process.send?.bind(process);
const port = Object.assign(new EventEmitter(), { postMessage: (message: unknown) => send?.(message) });
process.on('message', (message: unknown) => {
  // What the app's entry emits itself has another shape.
  if (typeof message === 'object' && message !== null && 'data' in message) port.emit('message', message);
});
Object.assign(process, { parentPort: port });
