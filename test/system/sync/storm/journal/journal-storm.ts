import type { StormKind } from '../run-storm.ts';
import { JournalSite } from './journal-site.ts';
import { drawJournalPlan } from './plan.ts';

/**
 * Several processes of central on a journal.
 * @param program theirs, in the place of the one that is tested
 */
export function journalStorm(program?: string): StormKind {
  return { start: (seed, say) => JournalSite.start(seed, say, program), draw: drawJournalPlan };
}
