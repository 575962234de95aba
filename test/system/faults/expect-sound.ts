import { expect } from 'vitest';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { verify } from '../../../server/store/verify/verify.ts';
import { checkFaults } from './check-faults.ts';
import type { FaultLog } from './fault-log.ts';

/**
 * Fails with every violation that the checker and `verify` find in the data folder, and where the log has no write that
 * was answered 2xx. `what` was done to the server is printed with the figures.
 */
export async function expectSound(folder: string, log: FaultLog, what: string): Promise<void> {
  const { written, refused, unknown } = log.counts();
  tell(
    `${what}: ${written} writes answered 2xx, ${refused} refused, ${unknown} without a clear answer, ` +
      `${repeated(log)} requests repeated`,
  );
  expect(checkFaults(folder, log)).toEqual([]);
  expect((await verify(folder, { ...verifyDependencies })).findings).toEqual([]);
  expect(written).toBeGreaterThan(0);
}

/** A line of figures, for people who read the run. */
export function tell(line: string): void {
  process.stdout.write(`    ${line}\n`);
}

function repeated(log: FaultLog): number {
  return log.operations.reduce((sum, { attempts }) => sum + Math.max(0, attempts.length - 1), 0);
}
