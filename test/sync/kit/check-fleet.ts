import { proof } from '../../../server/proof.ts';
import { verify } from '../../../server/store/verify.ts';
import { answerFaults } from '../../faults/check-faults.ts';
import { sequenceFaults } from '../../faults/check-sequence.ts';
import type { FaultLog } from '../../faults/fault-log.ts';
import { keptFaults, type Pair } from './check-kept.ts';
import { ambiguities, differences } from './check-same.ts';
import { type Machine, readMachineFile } from './machine-file.ts';

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

/** Compares what clients were answered anywhere with what every machine's database holds. */
export async function checkFleet({ machines, logs, pairs }: FleetEvidence): Promise<FleetViolation[]> {
  const files = machines.map(machine => readMachineFile(machine));
  const violations: FleetViolation[] = [];
  const add = (letter: FleetLetter, what: string) => violations.push({ letter, what });
  for (const machine of files) {
    const { name, folder, file } = machine;
    for (const log of logs) {
      for (const { letter, what } of answerFaults(file, log)) add(letter, `${name}: ${what}`);
    }
    for (const { letter, what } of sequenceFaults(file)) add(letter, `${name}: ${what}`);
    for (const what of keptFaults(machine, pairs)) add('K', what);
    for (const { what, where } of (await verify(folder, proof)).findings) {
      add('A', `${name}: ${what} (${where})`);
    }
  }
  for (const what of differences(files)) add('C', what);
  for (const what of ambiguities(files, logs)) add('S', what);
  return violations;
}
