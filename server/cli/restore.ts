import { Command } from 'commander';
import type { RestoreReport } from '../store/restore/restore.ts';
import { cancellable, progressLine } from './progress.ts';

/** `holdpoint restore`: with the server stopped. */
export function restoreCommand(folderOf: () => string): Command {
  return new Command('restore')
    .description('bring a backup back; the present database is kept aside')
    .argument('<file>', 'a backup; the database itself to go on with what is left of it')
    .action(async (file: string) => {
      const [{ restore }, { verifyDependencies }] = await Promise.all([
        import('../store/restore/restore.ts'),
        import('../backup/verify-dependencies.ts'),
      ]);
      const line = progressLine(process.stderr);
      const report = await cancellable(signal =>
        restore({
          folder: folderOf(),
          file,
          ...verifyDependencies,
          clock: () => new Date(),
          onProgress: (doing, count) => line.show(`${count} ${doing} verified`),
          signal,
        }),
      ).finally(line.clear);
      process.stdout.write(told(file, report));
    });
}

function told(file: string, { records, commits, aside, chain, block, lost }: RestoreReport): string {
  return [
    `${file} is restored and verified: ${records} records, ${commits} commits.`,
    aside === null ? 'There was no database before.' : `The former database is kept: ${aside}`,
    ...(aside === null ? [] : [lostIn(lost)]),
    block === null
      ? `New commits go into the chain ${chain}; new ids and numbers are of the next block that central gives, so connect the station before new records are made.`
      : `New commits go into the chain ${chain}; new ids and numbers are of block ${block}, which was never used here.`,
    '',
  ].join('\n');
}

function lostIn(lost: RestoreReport['lost']): string {
  if (lost === null) return 'It cannot be read: what it has and the backup lacks is not known.';
  if (lost.commits === 0) return 'It has nothing that the backup lacks.';
  return `It has ${lost.commits === 1 ? '1 commit' : `${lost.commits} commits`} that the backup lacks, the newest of ${lost.newest}.`;
}
