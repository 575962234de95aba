/** One thing that is wrong with a store. */
export interface Finding {
  /** A sentence. */
  what: string;
  /** The table, record, commit or file. */
  where: string;
  /** What a person can do about it. */
  remedy: string;
}

/** Kept with their text; further ones are counted. */
const LIMIT = 100;

/** What a check has found, in the order of finding. */
export class Findings {
  readonly first: Finding[] = [];
  /** The first that `rebuild` does not mend. */
  serious: Finding | null = null;
  count = 0;

  add(what: string, where: string, remedy: string): void {
    this.count += 1;
    if (remedy !== remedies.rebuild) this.serious ??= { what, where, remedy };
    if (this.first.length < LIMIT) this.first.push({ what, where, remedy });
  }
}

export const remedies = {
  restore:
    'Restore the newest backup that is whole: "holdpoint restore FILE". The present database is kept aside.',
  rebuild: 'Work it out anew: "holdpoint rebuild", then verify again.',
  upgrade: 'Use the version of Holdpoint that wrote it, or a newer one.',
} as const;
