import { resolve } from 'node:path';
import { Command } from 'commander';
import type { WithInterface } from './interface.ts';

/** `holdpoint backup` */
export function backupCommand(withInterface: WithInterface): Command {
  return new Command('backup')
    .description('make a checked copy of everything, while the server runs or without it')
    .option('--to <folder>', 'another folder than the settings name (backup_folder)')
    .action(async ({ to }: { to?: string }) => {
      const body = to === undefined ? {} : { folder: resolve(to) };
      const { done, warning } = await withInterface(async client => ({
        done: (await client.call('x.backups.create', { body })).data,
        warning: (await client.call('x.backups.list')).data.warning,
      }));
      const { file, bytes, records, commits, seconds } = done;
      if (warning !== null && to === undefined) process.stderr.write(`Warning: ${warning}\n`);
      process.stdout.write(
        `${file}: ${records} records and ${commits} commits, ${(bytes / 2 ** 20).toFixed(1)} MiB, verified, in ${seconds.toFixed(1)} s.\n`,
      );
    });
}
