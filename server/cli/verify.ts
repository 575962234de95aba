import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { AppError } from '../../shared/contract/errors.ts';
import type { Comparison } from '../../shared/operations/exchange-operations.ts';
import type { AuditEvent } from '../audit/event.ts';
import type { PackageReport } from '../quality/verify-package.ts';
import type { VerifyReport } from '../store/verify/verify.ts';
import type { CheckpointReport } from '../trust/verify-checkpoint.ts';
import type { WithInterface } from './interface.ts';
import { keepForTrail } from './keep-for-trail.ts';
import { cancellable, progressLine } from './progress.ts';
import { findingLines, told, verdict } from './verify-told.ts';

const WRONG = 1;
const NOT_WITH =
  '--checkpoint compares a data folder or a backup. Leave --central out, and give no .json file to verify.';

interface VerifyChoices {
  central?: boolean;
  checkpoint?: string;
}

/** `holdpoint verify`: reads the files itself, whether a server uses them or not. */
export function verifyCommand(folderOf: () => string, withInterface: WithInterface): Command {
  return new Command('verify')
    .description('prove that history, records and stock agree; ends with 1 when something is wrong')
    .argument('[file]', 'a backup to verify instead of the data folder, or a recall package (.json)')
    .option('--central', 'at an enrolled station whose server runs: compare all records with central instead')
    .option(
      '--checkpoint <file>',
      'compare also with checkpoints that were kept elsewhere (holdpoint checkpoint)',
    )
    .action(async (file: string | undefined, { central, checkpoint }: VerifyChoices) => {
      const isOther = central || file?.toLowerCase().endsWith('.json');
      if (checkpoint !== undefined && isOther) throw new AppError('validation_failed', NOT_WITH);
      if (central) {
        const { data } = await withInterface(client => client.call('x.sync.comparison'));
        process.stdout.write(compared(data));
        if (!data.is_same) process.exitCode = WRONG;
        return;
      }
      if (file?.toLowerCase().endsWith('.json')) {
        const { verifyPackage } = await import('../quality/verify-package.ts');
        const report = verifyPackage(await textOf(file));
        process.stdout.write(packageTold(file, report));
        if (report.faults > 0) process.exitCode = WRONG;
        return;
      }
      const [{ verify }, { verifyDependencies }] = await Promise.all([
        import('../store/verify/verify.ts'),
        import('../backup/verify-dependencies.ts'),
      ]);
      const line = progressLine(process.stderr);
      const report = await cancellable(signal =>
        verify(file ?? folderOf(), {
          ...verifyDependencies,
          onProgress: (doing, count) => line.show(`${count} ${doing} read`),
          signal,
        }),
      ).finally(line.clear);
      process.stdout.write(told(report));
      if (report.faults > 0) process.exitCode = WRONG;
      const { verifyCheckpoints } = await import('../trust/verify-checkpoint.ts');
      const kept = await verifyCheckpoints(file ?? folderOf(), checkpoint);
      if (checkpoint !== undefined || kept.findings.length > 0)
        process.stdout.write(checkpointsTold(checkpoint ?? 'what central signed', kept));
      if (kept.findings.length > 0) process.exitCode = WRONG;
      keepForTrail(folderOf(), verifiedEvent(report, kept.findings.length));
    });
}

function verifiedEvent({ file, faults, records, commits }: VerifyReport, otherwise: number): AuditEvent {
  return {
    kind: 'verified',
    details: { what: file, faults, records, commits, checkpoints_otherwise: otherwise },
  };
}

function compared({ is_same: isSame, sequence, families }: Comparison): string {
  const place = `entry ${sequence} of central's log`;
  if (isSame) return `All records of ${families.length} families are the same as central's, at ${place}.\n`;
  const lines = families.flatMap(({ family, is_same: isSameFamily, records }) => {
    if (isSameFamily) return [];
    if (!records) return [`${family}: differs; the log went on before its records could be compared.`];
    return records.map(({ key, is_here: isHere, is_at_central: isAtCentral }) => {
      const how =
        isHere && isAtCentral ? 'is another one' : isHere ? 'is missing at central' : 'is missing here';
      return `${key}: ${how}`;
    });
  });
  const remedy =
    'Run "holdpoint verify" here and at central: it names which of them is not what its log says.';
  return `These records are not the same as central's, at ${place}:\n${lines.join('\n')}\n${remedy}\n`;
}

function checkpointsTold(file: string, { findings, agreed, notes, signers }: CheckpointReport): string {
  const says = agreed === 1 ? '1 place is' : `${agreed} places are`;
  const by = signers.map(
    ({ installation, fingerprint }) => `Signed by ${installation}, key SHA-256 ${fingerprint}`,
  );
  return [
    ...findingLines(findings, findings.length),
    `${says} here as ${file} has ${agreed === 1 ? 'it' : 'them'}; ${findings.length === 0 ? 'nothing' : findings.length} of it differs.\n`,
    ...by.map(line => `${line}\n`),
    ...notes.map(note => `Note: ${note}\n`),
  ].join('');
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new AppError('not_found', `The file ${file} cannot be read. Give the path of a recall package.`, {
      cause,
    });
  }
}

function packageTold(file: string, report: PackageReport): string {
  const { findings, faults, notes, subject, title, station, records, commits } = report;
  const read = `${records} records and ${commits} commits of ${subject} (${title})`;
  const made = `Made ${report.made_at} by ${report.made_by} at station ${station}. SHA-256 ${report.package_sha256}`;
  return [
    ...findingLines(findings, faults),
    verdict(faults, file, read),
    `${made}\n`,
    ...notes.map(note => `Note: ${note}\n`),
  ].join('');
}
