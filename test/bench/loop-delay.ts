import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the processor time of the thread is read. In milliseconds. */
const EVERY_MS = 2;

/**
 * Preloaded into a measured process (`--import`): at SIGUSR2 it says for how many milliseconds its event loop was held up at
 * most since the last time, and how much processor time of its thread passed in one turn at most: that is what the program
 * itself took, however busy the machine is.
 */
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let longest = 0;
let before = used();
setInterval(() => {
  const now = used();
  longest = Math.max(longest, now - before);
  before = now;
}, EVERY_MS).unref();
process.on('SIGUSR2', () => {
  const [wall, processor] = [delay.max / 1e6, longest].map(Math.round);
  process.stdout.write(`loop held up for ${wall} ms, of the processor ${processor} ms\n`);
  delay.reset();
  longest = 0;
});

/** Of this thread, in milliseconds. */
function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
