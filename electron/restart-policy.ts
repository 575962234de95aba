/** The server's own word that starting it again would not help: a setting, the port or the folder (server/app/exit-codes). */
export const REFUSED = 78;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;
/** A server that ran so long was well: what comes next is a new story. */
const WELL_AFTER_MS = 60_000;
/** Ends in a row, none of them after a while of being well, until a person is asked. */
const PATIENCE = 6;

export interface ServerEnd {
  /** Undefined where the system ended it. */
  code: number | undefined;
  /** Milliseconds from start to end. */
  ranFor: number;
  /** Ends in a row before this one. */
  failures: number;
}

export type NextStep =
  | { kind: 'restart'; waitMs: number; failures: number }
  | { kind: 'give_up'; why: 'refused' | 'keeps_ending' };

/** What follows when the server has ended although nobody wanted it to. */
export function afterServerEnd({ code, ranFor, failures }: ServerEnd): NextStep {
  if (code === REFUSED) return { kind: 'give_up', why: 'refused' };
  const before = ranFor >= WELL_AFTER_MS ? 0 : failures;
  if (before + 1 >= PATIENCE) return { kind: 'give_up', why: 'keeps_ending' };
  return {
    kind: 'restart',
    waitMs: Math.min(FIRST_WAIT_MS * 2 ** before, LONGEST_WAIT_MS),
    failures: before + 1,
  };
}
