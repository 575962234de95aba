import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { begins, ends, type WriteBackTask } from './write-back-state.ts';

/** Writes the log back each time that it is asked to, until nobody asks any more. */
const { file, state } = workerData as WriteBackTask;

parentPort?.on('message', () => {
  if (!begins(state)) return;
  try {
    // Opened for each: whoever closes the store then knows that no other connection is left that would look after the log.
    const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
    try {
      database.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(PASSIVE);');
    } finally {
      database.close();
    }
  } catch {
    // What could not be written back stands in the log, and is tried again after the next commit.
  } finally {
    ends(state);
  }
});
