import { Command } from 'commander';
import { asTyped } from '../../shared/operations/client.ts';
import type { Clock } from '../../shared/operations/clock-operations.ts';
import type { WithInterface } from './interface.ts';
import { textTable } from './text-table.ts';

/** `holdpoint clock show|confirm` */
export function clockCommand(withInterface: WithInterface): Command {
  const clock = new Command('clock').description(
    "this machine's clock: see whether it is believed, when it was changed, confirm it",
  );

  clock
    .command('show')
    .description('show what the clock says, whether it is believed, and when it was changed last')
    .action(async () => {
      const { now, facts } = await withInterface(async client => ({
        now: (await client.call('x.clock.read')).data,
        facts: (await client.call('x.clock.facts', { query: { per_page: 20 } })).data,
      }));
      process.stdout.write(`${told(now)}\n`);
      if (facts.length === 0) return;
      const head = ['KIND', 'THE CLOCK SAID', 'AT LEAST', 'WHO', 'WHY'];
      const rows = facts.map(({ kind, clock, at_least, user, reason }) => [
        kind,
        clock,
        at_least,
        user ?? '-',
        reason ?? '-',
      ]);
      process.stdout.write(`\n${textTable([head, ...rows])}`);
    });

  clock
    .command('confirm')
    .description('say that the clock is right, having looked: what is written from then on is not marked')
    .requiredOption('--reason <text>', 'why it is right; it is kept')
    .action(async ({ reason }: { reason: string }) => {
      const says = await withInterface(async client => {
        const { data } = await client.call('x.clock.read');
        if (!data.standing) return `${told(data)} There is nothing to confirm.`;
        const body = asTyped<'x.clock.confirm'>({ step: data.standing.step, reason });
        const confirmed = await client.call('x.clock.confirm', { body });
        return `Confirmed: the clock said ${confirmed.data.clock}.`;
      });
      process.stdout.write(`${says}\n`);
    });

  return clock;
}

function told({ now, standing }: Clock): string {
  return standing ? standing.says : `The clock says ${now}, and is taken for right.`;
}
