import { pathToFileURL } from 'node:url';

/** Before the words of a command. What follows `--` is neither Chromium's nor a link (shell/app/command_line_args.cc). */
const MARK = '--holdpoint-command';

/** The words of a `holdpoint` command that the scripts in `build/command` hand over; undefined where the app is meant. */
export function commandIn(args: readonly string[]): string[] | undefined {
  const end = args.indexOf('--');
  if (!args.slice(0, end === -1 ? undefined : end).includes(MARK)) return undefined;
  return end === -1 ? [] : args.slice(end + 1);
}

/** Runs the bundled command line in this process; resolves with the code to end with, once all that it wrote is out. */
export async function runCommand(program: string, words: readonly string[]): Promise<number> {
  process.argv = [process.execPath, program, ...words];
  await import(pathToFileURL(program).href);
  await Promise.all(
    [process.stdout, process.stderr].map(
      stream => new Promise<void>(resolve => stream.write('', () => resolve())),
    ),
  );
  return Number(process.exitCode ?? 0);
}
