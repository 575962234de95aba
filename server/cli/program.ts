import { Command } from 'commander';
import { demoCommand } from './demo.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import type { WithInterface } from './interface.ts';
import { rebuildCommand } from './rebuild.ts';
import { tokenCommand } from './token.ts';

const USAGE = 2;

const ENVIRONMENT = `
Environment:
  HOLDPOINT_DATA    data folder
  HOLDPOINT_HOST    where the server listens (127.0.0.1)
  HOLDPOINT_PORT    and on which port (4870)
  HOLDPOINT_TOKEN   token to use instead of the one in the data folder

A server that uses the data folder does the work; without one the command does it by itself.`;

/** `npx holdpoint`: one module a command, registered here. */
export function createProgram(withInterface: WithInterface): Command {
  const program = new Command('holdpoint')
    .description('Quality and inventory records: what is done from a terminal')
    .addHelpText('after', ENVIRONMENT)
    .addCommand(importCommand(withInterface))
    .addCommand(exportCommand(withInterface))
    .addCommand(demoCommand(withInterface))
    .addCommand(tokenCommand(withInterface))
    .addCommand(rebuildCommand(withInterface));
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
