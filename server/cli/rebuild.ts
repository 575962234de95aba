import { Command } from 'commander';
import type { WithInterface } from './interface.ts';

/** `holdpoint rebuild` */
export function rebuildCommand(withInterface: WithInterface): Command {
  return new Command('rebuild')
    .description('work out stock, search and counters anew from the records')
    .action(async () => {
      const { data } = await withInterface(client => client.call('x.rebuild'));
      const { records, differences, seconds } = data;
      const found =
        differences === 0 ? 'Nothing was wrong.' : `${differences} derived values were wrong and are mended.`;
      process.stdout.write(`${records} records read in ${seconds.toFixed(1)} s. ${found}\n`);
    });
}
