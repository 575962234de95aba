import { expect, it } from 'vitest';
import { isDamage, isStatementFault } from '../../../../server/store/sqlite/sqlite-error.ts';

const errorOf = (errcode: number) => Object.assign(new Error('SQLite'), { errcode });

// Found by a flipped bit: a length in the search index that was wrong asked for more memory than there is.
it.each([
  ['SQLITE_CORRUPT', 11, true, false],
  ['SQLITE_CORRUPT_VTAB', 267, true, false],
  ['SQLITE_NOTADB', 26, true, false],
  ['SQLITE_NOMEM', 7, true, false],
  ['SQLITE_CONSTRAINT_UNIQUE', 2_067, false, true],
  ['SQLITE_FULL', 13, false, false],
  ['SQLITE_IOERR_READ', 266, false, false],
])('%s (%i): damage is %s, a fault of the statement %s', (_, code, damage, fault) => {
  expect([isDamage(errorOf(code)), isStatementFault(errorOf(code))]).toEqual([damage, fault]);
  expect(isDamage(new Error('of something else'))).toBe(false);
});
