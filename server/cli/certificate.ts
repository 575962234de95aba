import { Command } from 'commander';
import type { CentralCertificate } from '../../shared/operations/renewal-operations.ts';
import type { WithInterface } from './interface.ts';

interface RenewOptions {
  at?: string;
  now?: boolean;
  compromised?: boolean;
}

/** `holdpoint certificate show|renew`, at central. */
export function certificateCommand(withInterface: WithInterface): Command {
  const certificate = new Command('certificate').description(
    "central's certificate, by which its stations know it: see how it stands, renew it",
  );

  certificate
    .command('show')
    .description('show until when it holds, the next one, and which stations have not heard of that')
    .action(async () => {
      const { data } = await withInterface(client => client.call('x.central-certificate.read'));
      process.stdout.write(tell(data));
    });

  certificate
    .command('renew')
    .description(
      'announce the next certificate to the stations; central goes over once all have heard, after 30 days at the latest',
    )
    .option('--at <time>', 'go over at this time, such as 2026-06-15T12:00:00Z')
    .option('--now', 'go over at once; stations that have not heard follow when they come')
    .option(
      '--compromised',
      'others may know the key: go over at once to a certificate that no former one vouches for; every station needs a new code',
    )
    .action(async ({ at, ...options }: RenewOptions) => {
      const body = { ...options, ...(at !== undefined && { goes_over_at: at }) };
      const { data } = await withInterface(client => client.call('x.central-certificate.renew', { body }));
      process.stdout.write(tell(data));
      if (options.compromised)
        process.stdout.write(
          'Every station needs a new code now: holdpoint station code NAME. Revoke those that do not come back.\n',
        );
    });

  return certificate;
}

function tell({ says, fingerprint, next }: CentralCertificate): string {
  const lines = [
    says,
    ...(fingerprint === null ? [] : [`Present  SHA-256 ${fingerprint}`]),
    ...(next === null ? [] : [`Next     SHA-256 ${next.fingerprint}`]),
  ];
  return `${lines.join('\n')}\n`;
}
