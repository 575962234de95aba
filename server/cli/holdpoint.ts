#!/usr/bin/env node
import { AppError } from '../../shared/contract/errors.ts';
import { readConfig } from '../app/config.ts';
import { readMachinePolicy } from '../app/machine-policy.ts';
import { withInterfaceOf } from './interface.ts';
import { createProgram } from './program.ts';

/** `holdpoint <command>`: 0 done, 1 refused or not complete, 2 not understood, 130 cancelled. */
const REFUSED = 1;

// Whoever reads the output may stop early: `holdpoint export supplier | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? 0 : REFUSED),
);

try {
  // In Electron commander would count the words otherwise.
  await createProgram(withInterfaceOf(process.env), () =>
    readConfig(process.env, readMachinePolicy(process.env).settings),
  ).parseAsync(process.argv, {
    from: 'node',
  });
} catch (error) {
  process.exitCode = REFUSED;
  process.stderr.write(`holdpoint: ${told(error)}\n`);
}

/** What a person can act on; of a fault of the program, where it happened. */
function told(error: unknown): string {
  if (!(error instanceof AppError))
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const faults = Object.entries(error.errors ?? {}).map(
    ([path, messages]) => `  ${path}: ${messages.join(' ')}`,
  );
  return faults.length > 1 ? ['several things are wrong.', ...faults].join('\n') : error.message;
}
