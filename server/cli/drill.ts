import { Command } from 'commander';
import type { RestorePractice } from '../../shared/operations/backup-operations.ts';
import { askBackupKey, KEY_FILE, type KeyOptions } from './ask.ts';
import type { WithInterface } from './interface.ts';

/** `holdpoint drill`: a restore is practised, with nothing of the installation touched. */
export function drillCommand(withInterface: WithInterface): Command {
  return new Command('drill')
    .description('practise a restore: the newest backup into a scratch folder, verified; the trail notes it')
    .option(...KEY_FILE)
    .action(async (options: KeyOptions) => {
      const found = await withInterface(async client => {
        const { data: state } = await client.call('x.backups.list');
        const newest = state.backups.toSorted((one, other) => (one.at < other.at ? 1 : -1))[0];
        const key =
          newest?.key == null
            ? undefined
            : await askBackupKey(options, `${newest.file} is encrypted to the key ${newest.key}.`);
        const body = key === undefined ? {} : { key };
        return (await client.call('x.backups.practise', { body })).data;
      });
      process.stdout.write(told(found));
      if (found.fault !== null) process.exitCode = 1;
    });
}

function told({ file, made_at: madeAt, records, commits, seconds, fault }: RestorePractice): string {
  const of = `${file}, made ${madeAt.slice(0, 16).replace('T', ' ')} UTC`;
  return fault === null
    ? `${of}, can be restored: ${records} records and ${commits} commits, verified, in ${seconds.toFixed(1)} s. Nothing here was changed.\n`
    : `${of}, cannot be restored: ${fault}\nMake another backup at once: holdpoint backup\n`;
}
