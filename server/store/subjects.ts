import { ID_LIMIT } from '../../shared/contract/limits.ts';

/** Rows of the search index, and numbers of subjects: `family_number * 2^44 + id`. Numbers below 512 keep this exact in a double. */
export const FAMILY_SPAN = ID_LIMIT;

/**
 * What the entries of commits are about: records (`supplier:12`) and, with this before a commit's id, commits that central
 * holds and that the entry releases or withdraws.
 */
export const HOLD_SUBJECT = 'hold:';

/** What joining wrote down, of no family: the subject begins with this. */
export const MOVED_SUBJECT = 'moved:';

/** The records that entries are about, in their order; what names none (as no version writes it) is left out. */
export function recordsIn(entries: readonly { subject: string }[]): string[] {
  return entries.flatMap(({ subject }) => (isRecord(subject) ? subject : []));
}

const RECORD = /^[a-z][a-z-]*:[1-9]\d{0,15}$/;

/** Whether the subject names a record, of a family that this version knows or of another. */
export function isRecord(subject: string): boolean {
  return RECORD.test(subject) && Number(subject.slice(subject.indexOf(':') + 1)) < ID_LIMIT;
}
