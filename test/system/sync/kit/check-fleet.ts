import { verifyDependencies } from '../../../../server/backup/verify-dependencies.ts';
import { verify } from '../../../../server/store/verify/verify.ts';
import { answerFaults } from '../../faults/check-faults.ts';
import { sequenceFaults } from '../../faults/check-sequence.ts';
import type { FaultLog } from '../../faults/fault-log.ts';
import { keptFaults, type Pair } from './check-kept.ts';
import { differences, Names, waitingOn } from './check-same.ts';
import { type Machine, type MachineFile, readMachineFile } from './machine-file.ts';

/** D durable, X once, A agree, S sequence, C converge, K kept, N no ghosts. */
export type FleetLetter = 'D' | 'X' | 'A' | 'S' | 'C' | 'K' | 'N';

export interface FleetViolation {
  letter: FleetLetter;
  what: string;
}

export interface FleetEvidence {
  /** Central first. They have exchanged all, and nobody writes. */
  machines: readonly Machine[];
  /** Of every client at any of them. */
  logs: readonly FaultLog[];
  pairs: readonly Pair[];
}

/**
 * Compares what clients were answered anywhere with what every machine's database holds. Of the databases it holds two at
 * a time: the first one, and the one that is compared with it.
 * @param wanted what must be found: without A among it no machine is verified
 */
export async function checkFleet(
  { machines, logs, pairs }: FleetEvidence,
  wanted?: readonly FleetLetter[],
): Promise<FleetViolation[]> {
  const violations: FleetViolation[] = [];
  const add = (letter: FleetLetter, what: string) => violations.push({ letter, what });
  const names = new Names(logs);
  let first: MachineFile | undefined;
  for (const machine of machines) {
    const read = readMachineFile(machine);
    const { name, folder, file } = read;
    for (const log of logs) {
      for (const { letter, what } of answerFaults(file, log)) add(letter, `${name}: ${what}`);
    }
    for (const { letter, what } of sequenceFaults(file)) add(letter, `${name}: ${what}`);
    for (const what of keptFaults(read, pairs)) add('K', what);
    if (wanted?.includes('A') ?? true) {
      for (const { what, where } of (await verify(folder, verifyDependencies)).findings)
        add('A', `${name}: ${what} (${where})`);
    }
    for (const what of waitingOn(read)) add('C', what);
    if (first) for (const what of differences(first, read)) add('C', what);
    first ??= read;
    names.note(read);
  }
  for (const what of names.faults) add('S', what);
  return violations;
}
