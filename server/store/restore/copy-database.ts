import { closeSync, fsyncSync, openSync } from 'node:fs';
import { openReadOnly } from '../open-read-only.ts';
import { createPrivateFile } from '../sqlite/lock.ts';

/** Writes what is committed in a database, its log included, into a new file of its own, durably. */
export function copyDatabase(from: string, to: string): void {
  createPrivateFile(to);
  const sql = openReadOnly(from);
  try {
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
