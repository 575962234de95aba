import { AppError } from '../../shared/contract/errors.ts';
import type { Database } from './sqlite/database.ts';
import { readLocal, writeLocal } from './tables.ts';

/**
 * What a data folder is, kept from its first start as one or the other: a central's ids and keys are not a station's.
 * Without `wanted`, whatever it is; a folder that never was started as either is a station's for now.
 * @throws AppError `conflict` for a folder of the other kind
 */
export function keepRole(
  database: Database,
  wanted: 'station' | 'central' | undefined,
): 'station' | 'central' {
  const known = readLocal(database, 'role');
  const role = known === 'central' ? 'central' : 'station';
  if (wanted === undefined || known === wanted) return role;
  if (known === undefined) {
    // A damaged database is open for reading only; its next start asks again.
    if (database.damage === undefined) database.transaction(() => writeLocal(database, 'role', wanted));
    return wanted;
  }
  const [is, command] =
    known === 'central' ? ['a central', 'npm run central'] : ['a station', 'npm run serve'];
  const message = `The data folder ${database.folder} is that of ${is}. Start it with ${command}, or set HOLDPOINT_DATA to another folder.`;
  throw new AppError('conflict', message);
}
