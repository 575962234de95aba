import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Connection } from '../../../../server/store/sqlite/connection.ts';
import { Database } from '../../../../server/store/sqlite/database.ts';
import { configureWriter } from '../../../../server/store/sqlite/settings.ts';
import { WriteBack } from '../../../../server/store/sqlite/write-back.ts';
import { temporaryFolder } from './temporary-folder.ts';

const MIB = 2 ** 20;
const WAIT = { timeout: 120_000 };

/** Pages of the log that are not in the file. */
function logged(of: Pick<Connection, 'get'>): number {
  const state = of.get<{ log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
  return state ? state.log - state.checkpointed : 0;
}

function withTable(folder = temporaryFolder()): Database {
  const database = Database.open({ folder });
  onTestFinished(() => database.close());
  database.exec('CREATE TABLE much (content BLOB)');
  return database;
}

function write(database: Database, bytes: number): void {
  database.transaction(() => database.run('INSERT INTO much (content) VALUES (zeroblob(?))', bytes));
}

/** As a database has it, without what asks a thread. */
function connectionTo(file: string): Connection {
  const connection = new Connection(file, {
    readOnly: false,
    busyTimeoutMs: 5_000,
    guard: statement => statement(),
    onDamage: what => {
      throw new Error(what);
    },
  });
  onTestFinished(() => connection.close());
  configureWriter(connection);
  connection.exec('CREATE TABLE much (content BLOB)');
  return connection;
}

it('writes a long log back after the commit, while others are answered, and again when it is long again', async () => {
  const database = withTable();
  // The thread hears that it is asked only after the look: it could be done before.
  const asked = vi.spyOn(Worker.prototype, 'postMessage').mockImplementationOnce(() => {});
  onTestFinished(() => asked.mockRestore());
  write(database, 12 * MIB);
  expect(logged(database)).toBeGreaterThan(3_000);
  (asked.mock.contexts[0] as Worker).postMessage(null);
  await vi.waitFor(() => expect(logged(database)).toBe(0), WAIT);
  write(database, MIB);
  expect(logged(database)).toBeGreaterThan(200);
  write(database, 12 * MIB);
  await vi.waitFor(() => expect(logged(database)).toBe(0), WAIT);
  expect(database.get('SELECT sum(length(content)) AS bytes FROM much')).toEqual({ bytes: 25 * MIB });
});

it('leaves a short log to later', async () => {
  const database = withTable();
  write(database, MIB);
  await new Promise(resolve => setTimeout(resolve, 50));
  expect(logged(database)).toBeGreaterThan(200);
});

it('is over when the database is closed, whenever that is', async () => {
  for (const wait of [0, 1, 5, 20]) {
    const folder = temporaryFolder();
    const database = withTable(folder);
    write(database, 12 * MIB);
    await new Promise(resolve => setTimeout(resolve, wait));
    database.close();
    // A connection that was still open would have kept the log, and would take it away later, from whoever comes next.
    expect(existsSync(join(folder, 'holdpoint.db-wal')), `${wait} ms`).toBe(false);
    const again = Database.open({ folder });
    onTestFinished(() => again.close());
    expect(again.get('SELECT sum(length(content)) AS bytes FROM much')).toEqual({ bytes: 12 * MIB });
  }
});

it('is asked again where it came to nothing', async () => {
  const folder = temporaryFolder();
  const connection = connectionTo(join(folder, 'holdpoint.db'));
  const elsewhere = new WriteBack(join(folder, 'nowhere', 'holdpoint.db'));
  onTestFinished(() => elsewhere.close());
  connection.run('INSERT INTO much (content) VALUES (zeroblob(?))', 12 * MIB);
  elsewhere.consider(connection);
  await vi.waitFor(() => expect(elsewhere.isUnderWay).toBe(false), WAIT);
  expect(logged(connection)).toBeGreaterThan(3_000);
  // By this path, too, the file is found now.
  symlinkSync(folder, join(folder, 'nowhere'));
  await vi.waitFor(() => {
    elsewhere.consider(connection);
    expect(logged(connection)).toBe(0);
  }, WAIT);
});

it('is done by the commit itself where the log is very long', () => {
  const connection = connectionTo(join(temporaryFolder(), 'holdpoint.db'));
  connection.run('INSERT INTO much (content) VALUES (zeroblob(?))', 28 * MIB);
  expect(logged(connection)).toBeGreaterThan(7_000);
  connection.run('INSERT INTO much (content) VALUES (zeroblob(?))', 8 * MIB);
  expect(logged(connection)).toBe(0);
});
