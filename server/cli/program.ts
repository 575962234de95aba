import { Command } from 'commander';
import type { Config } from '../app/config.ts';
import { authorityCommand } from './authority.ts';
import { backupCommand } from './backup.ts';
import { backupKeyCommand } from './backup-key.ts';
import { carryCommand } from './carry.ts';
import { certificateCommand } from './certificate.ts';
import { checkpointCommand, trailCommand } from './checkpoint.ts';
import { clockCommand } from './clock.ts';
import { demoCommand } from './demo.ts';
import { drillCommand } from './drill.ts';
import { enrolCommand } from './enrol.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import type { WithInterface } from './interface.ts';
import { journalCommand } from './journal.ts';
import { policyCommand } from './policy.ts';
import { rebuildCommand } from './rebuild.ts';
import { restoreCommand } from './restore.ts';
import { serviceCommand } from './service.ts';
import { stationCommand } from './station.ts';
import { supportCommand } from './support.ts';
import { tokenCommand } from './token.ts';
import { userCommand } from './user.ts';
import { validateCommand } from './validate.ts';
import { verifyCommand } from './verify.ts';

const USAGE = 2;

const ENVIRONMENT = `
Environment:
  HOLDPOINT_DATA    data folder
  HOLDPOINT_HOST    where the server listens (127.0.0.1)
  HOLDPOINT_PORT    and on which port (4870)
  HOLDPOINT_TOKEN   token to use instead of the one in the data folder
  HOLDPOINT_BACKUP_KEY  recovery key for restore and drill, in the place of the question

A server that uses the data folder does the work; without one the command does it by itself. verify, support and validate read
the files themselves in either case, and restore needs the server to be stopped.`;

/** `holdpoint`: one module a command, registered here. */
export function createProgram(withInterface: WithInterface, configOf: () => Config): Command {
  const folderOf = () => configOf().folder;
  const program = new Command('holdpoint')
    .description('Quality and inventory records: what is done from a terminal')
    .addHelpText('after', ENVIRONMENT)
    .addCommand(importCommand(withInterface))
    .addCommand(exportCommand(withInterface))
    .addCommand(demoCommand(withInterface))
    .addCommand(tokenCommand(withInterface))
    .addCommand(userCommand(withInterface, folderOf))
    .addCommand(stationCommand(withInterface))
    .addCommand(certificateCommand(withInterface))
    .addCommand(journalCommand(configOf))
    .addCommand(clockCommand(withInterface))
    .addCommand(enrolCommand(withInterface))
    .addCommand(policyCommand())
    .addCommand(serviceCommand())
    .addCommand(carryCommand(withInterface))
    .addCommand(checkpointCommand(withInterface))
    .addCommand(authorityCommand(withInterface))
    .addCommand(trailCommand(withInterface))
    .addCommand(rebuildCommand(withInterface))
    .addCommand(backupCommand(withInterface))
    .addCommand(backupKeyCommand(withInterface, folderOf))
    .addCommand(drillCommand(withInterface))
    .addCommand(verifyCommand(folderOf, withInterface))
    .addCommand(supportCommand())
    .addCommand(validateCommand(configOf))
    .addCommand(restoreCommand(folderOf));
  for (const command of [
    program,
    ...program.commands,
    ...program.commands.flatMap(({ commands }) => commands),
  ]) {
    command
      .showHelpAfterError('(--help tells more)')
      .exitOverride(({ exitCode }) => process.exit(exitCode && USAGE));
  }
  return program;
}
