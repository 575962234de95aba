/** A row that cannot be taken, as the job lists it. */
export interface BadRow {
  file: string;
  /** From 1. */
  line: number;
  column: string | null;
  value: string | null;
  /** What is wrong and how to put it right. */
  message: string;
}

/** A fault of a file as a whole, which ends the import: its encoding, its header, a record without an end. */
export class FileFault extends Error {
  readonly place: Omit<BadRow, 'message'>;

  constructor(file: string, message: string, place: { line?: number; column?: string } = {}) {
    super(message);
    this.name = 'FileFault';
    this.place = { file, line: place.line ?? 1, column: place.column ?? null, value: null };
  }
}

/** Counts bad rows, and keeps the first faults until they are told. */
export class FaultList {
  #untold: BadRow[] = [];
  #rows = 0;
  #left: number;

  constructor(limit: number) {
    this.#left = limit;
  }

  add(faults: readonly BadRow[]): void {
    this.#rows += 1;
    const told = faults.slice(0, this.#left);
    this.#left -= told.length;
    this.#untold.push(...told);
  }

  /** Those since it was last asked. */
  take(): { badRows: number; faults: BadRow[] } {
    const taken = { badRows: this.#rows, faults: this.#untold };
    this.#untold = [];
    this.#rows = 0;
    return taken;
  }
}
