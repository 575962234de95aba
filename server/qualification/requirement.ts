import type { Bench } from './bench.ts';
import type { Said } from './said.ts';

export const TOPICS = {
  installation: ['Installation', 'Installation'],
  audit_trail: ['Audit trail', 'Audit-Trail'],
  signatures: ['Electronic signatures', 'Elektronische Unterschriften'],
  people: ['People and permissions', 'Personen und Rechte'],
  time: ['Time', 'Zeit'],
  configuration: ['Configuration', 'Konfiguration'],
  records: ['Records', 'Datensätze'],
  backup: ['Backup and continuity', 'Sicherung und Fortführung'],
  migration: ['Migration', 'Datenübernahme'],
} as const satisfies Record<string, Said>;
export type Topic = keyof typeof TOPICS;

/** What the system must do, and the code that tries it: a row of the one table (`requirements.ts`). */
export interface Requirement {
  /** Permanent: reports of former versions name it. */
  id: string;
  topic: Topic;
  /** What must be so. */
  text: Said;
  /** How it is tried. */
  check: Said;
  /** Paragraphs that it answers: `21 CFR 11.10(e)`, `Annex 11, 9`. */
  references: readonly string[];
  /**
   * Tries it, and says step by step what was expected and seen. The requirement is met if each step is right and there is one.
   * What is thrown fails it, but `NotHere`.
   */
  run(bench: Bench): Promise<void>;
}

/** What the requirement is about is not here, so that it can be neither met nor failed. */
export class NotHere extends Error {
  readonly why: Said;

  constructor(why: Said) {
    super(why[0]);
    this.why = why;
  }
}

/** Rows of one topic: `prefix-01` and on. */
export function rowsOf(topic: Topic, rows: readonly Omit<Requirement, 'topic'>[]): readonly Requirement[] {
  return rows.map(row => ({ ...row, topic }));
}
