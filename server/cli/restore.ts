import { Command } from 'commander';
import type { AuditEvent } from '../audit/event.ts';
import { keyNameOf } from '../backup/backup-key.ts';
import type { RestoreReport } from '../store/restore/restore.ts';
import { askBackupKey, KEY_FILE, type KeyOptions } from './ask.ts';
import { keepForTrail } from './keep-for-trail.ts';
import { cancellable, progressLine } from './progress.ts';

/** `holdpoint restore`: with the server stopped. */
export function restoreCommand(folderOf: () => string): Command {
  return new Command('restore')
    .description('bring a backup back; the present database is kept aside')
    .argument('<file>', 'a backup; the database itself to go on with what is left of it')
    .option(...KEY_FILE)
    .action(async (file: string, options: KeyOptions) => {
      const [{ restore }, { verifyDependencies }, { openedBackup }] = await Promise.all([
        import('../store/restore/restore.ts'),
        import('../backup/verify-dependencies.ts'),
        import('../backup/opened-backup.ts'),
      ]);
      const folder = folderOf();
      const line = progressLine(process.stderr);
      const report = await cancellable(async signal => {
        const opened = await openedBackup({
          folder,
          file,
          askKey: why => askBackupKey(options, why),
          onBytes: bytes => line.show(`${Math.round(bytes / 2 ** 20)} MiB decrypted`),
          signal,
        });
        try {
          return await restore({
            folder,
            file: opened.file,
            source: file,
            ...verifyDependencies,
            clock: () => new Date(),
            onProgress: (doing, count) => line.show(`${count} ${doing} verified`),
            signal,
          });
        } finally {
          opened.close();
        }
      }).finally(line.clear);
      keepForTrail(folder, restoredEvent(file, report));
      process.stdout.write(told(file, report));
    });
}

/** With what the former database had that the backup lacks. */
function restoredEvent(file: string, { records, commits, chain, aside, lost }: RestoreReport): AuditEvent {
  const lacks =
    aside === null ? {} : { lacks_commits: lost?.commits ?? 'unknown', newest_lacking: lost?.newest ?? null };
  return { kind: 'restored', details: { file, records, commits, chain, ...lacks } };
}

function told(
  file: string,
  { records, commits, aside, chain, block, lost, recipient }: RestoreReport,
): string {
  return [
    `${file} is restored and verified: ${records} records, ${commits} commits.`,
    aside === null ? 'There was no database before.' : `The former database is kept: ${aside}`,
    ...(aside === null ? [] : [lostIn(lost)]),
    block === null
      ? `New commits go into the chain ${chain}; new ids and numbers are of the next block that central gives, so connect the station before new records are made.`
      : `New commits go into the chain ${chain}; new ids and numbers are of block ${block}, which was never used here.`,
    ...keyIn(recipient),
    '',
  ].join('\n');
}

/** A former key may be one whose paper is gone, or that was replaced because somebody else has it. */
function keyIn({ now, before }: RestoreReport['recipient']): string[] {
  if (now === before || before === null) return [];
  const says = now === null ? 'not encrypted' : `encrypted to the key ${keyNameOf(now)}`;
  return [
    `Backups are ${says} now, as then; before the restore it was the key ${keyNameOf(before)}. To go on with that one: holdpoint backup-key --recipient ${before}`,
  ];
}

function lostIn(lost: RestoreReport['lost']): string {
  if (lost === null) return 'It cannot be read: what it has and the backup lacks is not known.';
  if (lost.commits === 0) return 'It has nothing that the backup lacks.';
  return `It has ${lost.commits === 1 ? '1 commit' : `${lost.commits} commits`} that the backup lacks, the newest of ${lost.newest}.`;
}
