import { closeSync, fsyncSync, openSync } from 'node:fs';
import { refuseNewer } from '../migrations.ts';
import { openReadOnly } from '../open-read-only.ts';
import { createPrivateFile } from '../sqlite/lock.ts';

/**
 * Writes what is committed in a database, its log included, into a new file of its own, durably.
 * @throws AppError `unavailable` for a file of a later version
 */
export function copyDatabase(from: string, to: string): void {
  const sql = openReadOnly(from);
  try {
    refuseNewer(sql, from);
    createPrivateFile(to);
    sql.run('VACUUM INTO ?', to);
  } finally {
    sql.close();
  }
  const descriptor = openSync(to, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
