import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Database } from '../../../../server/store/sqlite/database.ts';
import type { DatabaseOptions } from '../../../../server/store/sqlite/database-options.ts';

/** A folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A database that is closed with the test, in a folder of its own unless one is given. */
export function temporaryDatabase(options: Partial<DatabaseOptions> = {}): Database {
  const database = Database.open({ folder: temporaryFolder(), lockWaitMs: 0, ...options });
  onTestFinished(() => database.close());
  return database;
}
