import { readJson } from '../../shared/contract/read-json.ts';
import type { Database } from '../store/sqlite/database.ts';
import { readLocal, writeLocal } from '../store/tables.ts';
import type { FirstAdministratorOptions } from './first-administrator.ts';

/** Under which `local` has the hashes of first administrators' codes that several processes of a central have given. */
export const FIRST_CODES = 'first_codes';
const MOST = 20;

/** What one of them has given counts at each. @param later runs work in a transaction that nobody waits for */
export function sharedCodes(
  database: Database,
  later: (work: () => void) => void,
): Pick<FirstAdministratorOptions, 'stored' | 'onCode'> {
  return {
    stored: readJson(readLocal(database.reader, FIRST_CODES) ?? '[]'),
    onCode: code =>
      later(() => {
        const given = readJson(readLocal(database, FIRST_CODES) ?? '[]');
        const before = Array.isArray(given) ? given.slice(1 - MOST) : [];
        writeLocal(database, FIRST_CODES, JSON.stringify([...before, code]));
      }),
  };
}
