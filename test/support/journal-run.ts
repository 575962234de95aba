import { randomUUID } from 'node:crypto';
import { createDatabase, POSTGRES, Postgres, urlOf } from './postgres.ts';

const VARIABLE = 'HOLDPOINT_TEST_JOURNAL';

/**
 * In a run with `HOLDPOINT_TEST_JOURNAL`: the folder of a PostgreSQL's socket. Servers that tests start are then centrals, each on
 * a journal of its own, but for those that a test says to be something else.
 */
export const JOURNAL_RUN = process.env[VARIABLE];

/** An empty database for the journal of one central; undefined in any other run. */
export async function newJournal(): Promise<string | undefined> {
  if (JOURNAL_RUN === undefined) return undefined;
  const name = `central_${randomUUID().replaceAll('-', '')}`;
  await createDatabase(JOURNAL_RUN, name);
  return urlOf(JOURNAL_RUN, name);
}

/** Before all tests, with `HOLDPOINT_TEST_JOURNAL=1`: a PostgreSQL for the whole run. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[VARIABLE] !== '1') return undefined;
  if (POSTGRES === undefined) throw new Error(`${VARIABLE}=1 needs an installed PostgreSQL.`);
  const postgres = new Postgres();
  await postgres.start();
  process.env[VARIABLE] = postgres.folder;
  return () => postgres.stop();
}
