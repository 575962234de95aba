import { fstatSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** The system's log reads how grave a line is from its beginning, sd-daemon(3): `<3>` and so on, as syslog counts. */
export const GRAVE = 3;
const PRIORITIES = [
  { from: 60, priority: 2 },
  { from: 50, priority: GRAVE },
  { from: 40, priority: 4 },
  { from: 30, priority: 6 },
];
const DEBUG = 7;

/** Whether what is written there goes to the journal: systemd says so by the file's device and number, systemd.exec(5). */
export function isJournal(
  descriptor: number,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  const said = environment.JOURNAL_STREAM;
  if (!said) return false;
  const { dev, ino } = fstatSync(descriptor, { bigint: true });
  return said === `${dev}:${ino}`;
}

/** Lines of a logger, each with how grave it is; pino says the level of the line that it writes by `lastLevel`. */
export function journalDestination(destination: DestinationStream): DestinationStream {
  const journal = {
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      destination.write(`<${priorityOf(journal.lastLevel)}>${line}`);
    },
    flush(done?: (error?: Error) => void) {
      if ('flush' in destination && typeof destination.flush === 'function') destination.flush(done);
    },
  };
  return journal;
}

/** To standard error: every line of it is grave. */
export function tellGrave(text: string): void {
  const lines = isJournal(2) ? text.replace(/^(?=.)/gm, `<${GRAVE}>`) : text;
  process.stderr.write(lines);
}

function priorityOf(level: number): number {
  return PRIORITIES.find(({ from }) => level >= from)?.priority ?? DEBUG;
}
