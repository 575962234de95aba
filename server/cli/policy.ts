import { Command } from 'commander';
import { AppError } from '../../shared/contract/errors.ts';
import { MACHINE_POLICY_NAMES, SECRETS } from '../../shared/contract/machine-policy.ts';
import { readMachinePolicy } from '../app/machine-policy.ts';
import { createPasswords } from '../identity/passwords.ts';
import { askNew } from './ask.ts';
import { textTable } from './text-table.ts';

/** Whoever reads a policy can try all that are shorter. */
const SHORTEST_PIN = 6;

/**
 * `holdpoint policy`: what the administrators of this machine decided for it; ends with 1 where a part is not in force.
 * `holdpoint policy pin`: what stands in a policy for a PIN.
 */
export function policyCommand(): Command {
  const policy = new Command('policy')
    .description("show this machine's policy, and what of it is not in force")
    .action(() => {
      const { source, settings, faults } = readMachinePolicy(process.env);
      if (source === null) {
        process.stdout.write('This machine has no policy.\n');
        return;
      }
      const rows = MACHINE_POLICY_NAMES.flatMap(name => {
        const value = settings[name];
        if (value === undefined) return [];
        return [[name, SECRETS.includes(name) ? '(is set)' : String(value)]];
      });
      process.stdout.write(`Policy: ${source}\n${textTable([['SETTING', 'VALUE'], ...rows])}`);
      for (const fault of faults) process.stderr.write(`Not in force: ${fault}\n`);
      if (faults.length > 0) process.exitCode = 1;
    });

  policy
    .command('pin')
    .description(
      'write what `kiosk_pin` of a policy is for a PIN, by which one leaves the full screen of a kiosk',
    )
    .option('--pin-stdin', 'read the PIN from standard input instead of asking for it')
    .action(async ({ pinStdin = false }: { pinStdin?: boolean }) => {
      const pin = await askNew('PIN', { isPiped: pinStdin, flag: '--pin-stdin' });
      if (pin.length < SHORTEST_PIN)
        throw new AppError('malformed', `The PIN is too short. Give at least ${SHORTEST_PIN} characters.`);
      process.stdout.write(`${await createPasswords().hash(pin)}\n`);
    });
  return policy;
}
