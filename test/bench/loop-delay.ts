import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Preloaded into a measured process (`--import`): at SIGUSR2 it says for how many milliseconds its event loop was held up at
 * most since the last time.
 */
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('SIGUSR2', () => {
  process.stdout.write(`loop held up for ${Math.round(delay.max / 1e6)} ms\n`);
  delay.reset();
});
