import { setTimeout as sleep } from 'node:timers/promises';
import { TOKEN } from './bench-machine.ts';
import { Connection, prepare } from './client.ts';

const READ_EVERY_MS = 5;

/** Milliseconds of each read of a page of parts until something has ended. @throws whatever that ended with */
export async function readsUntil(port: number, end: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const over = end.finally(() => {
    isOver = true;
  });
  // Thrown below, when the reads have ended.
  over.catch(() => {});
  const connection = await Connection.open(port);
  const request = prepare('GET', '/api/v2/parts?page=3', port, TOKEN);
  const took: number[] = [];
  while (!isOver) {
    const began = performance.now();
    await connection.send(request);
    took.push(performance.now() - began);
    await sleep(READ_EVERY_MS);
  }
  connection.close();
  await over;
  return took;
}
