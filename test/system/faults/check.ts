import { readFileSync } from 'node:fs';
import { checkFaults } from './check-faults.ts';
import { FaultLog } from './fault-log.ts';

/** `node test/system/faults/check.ts <data folder> <log>`: says what is violated; ends with 1 when something is. */
const [folder, file] = process.argv.slice(2);
if (folder === undefined || file === undefined) {
  process.stderr.write(
    'Give a data folder and the log of a client: node test/system/faults/check.ts <folder> <log>\n',
  );
  process.exit(2);
}
const log = FaultLog.parse(readFileSync(file, 'utf8'));
const violations = checkFaults(folder, log);
for (const { letter, what } of violations) process.stdout.write(`${letter} ${what}\n`);
const { written, refused, unknown } = log.counts();
process.stdout.write(
  `${violations.length} violations: ${written} writes answered 2xx, ${refused} refused, ${unknown} without a clear answer.\n`,
);
process.exitCode = violations.length > 0 ? 1 : 0;
