import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type CentralProcess, Refused } from './central-process.ts';

/** In milliseconds; how often is asked for one that is refused. */
const PAUSE_MS = 50;
const ATTEMPTS = 600;

export function named(count: number, by: string): string[] {
  return Array.from({ length: count }, (_, n) => `${by}${n}`);
}

/**
 * Creates until each is answered: an answer that says that nothing is written, or none at all, is no answer.
 * @param onAnswered told each that is
 * @returns the names under which they were answered, another one for each attempt
 */
export async function createAll(
  names: readonly string[],
  processes: readonly CentralProcess[],
  onAnswered: (name: string) => void = () => {},
): Promise<string[]> {
  const answered: string[] = [];
  await Promise.all(
    names.map(async (name, n) => {
      for (let attempt = 0; ; attempt += 1) {
        const written = `${name} ${attempt}`;
        try {
          await processes[(n + attempt) % processes.length]?.create(written);
          answered.push(written);
          onAnswered(written);
          return;
        } catch (error) {
          if (!isToRepeat(error) || attempt > ATTEMPTS) throw error;
          await sleep(PAUSE_MS);
        }
      }
    }),
  );
  return answered;
}

/** It ended, or says that nothing is written. */
export function isToRepeat(error: unknown): boolean {
  return error instanceof Refused && (error.code === 'gone' || error.code === 'unavailable');
}

/** All that was answered is there once; besides at most what nobody had an answer to. */
export function expectKept(suppliers: readonly string[], answered: readonly string[]): void {
  expect(new Set(suppliers).size).toBe(suppliers.length);
  expect(answered.filter(name => !suppliers.includes(name))).toEqual([]);
}

/** Each stands where the other does, and in itself, and is as its journal has it; answers where. They are closed. */
export async function expectSame(...processes: CentralProcess[]) {
  const standings = await Promise.all(processes.map(each => each.standing()));
  for (const standing of standings) expect(standing).toEqual(standings[0]);
  for (const each of processes) expect((await each.close()).findings).toEqual([]);
  return standings[0];
}
