import { Command } from 'commander';
import { AppError } from '../../shared/contract/errors.ts';
import type { Config } from '../app/config.ts';
import { textTable } from './text-table.ts';

/** `holdpoint journal`: a central that several processes serve, and the database in PostgreSQL that keeps them in step. */
export function journalCommand(configOf: () => Config): Command {
  return new Command('journal')
    .description('a central that several processes serve (HOLDPOINT_JOURNAL)')
    .addCommand(
      new Command('status')
        .description('show how far the journal is, and which processes there are')
        .action(async () => {
          const { journalStanding } = await import('../journal/presence.ts');
          process.stdout.write(tell(await journalStanding(urlOf(configOf()))));
        }),
    )
    .addCommand(
      new Command('move-in')
        .description("begin a journal that is empty with this central's data folder; the server is stopped")
        .action(async () => {
          const config = configOf();
          const { moveIn } = await import('./move-journal.ts');
          await moveIn({ ...config, journal: urlOf(config) });
          process.stdout.write(
            'The journal has what this central has. Start it, and further processes, with HOLDPOINT_JOURNAL.\n',
          );
        }),
    )
    .addCommand(
      new Command('move-out')
        .description('end the journal, and go on with this data folder alone; all processes are stopped')
        .action(async () => {
          const config = configOf();
          const { moveOut } = await import('./move-journal.ts');
          await moveOut({ ...config, journal: urlOf(config) });
          process.stdout.write(
            `The journal takes nothing any more. Start the central in ${config.folder} without HOLDPOINT_JOURNAL.\n`,
          );
        }),
    )
    .addCommand(
      new Command('part')
        .description(
          'give the journal back what this data folder has and the journal lost, and go on with it; the process is stopped',
        )
        .option('--give-up', 'go on without what nobody can give back, such as new tokens and passwords')
        .action(async ({ giveUp = false }: { giveUp?: boolean }) => {
          const config = configOf();
          const { part } = await import('./move-journal.ts');
          const { entries, givenUp, aside } = await part({ ...config, journal: urlOf(config) }, giveUp);
          const lost = givenUp.length === 0 ? '' : ` Given up: ${givenUp.join(', ')}.`;
          process.stdout.write(
            `The journal has ${entries} changes that it lacked.${lost} What was in the folder is kept in ${aside}. Start the process again.\n`,
          );
        }),
    );
}

function urlOf({ journal }: Config): string {
  if (journal !== undefined) return journal;
  const message =
    'HOLDPOINT_JOURNAL is not set. Give the database that the processes of the central share: postgres://user@host/database.';
  throw new AppError('validation_failed', message);
}

type Standing = Awaited<ReturnType<typeof import('../journal/presence.ts')['journalStanding']>>;

function tell({ journal, position, sequence, isEnded, processes }: Standing): string {
  if (journal === '') return 'The journal has not begun.\n';
  const rows = processes.map(({ id, address, version, position: at, isHere, isWorking }) => [
    address,
    isHere ? (isWorking ? 'here, does what is done at one' : 'here') : 'not heard of',
    String(Math.max(0, position - at)),
    version,
    id,
  ]);
  const head = `Journal ${journal}: ${position} groups of writes, ${sequence} changes${isEnded ? '; moved out, and ended' : ''}.\n`;
  return `${head}${textTable([['ADDRESS', 'STANDS', 'BEHIND', 'VERSION', 'PROCESS'], ...rows])}`;
}
