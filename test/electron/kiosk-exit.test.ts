import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { jsonFile } from '../../electron/json-file.ts';
import { createKioskExit, NO_TRIES, triesSchema } from '../../electron/kiosk-exit.ts';
import { createPasswords } from '../../server/identity/passwords.ts';

const MINUTE_MS = 60_000;
let folder: string;
let log: string[];
let left: number;
let now: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-kiosk-'));
  [log, left, now] = [[], 0, Date.parse('2031-01-15T08:00:00Z')];
});
afterEach(() => rm(folder, { recursive: true }));

/** As the command writes it, but cheap. */
const { hash } = createPasswords({ cost: { log2N: 10, r: 8, p: 1 } });

/** The app as it starts: what it keeps is in a file. */
function start(stored?: string) {
  return createKioskExit({
    stored: () => stored,
    tries: jsonFile(join(folder, 'tries.json'), triesSchema, NO_TRIES),
    leave: () => {
      left += 1;
    },
    log: text => log.push(text),
    now: () => now,
  });
}

it('the PIN of the policy leads out, and the log says so', async () => {
  const leave = start(await hash('493817'));
  expect(await leave('493818')).toBe('wrong');
  expect(left).toBe(0);
  expect(await leave('493817')).toBe('left');
  expect(left).toBe(1);
  expect(log).toEqual(['A wrong PIN to leave the kiosk, 1 of 5.\n', 'The kiosk was left by its PIN.\n']);
  expect(log.join()).not.toMatch(/4938/);
});

it('after five wrong ones none is tried for a quarter of an hour, also by a new start or a clock that was set back', async () => {
  const stored = await hash('493817');
  // At once, too: each counts.
  const answers = await Promise.all(['1', '2', '3', '4', '5', '493817'].map(start(stored)));
  expect(answers).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'resting', 'resting']);
  expect(await start(stored)('493817')).toBe('resting');
  now -= 10 * MINUTE_MS;
  expect(await start(stored)('493817')).toBe('resting');
  now += 10 * MINUTE_MS + 15 * MINUTE_MS;
  // Not five more: they count anew.
  expect(await start(stored)('1')).toBe('wrong');
  expect(await start(stored)('493817')).toBe('left');
  expect(left).toBe(1);
  expect(log.filter(line => line.includes('was not tried'))).toHaveLength(3);
});

it('without a PIN in the policy nothing leads out', async () => {
  expect(await start()('')).toBe('no_pin');
  expect(left).toBe(0);
});
