import { existsSync } from 'node:fs';
import { dirname, join, resolve, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { AppError } from '../../shared/contract/errors.ts';
import { machineServerPlaces } from '../../shared/contract/machine-server.ts';
import { othersFile } from '../app/only-roots.ts';
import { readToldServer } from '../app/told-server.ts';
import { KEPT_EVENTS_FILE } from '../audit/kept-events.ts';
import { carryOut, stepsTold } from '../service/carry-out.ts';
import { type Program, requireProgramFiles, serviceSteps } from '../service/service-steps.ts';
import { keepForTrail } from './keep-for-trail.ts';
import { cancellable, progressLine } from './progress.ts';
import { textTable } from './text-table.ts';

const NOT_RUNNING = 1;
const ANSWER_MS = 5_000;
const { platform, env } = process;
const places = machineServerPlaces(platform, env);

/** `holdpoint service`: the server of a machine, for all who work there, as a service of the system. */
export function serviceCommand(): Command {
  const service = new Command('service').description(
    'the server of this machine as a service of the system, for all who work at it',
  );
  service
    .command('install')
    .description('install it and start it; as an administrator')
    .option('--print', 'show what would be done, and do nothing')
    .action((choices: { print?: boolean }) => {
      const { install } = serviceSteps(platform, places, ownProgram());
      if (choices.print) return void process.stdout.write(stepsTold(install));
      refuseNobody();
      refuseOpenProgram(ownProgram());
      carryOut(install);
      process.stdout.write(
        `The service ${places.service} is installed and started. Its data: ${places.data}\n`,
      );
    });
  service
    .command('remove')
    .description('stop it and take it away; data and settings stay')
    .option('--print', 'show what would be done, and do nothing')
    .action((choices: { print?: boolean }) => {
      const { remove } = serviceSteps(platform, places, ownProgram());
      if (choices.print) return void process.stdout.write(stepsTold(remove));
      refuseNobody();
      carryOut(remove);
      process.stdout.write(`The service ${places.service} is removed. Its data stay: ${places.data}\n`);
    });
  service
    .command('status')
    .description('what runs, as whom, and on which data; ends with 1 where it does not answer')
    .action(async () => {
      const definition = places.definitions.find(each => existsSync(each));
      const told = readToldServer(toldAt());
      const answers = told !== undefined && (await isAnswering(told.origin));
      const rows = [
        ['Service', definition === undefined ? 'not installed' : `${places.service} (${definition})`],
        ['Runs', answers ? `process ${told.process} as ${told.user}, version ${told.version}` : 'no'],
        ...(answers ? [['Address', told.origin]] : []),
        ['Data', answers ? told.folder : places.data],
      ];
      process.stdout.write(textTable(rows));
      if (!answers) process.exitCode = NOT_RUNNING;
    });
  service
    .command('move')
    .description("move one person's installation to the service, or back; both checked, nothing deleted")
    .argument('<folder>', "that person's data folder, while the app is closed")
    .option('--back', 'from the service to that folder')
    .action(async (folder: string, { back }: { back?: boolean }) => {
      refuseNobody();
      const { stop, start } = serviceSteps(platform, places, ownProgram());
      const persons = resolve(folder);
      const [from, to] = back ? [places.data, persons] : [persons, places.data];
      const [{ moveInstallation, giveTo }, { verifyDependencies }] = await Promise.all([
        import('../service/move-installation.ts'),
        import('../backup/verify-dependencies.ts'),
      ]);
      carryOut(stop);
      // Whose installation went back works by the app again, and the service has none.
      let isEmpty = false;
      const line = progressLine(process.stderr);
      try {
        const report = await cancellable(signal =>
          moveInstallation({
            from,
            to,
            ...verifyDependencies,
            clock: () => new Date(),
            onProgress: (doing, count) => line.show(`${count} ${doing} verified`),
            signal,
          }),
        );
        isEmpty = back === true;
        const { records, commits, left, aside } = report;
        keepForTrail(to, {
          kind: 'verified',
          details: { what: 'moved', faults: 0, records, commits, from, to },
        });
        giveTo(join(to, KEPT_EVENTS_FILE), to);
        process.stdout.write(
          [
            `${from} is moved to ${to}, and verified there: ${records} records, ${commits} commits.`,
            `The former database is kept: ${left}`,
            ...(aside === null ? [] : [`What was there before is kept: ${aside}`]),
            back
              ? 'The service is stopped; holdpoint service remove takes it away.'
              : `To undo it: holdpoint service move --back ${JSON.stringify(persons)}`,
            '',
          ].join('\n'),
        );
      } finally {
        line.clear();
        if (!isEmpty) carryOut(start);
      }
    });
  return service;
}

/** Where the service says it; `HOLDPOINT_SERVICE` names another place, as it does to the service. */
function toldAt(): string {
  return env.HOLDPOINT_SERVICE || places.told;
}

async function isAnswering(origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/api/v2/status`, { signal: AbortSignal.timeout(ANSWER_MS) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    // Whatever keeps it from answering.
    return false;
  }
}

/** What runs this command runs the service too. */
function ownProgram(): Program {
  const here = fileURLToPath(import.meta.url);
  if (process.versions.electron !== undefined)
    throw new AppError(
      'conflict',
      'The desktop app brings no Node.js for a service. Install the package holdpoint-server; its command does this.',
    );
  const program = join(dirname(here), 'main.js');
  if (!existsSync(program))
    throw new AppError('conflict', `${program} is not there: a service runs a package, not the source.`);
  const wrapper = win32.join(win32.dirname(places.definitions[0]), `${places.service}.exe`);
  if (platform === 'win32' && !existsSync(wrapper))
    throw new AppError(
      'not_found',
      `${wrapper} is not there. It is WinSW 3 under another name; put it there.`,
    );
  return { node: process.execPath, program };
}

function refuseNobody(): void {
  // On Windows the commands themselves say it.
  if (process.getuid === undefined || process.getuid() === 0) return;
  throw new AppError('forbidden', 'Only an administrator changes services. Run it with sudo.');
}

/** Who could write the program would have it run as the service. */
function refuseOpenProgram({ node, program }: Program): void {
  if (platform === 'win32') {
    requireProgramFiles(places, { node, program });
    return;
  }
  for (const path of [node, program]) {
    const open = othersFile(path);
    if (open !== undefined)
      throw new AppError(
        'conflict',
        `Others than root may write ${open}, and so what the service would run. Put the program where only root writes, such as /opt.`,
      );
  }
}
