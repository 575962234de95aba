import { Command } from 'commander';
import type { VerifyReport } from '../store/verify.ts';
import { cancellable, progressLine } from './progress.ts';

const WRONG = 1;

/** `holdpoint verify`: reads the files itself, whether a server uses them or not. */
export function verifyCommand(folderOf: () => string): Command {
  return new Command('verify')
    .description('prove that history, records and stock agree; ends with 1 when something is wrong')
    .argument('[file]', 'a backup to verify instead of the data folder')
    .action(async (file: string | undefined) => {
      const [{ verify }, { proof }] = await Promise.all([
        import('../store/verify.ts'),
        import('../proof.ts'),
      ]);
      const line = progressLine(process.stderr);
      const report = await cancellable(signal =>
        verify(file ?? folderOf(), {
          ...proof,
          onProgress: (doing, count) => line.show(`${count} ${doing} read`),
          signal,
        }),
      ).finally(line.clear);
      process.stdout.write(told(report));
      if (report.faults > 0) process.exitCode = WRONG;
    });
}

function told(report: VerifyReport): string {
  const { findings, faults, file, records, commits, chains, unknown, seconds } = report;
  const lines = findings.map(
    ({ what, where, remedy }, index) => `${index + 1}. ${what}\n   ${where}\n   ${remedy}\n`,
  );
  if (faults > findings.length) lines.push(`… and ${faults - findings.length} more.\n`);
  if (unknown > 0) {
    lines.push(
      `${unknown} records are of families that this version does not know: only their hashes were checked.\n`,
    );
  }
  const read = `${commits} commits in ${chains === 1 ? '1 chain' : `${chains} chains`} and ${records} records read in ${seconds.toFixed(1)} s`;
  const end =
    faults === 0
      ? `Nothing is wrong with ${file}: ${read}.`
      : `${faults === 1 ? '1 thing is' : `${faults} things are`} wrong with ${file}: ${read}.`;
  return `${lines.join('')}${end}\n`;
}
