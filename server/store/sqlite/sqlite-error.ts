/** An error that SQLite itself reported, as `node:sqlite` throws it. */
export interface SqliteError extends Error {
  /** SQLite's extended result code; the low byte is the primary code. */
  errcode: number;
}

/** Primary result codes: https://www.sqlite.org/rescode.html */
export const resultCode = {
  error: 1,
  busy: 5,
  noMemory: 7,
  readOnly: 8,
  corrupt: 11,
  full: 13,
  tooBig: 18,
  constraint: 19,
  mismatch: 20,
  misuse: 21,
  range: 25,
  notADatabase: 26,
} as const;

/** Faults of the statement or its values. The file is sound, and so is what a rollback leaves. */
const statementFaults: readonly number[] = [
  resultCode.error,
  resultCode.tooBig,
  resultCode.constraint,
  resultCode.mismatch,
  resultCode.misuse,
  resultCode.range,
];

export function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
}

/** The primary result code, or undefined when the error is not SQLite's. */
export function primaryCode(error: unknown): number | undefined {
  return isSqliteError(error) ? error.errcode & 0xff : undefined;
}

/** What SQLite says of a page that it cannot read; of a length in it that is wrong, that there is no memory for so much. */
const damages: readonly (number | undefined)[] = [
  resultCode.corrupt,
  resultCode.notADatabase,
  resultCode.noMemory,
];

/** Whether SQLite found a page that it cannot read. */
export function isDamage(error: unknown): boolean {
  return damages.includes(primaryCode(error));
}

/** Whether the error is the program's, not the disk's: a constraint, a bad statement, a value out of range. */
export function isStatementFault(error: unknown): boolean {
  const code = primaryCode(error);
  return code !== undefined && statementFaults.includes(code);
}
