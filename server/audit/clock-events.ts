import { type KeptClockFact, readClockFacts, STEPS } from '../store/clock-facts.ts';
import type { Database } from '../store/sqlite/database.ts';
import { readLocal, writeLocal } from '../store/tables.ts';
import type { AuditEvent } from './event.ts';

/** Under which `local` has the last fact of the clock that is noted. */
const NOTED = 'audit_clock_fact';
/** Facts that are noted in one commit. */
const AT_ONCE = 500;

/**
 * Notes what is kept of this machine's clock and was not noted yet, each once: the facts stay on the machine, the trail goes
 * to central. A fact is dated by what the clock should at least have said.
 */
export async function noteClockFacts(
  database: Database,
  write: (events: readonly AuditEvent[], act: () => void) => Promise<void>,
): Promise<void> {
  const noted = Number(readLocal(database.reader, NOTED) ?? 0);
  const { facts } = readClockFacts(database.reader, { offset: 0, limit: AT_ONCE });
  const fresh = facts.filter(({ id }) => id > noted).reverse();
  const last = fresh.at(-1);
  if (last) await write(fresh.map(eventOf), () => writeLocal(database, NOTED, String(last.id)));
}

function eventOf({ kind, clock, at_least, user, reason }: KeptClockFact): AuditEvent {
  const isStep = STEPS.some(step => step === kind);
  const details = { clock, at_least, ...(isStep ? {} : { how: kind }), ...(reason !== null && { reason }) };
  return {
    kind: isStep ? 'clock_stepped' : 'clock_believed',
    at: at_least,
    ...(user !== null && { author: user }),
    details,
  };
}
