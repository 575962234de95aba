import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Station } from '../../support/station.ts';

/** The number of the server process, which its supervisor starts anew when it is killed; it says it when it is ready. */
export function serverProcess({ output }: Station): number {
  return Number([...output.matchAll(/\(process (\d+)\)/g)].at(-1)?.[1]);
}

/** SIGKILL to the server process alone. Returns when the next one answers. */
export async function killServerProcess(station: Station): Promise<void> {
  const pid = serverProcess(station);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => serverProcess(station), { interval: 20 }).not.toBe(pid);
  await untilAnswering(station);
}

async function untilAnswering(station: Station): Promise<void> {
  const deadline = Date.now() + 180_000;
  for (;;) {
    try {
      if ((await station.get('/status')).status === 200) return;
    } catch (error) {
      if (!(error instanceof TypeError) || Date.now() > deadline) throw error;
    }
    await sleep(20);
  }
}
