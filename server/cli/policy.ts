import { Command } from 'commander';
import { MACHINE_POLICY_NAMES } from '../../shared/contract/machine-policy.ts';
import { readMachinePolicy } from '../app/machine-policy.ts';
import { textTable } from './text-table.ts';

/** `holdpoint policy`: what the administrators of this machine decided for it; ends with 1 where a part is not in force. */
export function policyCommand(): Command {
  return new Command('policy')
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
        return [[name, name === 'enrolment_code' ? '(is set)' : String(value)]];
      });
      process.stdout.write(`Policy: ${source}\n${textTable([['SETTING', 'VALUE'], ...rows])}`);
      for (const fault of faults) process.stderr.write(`Not in force: ${fault}\n`);
      if (faults.length > 0) process.exitCode = 1;
    });
}
