import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openAuthority } from '../../../server/trust/authority-key.ts';
import { checkpointFile, isSigned } from '../../../server/trust/checkpoint.ts';
import { createCheckpoints } from '../../../server/trust/checkpoints.ts';
import { Verifier } from '../../system/trust/verifier.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';
import { create, temporaryStore } from '../store/temporary-store.ts';

const DAY = 24 * 3_600_000;
const verifier = Verifier.own();
afterAll(() => verifier.close());

it('a checkpoint of a clock that nobody has confirmed says what it was at least, and has signed that', async () => {
  const machine = { wall: Date.parse('2026-06-15T12:00:00.000Z'), steady: 1_000_000 };
  const clock = () => new Date(machine.wall);
  const store = await temporaryStore({ clock, steady: () => machine.steady });
  const folder = temporaryFolder();
  const checkpoints = createCheckpoints({ store, authority: openAuthority(folder), clock });
  const told = async (name: string) => {
    await create(store, 'supplier', { name });
    const checkpoint = checkpoints.present();
    if (!checkpoint) throw new Error('There is no history.');
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(checkpointFile([checkpoint])));
    return { checkpoint, ...(await verifier.verify(file)) };
  };
  const before = await told('Before');
  expect(before.checkpoint).not.toHaveProperty('clock_at_least');
  expect(before.output).not.toContain('Ask');

  machine.wall -= 400 * DAY;
  const back = await told('Back');
  expect(back.checkpoint).toMatchObject({
    at: '2025-05-11T12:00:00.000Z',
    clock_at_least: '2026-06-15T12:00:00.000Z',
  });
  expect(isSigned(back.checkpoint)).toBe(true);
  expect(back).toMatchObject({
    code: 0,
    output: expect.stringContaining(
      'dated 2025-05-11T12:00:00.000Z, when it was 2026-06-15T12:00:00.000Z at least',
    ),
  });
  // Who takes the mark off, or puts another one, has not signed it.
  const { clock_at_least: _, ...without } = back.checkpoint;
  for (const altered of [without, { ...back.checkpoint, clock_at_least: '2025-05-11T12:00:00.000Z' }])
    expect(isSigned(altered)).toBe(false);

  machine.wall += 400 * DAY;
  expect((await told('Right again')).checkpoint).not.toHaveProperty('clock_at_least');
});
