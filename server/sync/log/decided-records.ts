import type { StoredRecord } from '../../../shared/contract/present.ts';
import { type RecordReader, type Sibling, valueWithin } from '../protocol/siblings.ts';

/** What is decided of the records, read from records as they are stored. */
export class DecidedRecords implements RecordReader {
  readonly #get: (key: string) => StoredRecord | undefined;
  readonly #isWithdrawn: (commit: string) => boolean;

  /** `get` answers a record as decided: what is only shown on top of it is left out. */
  constructor(get: (key: string) => StoredRecord | undefined, isWithdrawn: (commit: string) => boolean) {
    this.#get = get;
    this.#isWithdrawn = isWithdrawn;
  }

  creator(subject: string): string | undefined {
    return this.#get(subject)?.creator;
  }

  siblings(subject: string, path: string): readonly Sibling[] | undefined {
    const record = this.#get(subject);
    const writers = record?.writers[path];
    if (record === undefined || writers === undefined) return undefined;
    return typeof writers === 'string'
      ? [{ commit: writers, value: valueWithin(record.fields, path) ?? null }]
      : writers;
  }

  value(subject: string, path: string): unknown {
    return valueWithin(this.#get(subject)?.fields, path);
  }

  isWithdrawn(commit: string): boolean {
    return this.#isWithdrawn(commit);
  }
}
