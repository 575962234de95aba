import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Database } from '../../../../server/store/sqlite/database.ts';
import { StoreFailedError } from '../../../../server/store/sqlite/store-errors.ts';
import { AppError } from '../../../../shared/contract/errors.ts';
import { temporaryDatabase, temporaryFolder } from './temporary-folder.ts';

function withTable(): Database {
  const database = temporaryDatabase();
  database.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)');
  return database;
}

it('names the columns of a row as they are called by now, on both connections', () => {
  const database = withTable();
  insert(database, 'one');
  const rows = () => [database, database.reader].map(one => one.all('SELECT * FROM note'));
  expect(rows()).toEqual([[{ id: 1, text: 'one' }], [{ id: 1, text: 'one' }]]);
  database.exec('ALTER TABLE note RENAME COLUMN text TO words');
  expect(rows()).toEqual([[{ id: 1, words: 'one' }], [{ id: 1, words: 'one' }]]);
});

function insert(database: Database, text: string): void {
  database.run('INSERT INTO note (text) VALUES (?)', text);
}

function committed(database: Database): unknown[] {
  return database.reader.all<{ text: string }>('SELECT text FROM note ORDER BY id').map(row => row.text);
}

const raised = (text: string) => () => {
  throw new Error(text);
};

describe('the file', () => {
  it('is for its owner alone, writes ahead and syncs every commit', () => {
    const folder = join(temporaryFolder(), 'deep', 'data');
    const database = temporaryDatabase({ folder });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of ['holdpoint.db', 'holdpoint.db-wal', 'lock.db'])
      expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
    expect(database.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
    expect(database.get('PRAGMA synchronous')).toEqual({ synchronous: 2 });
  });

  it('keeps everything over closing, and takes the log back into the file', () => {
    const folder = temporaryFolder();
    const first = Database.open({ folder });
    first.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)');
    insert(first, 'kept');
    first.close();
    first.close();
    expect(() => insert(first, 'late')).toThrow('is closed');
    expect(committed(temporaryDatabase({ folder }))).toEqual(['kept']);
  });

  it('that is no database is refused by name, and the folder is free again', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'holdpoint.db'), 'This is a letter, not a database.'.repeat(100));
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(() => Database.open({ folder, lockWaitMs: 0 })).toThrow(
        /holdpoint\.db cannot be opened: file is not a database.*restore a backup/,
      );
  });
});

describe('values', () => {
  it('beyond 2^53 are read as BigInt, and never rounded', () => {
    const database = withTable();
    const large = 2n ** 53n + 1n;
    database.run('INSERT INTO note (id, text) VALUES (?, ?)', large, 'large');
    const sql = 'SELECT id FROM note WHERE text = ?';
    for (const reader of [database, database.reader]) {
      expect(reader.getBig(sql, 'large')).toEqual({ id: large });
      expect(reader.allBig(sql, 'large')).toEqual([{ id: large }]);
      expect(() => reader.get(sql, 'large')).toThrow(RangeError);
    }
  });

  it('can be read by the same statement inside of an iteration', () => {
    const database = withTable();
    for (const text of ['a', 'b', 'c']) insert(database, text);
    const sql = 'SELECT text FROM note ORDER BY id';
    const seen = [...database.reader.iterate<{ text: string }>(sql)].map(row => [
      row.text,
      database.reader.all(sql).length,
    ]);
    expect(seen).toEqual([
      ['a', 3],
      ['b', 3],
      ['c', 3],
    ]);
  });

  it('are told by their columns, those that a table got since the statement was made included', () => {
    const database = withTable();
    insert(database, 'a');
    const sql = 'SELECT * FROM note';
    for (const reader of [database, database.reader]) expect(reader.get(sql)).toEqual({ id: 1, text: 'a' });
    database.exec("ALTER TABLE note ADD COLUMN kind TEXT DEFAULT 'new'");
    for (const reader of [database, database.reader]) {
      expect(reader.get(sql)).toEqual({ id: 1, text: 'a', kind: 'new' });
      expect(reader.all(sql)).toEqual([{ id: 1, text: 'a', kind: 'new' }]);
    }
  });

  it('cannot be written on the reader', () => {
    const database = withTable();
    expect(() => database.reader.get("INSERT INTO note (text) VALUES ('x') RETURNING id")).toThrow(
      /readonly/,
    );
  });
});

describe('a transaction', () => {
  it('shows what it wrote to its own connection only, until it is committed', () => {
    const database = withTable();
    database.transaction(() => {
      expect(database.inTransaction).toBe(true);
      insert(database, 'a');
      expect(database.get('SELECT count(*) AS n FROM note')).toEqual({ n: 1 });
      expect(committed(database)).toEqual([]);
    });
    expect(database.inTransaction).toBe(false);
    expect(committed(database)).toEqual(['a']);
  });

  it('is undone and the error thrown on, when its work throws or breaks a constraint', () => {
    const database = withTable();
    const work = (fault: () => void) => () =>
      database.transaction(() => {
        insert(database, 'a');
        fault();
      });
    expect(work(raised('mistake'))).toThrow('mistake');
    expect(work(() => database.run('INSERT INTO note (id) VALUES (1)'))).toThrow(/UNIQUE/);
    expect(work(() => database.run('INSERT INTO nowhere VALUES (1)'))).toThrow(/no such table/);
    expect(committed(database)).toEqual([]);
    insert(database, 'b');
    expect(committed(database)).toEqual(['b']);
  });

  it('inside another is a part that is undone alone', () => {
    const database = withTable();
    database.transaction(() => {
      insert(database, 'a');
      expect(() =>
        database.transaction(() => {
          insert(database, 'b');
          database.transaction(() => insert(database, 'c'));
          raised('part')();
        }),
      ).toThrow('part');
      database.transaction(() => insert(database, 'd'));
    });
    expect(committed(database)).toEqual(['a', 'd']);
  });

  it('refuses asynchronous work, which would run after its commit', () => {
    const database = withTable();
    expect(() => database.transaction(async () => insert(database, 'a'))).toThrow(TypeError);
    expect(committed(database)).toEqual([]);
  });

  it('over several awaits commits or undoes its savepoints one by one', async () => {
    const database = withTable();
    database.begin();
    expect(() => database.begin()).toThrow('already open');
    await database.savepoint(async () => {
      insert(database, 'a');
      await Promise.resolve();
    });
    await expect(
      database.savepoint(async () => {
        insert(database, 'b');
        await database.savepoint(async () => insert(database, 'c'));
        await Promise.reject(new Error('no'));
      }),
    ).rejects.toThrow('no');
    insert(database, 'd');
    database.commit();
    expect(committed(database)).toEqual(['a', 'd']);
    database.begin();
    insert(database, 'e');
    database.rollback();
    expect(committed(database)).toEqual(['a', 'd']);
    expect(() => database.commit()).toThrow('No transaction');
    expect(() => database.rollback()).toThrow('No transaction');
    await expect(database.savepoint(async () => {})).rejects.toThrow('needs an open transaction');
  });

  it('that ends before its savepoint does not let that pass for written', async () => {
    const database = withTable();
    database.begin();
    const late = database.savepoint(async () => {
      insert(database, 'a');
      database.rollback();
    });
    await expect(late).rejects.toThrow('has ended');
    expect(committed(database)).toEqual([]);
  });

  it('with savepoints that overlap is undone as a whole, because SQLite nests them', async () => {
    const database = withTable();
    database.begin();
    const gate = Promise.withResolvers<void>();
    const outer = database.savepoint(() => gate.promise);
    const inner = database.savepoint(async () => {
      insert(database, 'a');
      await outer;
    });
    gate.resolve();
    await expect(inner).rejects.toThrow('overlap');
    expect(() => database.commit()).toThrow('overlap');
    expect(committed(database)).toEqual([]);
    insert(database, 'b');
    expect(committed(database)).toEqual(['b']);
  });
});

describe('afterCommit', () => {
  it('runs in order after the outermost commit, when it can be read', () => {
    const database = withTable();
    const seen: unknown[] = [];
    const note = (name: string) => database.afterCommit(() => seen.push([name, committed(database).length]));
    database.transaction(() => {
      note('first');
      database.transaction(() => {
        insert(database, 'a');
        note('second');
      });
      expect(seen).toEqual([]);
      insert(database, 'b');
    });
    note('outside');
    expect(seen).toEqual([
      ['first', 2],
      ['second', 2],
      ['outside', 2],
    ]);
  });

  it('is forgotten with the transaction or savepoint that is undone', async () => {
    const database = withTable();
    const seen: string[] = [];
    const note = (name: string) => database.afterCommit(() => seen.push(name));
    expect(() =>
      database.transaction(() => {
        note('lost');
        raised('no')();
      }),
    ).toThrow('no');
    database.begin();
    note('kept');
    await expect(
      database.savepoint(async () => {
        note('undone');
        database.transaction(() => note('undone, too'));
        raised('no')();
      }),
    ).rejects.toThrow('no');
    note('kept as well');
    database.commit();
    expect(seen).toEqual(['kept', 'kept as well']);
  });

  it('keeps its order when a callback commits something, and its queue when that is undone', () => {
    const database = withTable();
    const seen: string[] = [];
    database.transaction(() => {
      database.afterCommit(() => {
        database.transaction(() => database.afterCommit(() => seen.push('third')));
        expect(() => database.transaction(raised('undone'))).toThrow('undone');
        seen.push('first');
      });
      database.afterCommit(() => seen.push('second'));
    });
    expect(seen).toEqual(['first', 'second', 'third']);
  });
});

describe('an error in what follows a commit', () => {
  it('is not the committer’s, and does not keep the next from running', async () => {
    const database = withTable();
    const seen: string[] = [];
    const uncaught = Promise.withResolvers<unknown>();
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', uncaught.resolve);
    onTestFinished(() => {
      for (const listener of listeners) process.on('uncaughtException', listener);
    });
    database.transaction(() => {
      insert(database, 'a');
      database.afterCommit(raised('listener'));
      database.afterCommit(() => seen.push('next'));
    });
    expect(committed(database)).toEqual(['a']);
    expect(seen).toEqual(['next']);
    expect(await uncaught.promise).toMatchObject({ message: 'listener' });
  });
});

describe('a full disk', () => {
  function nearlyFull(): Database {
    const database = withTable();
    insert(database, 'before');
    const { page_count } = database.get<{ page_count: number }>('PRAGMA page_count') ?? { page_count: 0 };
    database.exec(`PRAGMA max_page_count = ${page_count + 2}`);
    return database;
  }
  const large = 'x'.repeat(50_000);
  const full = expect.objectContaining({ code: 'storage_full', status: 507 });

  it('undoes the transaction, is told as 507, and leaves the store working', () => {
    const database = nearlyFull();
    const followed: string[] = [];
    const attempt = () =>
      database.transaction(() => {
        database.afterCommit(() => followed.push('followed'));
        insert(database, 'small');
        insert(database, large);
      });
    expect(attempt).toThrow(full);
    expect(() => insert(database, large)).toThrow(full);
    expect(committed(database)).toEqual(['before']);
    insert(database, 'after');
    expect(committed(database)).toEqual(['before', 'after']);
    expect(followed).toEqual([]);
  });

  it('undoes the whole transaction, also when a part of it took the error for its own', async () => {
    const database = nearlyFull();
    database.begin();
    insert(database, 'one');
    await expect(database.savepoint(async () => insert(database, large))).rejects.toThrow(full);
    expect(() => insert(database, 'two')).toThrow(full);
    expect(() => database.commit()).toThrow(full);
    expect(database.inTransaction).toBe(false);
    expect(committed(database)).toEqual(['before']);
  });
});

describe('a failed write', () => {
  /** A file with damaged pages in the middle; `failures` are the calls of `onFail`. */
  function damaged(): { database: Database; failures: unknown[]; folder: string } {
    const folder = temporaryFolder();
    const sound = Database.open({ folder });
    sound.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)');
    sound.transaction(() => {
      for (let n = 0; n < 5_000; n += 1) insert(sound, 'x'.repeat(100));
    });
    sound.close();
    const file = join(folder, 'holdpoint.db');
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 2 * 4_096);
    writeFileSync(file, bytes);
    const failures: unknown[] = [];
    return {
      database: temporaryDatabase({ folder, onFail: error => failures.push(error) }),
      failures,
      folder,
    };
  }

  it('stops the store for good, tells once, and frees the folder when closed', () => {
    const { database, failures, folder } = damaged();
    expect(() => database.transaction(() => database.run('DELETE FROM note'))).toThrow(StoreFailedError);
    expect(failures).toEqual([expect.objectContaining({ errcode: expect.any(Number) })]);
    expect(database.failure).toBeInstanceOf(AppError);
    const calls = [
      () => database.get('SELECT 1'),
      () => database.run('SELECT 1'),
      () => database.reader.get('SELECT 1'),
      () => database.begin(),
      () => database.transaction(() => 1),
    ];
    for (const call of calls) expect(call).toThrow(StoreFailedError);
    expect(failures).toHaveLength(1);
    database.close();
    Database.open({ folder, lockWaitMs: 0 }).close();
  });

  it('inside an open transaction ends that, too', async () => {
    const { database, failures } = damaged();
    const followed: string[] = [];
    database.begin();
    database.afterCommit(() => followed.push('followed'));
    await expect(database.savepoint(async () => database.run('DELETE FROM note'))).rejects.toThrow(
      StoreFailedError,
    );
    expect(() => database.commit()).toThrow(StoreFailedError);
    expect(failures).toHaveLength(1);
    expect(followed).toEqual([]);
  });
});
