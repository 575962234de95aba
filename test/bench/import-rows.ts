import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchMachine, TOKEN } from './bench-machine.ts';

const LOOK_EVERY_MS = 20;

/** Imports lines of a number and a name into a family, and waits for the end. */
export async function importRows(
  machine: BenchMachine,
  family: string,
  lines: readonly string[],
): Promise<void> {
  const steps = [{ file: 's.csv', family, key: 'no', fields: { name: 'name' } }];
  const job = (await machine.ask('POST', '/x/imports', { mapping: { source: 'bench', steps } })) as {
    id: string;
  };
  const put = await fetch(`${machine.origin}/api/v2/x/imports/${job.id}/files/s.csv`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/octet-stream' },
    body: ['no,name', ...lines].join('\n'),
  });
  if (!put.ok) throw new Error(await put.text());
  await machine.ask('POST', `/x/imports/${job.id}/run`);
  for (;;) {
    const { state, message } = (await machine.ask('GET', `/x/imports/${job.id}`)) as Record<string, string>;
    if (state === 'done') return;
    if (state !== 'running' && state !== 'waiting') throw new Error(message);
    await sleep(LOOK_EVERY_MS);
  }
}
