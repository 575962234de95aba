import { Command } from 'commander';
import type { MovedAnswer } from '../../shared/operations/moved-operations.ts';
import type { WithInterface } from './interface.ts';

interface EnrolOptions {
  name?: string;
  separate?: boolean;
}

/** `holdpoint enrol`, at the station. */
export function enrolCommand(withInterface: WithInterface): Command {
  return new Command('enrol')
    .description('enrol this station at a central, with the code that central made for it')
    .argument('<address>', 'https://central.example:4870')
    .argument('<code>', 'HP1-…')
    .option('--name <name>', 'another name for the station than the code gives')
    .option('--separate', 'a copy of a station becomes a station of its own, with all its records')
    .action(async (address: string, code: string, { name, separate }: EnrolOptions) => {
      const body = { address, code, ...(name !== undefined && { name }), ...(separate && { separate }) };
      const { data } = await withInterface(client => client.call('x.sync.enrol', { body }));
      if (data.moved) process.stdout.write(tellMoved(data.moved));
      process.stdout.write(
        `This station is "${data.name}" of ${data.address} now; new ids are of block ${data.block}.\n`,
      );
    });
}

function tellMoved({ records, commits, blocks, backup }: MovedAnswer): string {
  const ranges = blocks.map(({ from, to }) => `${from} to ${to}`).join(', ');
  return [
    `Before: a checked backup, ${backup}`,
    `Moved: ${records} records and their ${commits} commits; blocks of ids: ${ranges}.`,
    'GET /api/v2/x/moved/{family}/{old id} answers the id that a record has now.',
    '',
  ].join('\n');
}
