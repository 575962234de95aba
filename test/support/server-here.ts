import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { clocks } from '../../server/app/clocks.ts';
import { readConfig } from '../../server/app/config.ts';
import { createLogger } from '../../server/http/log.ts';
import { TESTED } from './tested-program.ts';

type Program = Pick<typeof import('../../server/app/station.ts'), 'openStation'>;

let program: Program | undefined;

/** The part of the tested bundle that opens a server: loaded once, by Node itself and as it is there. */
function testedProgram(): Program {
  if (program) return program;
  const exported = /^export \{[^}]*\bopenStation\b[^}]*\}/m;
  const file = readdirSync(TESTED).find(
    name => name.endsWith('.js') && exported.test(readFileSync(join(TESTED, name), 'utf8')),
  );
  if (file === undefined) throw new Error('No file of the bundle exports openStation.');
  program = createRequire(import.meta.url)(join(TESTED, file)) as Program;
  return program;
}

/**
 * A server within the test's process, from the bundle that server processes run, and as they are: on its own port and data
 * folder, by these variables and none of the environment. Several can be open at once.
 * @param onOutput called with each line that a process would write
 * @returns ends it in order
 */
export async function serveHere(
  role: 'station' | 'central',
  variables: Record<string, string | undefined>,
  onOutput: (text: string) => void,
): Promise<() => Promise<void>> {
  const { openStation } = testedProgram();
  const config = readConfig(variables);
  const destination = new Writable({
    write(chunk, _encoding, done) {
      onOutput(String(chunk));
      done();
    },
  });
  const log = createLogger({ level: config.logLevel, destination });
  // A process would end. Here the run fails, whichever test it is at.
  const onFail = (error: unknown) => {
    setImmediate(() => {
      throw error;
    });
  };
  const server = await openStation({ config, role, log, ...clocks, onFail });
  server.backups.start();
  return () => server.close();
}
