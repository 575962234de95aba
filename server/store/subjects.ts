/**
 * What the entries of commits are about: records (`supplier:12`) and, with this before a commit's id, commits that central
 * holds and that the entry releases or withdraws.
 */
export const HOLD_SUBJECT = 'hold:';

/** The records that entries are about, in their order. */
export function recordsIn(entries: readonly { subject: string }[]): string[] {
  return entries.map(({ subject }) => subject).filter(subject => !subject.startsWith(HOLD_SUBJECT));
}
