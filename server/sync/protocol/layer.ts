import { type Decision, siblingsAfter } from './decide.ts';
import { itemOf, type RecordReader, type Sibling, valueWithin } from './siblings.ts';

interface LayeredRecord {
  creator: string | undefined;
  paths: Map<string, readonly Sibling[]>;
}

/** What is decided with further decisions on top, none of which is written; keeps only what those touch. */
export class Layer implements RecordReader {
  readonly #base: RecordReader;
  readonly #records = new Map<string, LayeredRecord>();
  readonly #withdrawn = new Set<string>();

  constructor(base: RecordReader) {
    this.#base = base;
  }

  /** Puts a decision on top. One without effects leaves the layer as it is. */
  put({ commit_id, effects }: Decision): void {
    for (const { subject, isNew, paths } of effects) {
      const record = this.#records.get(subject) ?? { creator: undefined, paths: new Map() };
      this.#records.set(subject, record);
      if (isNew) record.creator = commit_id;
      for (const effect of paths) record.paths.set(effect.path, siblingsAfter(effect, commit_id));
    }
  }

  withdraw(commit: string): void {
    this.#withdrawn.add(commit);
  }

  creator(subject: string): string | undefined {
    return this.#records.get(subject)?.creator ?? this.#base.creator(subject);
  }

  siblings(subject: string, path: string): readonly Sibling[] | undefined {
    return this.#records.get(subject)?.paths.get(path) ?? this.#base.siblings(subject, path);
  }

  value(subject: string, path: string): unknown {
    const paths = this.#records.get(subject)?.paths;
    const own = paths?.get(path);
    if (own) return own[0]?.value;
    for (let item = itemOf(path); item !== undefined; item = itemOf(item)) {
      const added = paths?.get(item);
      if (added) return valueWithin(added[0]?.value, path.slice(item.length + 1));
    }
    return this.#base.value(subject, path);
  }

  isWithdrawn(commit: string): boolean {
    return this.#withdrawn.has(commit) || this.#base.isWithdrawn(commit);
  }

  /** The paths that the decisions on top touch, with their siblings: what differs from what is below. */
  touched(): { subject: string; creator: string | undefined; paths: Map<string, readonly Sibling[]> }[] {
    return [...this.#records].map(([subject, record]) => ({ subject, ...record }));
  }
}
