import { describe, expect, it, vi } from 'vitest';
import type { CommitRequest } from '../../../server/store/commit.ts';
import type { Store } from '../../../server/store/store.ts';
import { readLocal, writeLocal } from '../../../server/store/tables.ts';
import type { Rule } from '../../../server/store/unit-of-work.ts';
import { parseInput } from '../../../shared/contract/parse-input.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';
import { audit, commitsOf, recordsOf } from './audit.ts';
import { create, temporaryStore, update } from './temporary-store.ts';

const { supplier, specification } = families;

/** What a faulty commit does after it has put two records. */
const faults: Record<string, (store: Store) => Partial<CommitRequest<StoredRecord, unknown>>> = {
  'its work throws': () => ({
    work: work => {
      putTwo(work);
      throw new Error('work failed');
    },
  }),
  'its answer throws': () => ({
    answer: () => {
      throw new Error('answer failed');
    },
  }),
  'a constraint of SQLite breaks': store => ({
    answer: () => store.database.run('INSERT INTO block (block) SELECT block FROM block'),
  }),
  'a statement is wrong': store => ({ answer: () => store.database.run('SELECT nothing FROM nowhere') }),
};

describe('a commit', () => {
  it.each(Object.entries(faults))('leaves nothing when %s', async (_, fault) => {
    const store = await temporaryStore();
    const { id } = await create(store, 'supplier', { name: 'before' });
    const before = tablesOf(store);
    await expect(store.gate.commit({ ...twoRecords, ...fault(store) })).rejects.toThrow();
    expect(tablesOf(store)).toEqual(before);
    expect(store.records.page(supplier, { page: 1, perPage: 9, keyword: 'second' }).total).toBe(0);
    await update(store, 'supplier', id, { name: 'after' });
    expect(commitsOf(store).map(({ number }) => number)).toEqual([1, 2]);
    expect(audit(store)).toEqual([]);
  });

  it('leaves nothing when a rule throws after it has written other records', async () => {
    const failing: Rule = (work, change) => {
      if (change.isByRule) return;
      work.insert(supplier, { name: 'by a rule' });
      throw new Error('rule failed');
    };
    const store = await temporaryStore({ rules: { receiving: failing } });
    const before = tablesOf(store);
    await expect(create(store, 'receiving-inspection', {})).rejects.toThrow('rule failed');
    expect(tablesOf(store)).toEqual(before);
  });

  it('answers from what it has written, stock included, before others can see it', async () => {
    const store = await temporaryStore();
    const seen = await store.gate.commit({
      ...twoRecords,
      answer: record => [store.pending.get('supplier', record.id), store.records.get('supplier', record.id)],
    });
    expect(seen).toEqual([expect.objectContaining({ version: 1 }), undefined]);
  });

  it('writes every record of it in one link of the chain', async () => {
    const store = await temporaryStore();
    await store.gate.commit(twoRecords);
    expect(commitsOf(store).map(({ entries }) => entries.map(({ subject }) => subject))).toEqual([
      ['supplier:1', 'specification:1'],
    ]);
  });
});

describe('commits that wait together', () => {
  it('share few transactions; each that fails is undone alone', async () => {
    const store = await temporaryStore();
    const durable = vi.spyOn(store.database, 'commit');
    const writes = Array.from({ length: 100 }, (_, index) => {
      const fault = index % 5 === 0 ? Object.values(faults)[(index / 5) % 4]?.(store) : undefined;
      return store.gate.commit({ ...named(`S${index}`), ...fault });
    });
    const results = await Promise.allSettled(writes);
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual(
      results.map((_, index) => index % 5 !== 0),
    );
    expect(durable.mock.calls.length).toBeLessThan(10);
    expect(recordsOf(store).map(({ fields }) => fields.name)).toEqual(
      results.flatMap(({ status }, index) => (status === 'fulfilled' ? [`S${index}`] : [])),
    );
    expect(commitsOf(store)).toHaveLength(80);
    // What was undone has taken no id, and what comes later takes none of theirs.
    expect(recordsOf(store).map(({ id }) => id)).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
    expect((await create(store, 'supplier', { name: 'later' })).id).toBe(81);
    expect(audit(store)).toEqual([]);
  });

  it('are answered after their transaction is durable', async () => {
    const store = await temporaryStore();
    const writes = Array.from({ length: 20 }, async (_, index) => {
      const { id } = await store.gate.commit(named(`S${index}`));
      expect(store.records.get('supplier', id)).toBeDefined();
    });
    await Promise.all(writes);
  });

  it('are undone together and told so when their transaction fails', async () => {
    const store = await temporaryStore();
    await create(store, 'supplier', { name: 'before' });
    const broken = vi.spyOn(store.database, 'commit').mockImplementation(() => {
      store.database.rollback();
      throw new Error('no space');
    });
    const writes = Array.from({ length: 10 }, (_, index) => store.gate.commit(named(`S${index}`)));
    for (const result of await Promise.allSettled(writes)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { message: 'no space' } });
    }
    broken.mockRestore();
    await create(store, 'supplier', { name: 'after' });
    expect(commitsOf(store).map(({ number }) => number)).toEqual([1, 2]);
    expect(audit(store)).toEqual([]);
  });

  it('that update one record each see what the one before wrote', async () => {
    const store = await temporaryStore();
    const { id } = await create(store, 'supplier', { name: 'S' });
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => update(store, 'supplier', id, { notes: `${index}` })),
    );
    expect(store.records.get('supplier', id)).toMatchObject({ version: 51, fields: { notes: '49' } });
    expect(audit(store)).toEqual([]);
  });
});

describe('commits made together', () => {
  it('are all undone by what the work throws, while those that wait go on', async () => {
    const store = await temporaryStore();
    const before = store.gate.commit(named('before'));
    const together = store.gate.together(async commit => {
      for (let index = 0; index < 10; index += 1) await commit(named(`T${index}`));
      throw new Error('row 10 is bad');
    });
    const after = store.gate.commit(named('after'));
    await expect(together).rejects.toThrow('row 10 is bad');
    await Promise.all([before, after]);
    expect(recordsOf(store).map(({ fields }) => fields.name)).toEqual(['before', 'after']);
    expect(audit(store)).toEqual([]);
  });

  it('go on after one of them failed, when the work does', async () => {
    const store = await temporaryStore();
    await store.gate.together(async commit => {
      await commit(named('good'));
      await commit({ ...twoRecords, ...faults['its answer throws']?.(store) }).catch(() => {});
      await commit(named('good too'));
    });
    expect(recordsOf(store).map(({ fields }) => fields.name)).toEqual(['good', 'good too']);
    expect(audit(store)).toEqual([]);
  });
});

describe('those who follow', () => {
  it('hear of every durable commit in its order and of no other', async () => {
    const store = await temporaryStore();
    const heard: [number, string][] = [];
    const stop = store.gate.follow(({ sequence, records }) =>
      heard.push([sequence, ...records.map(({ key }) => key)] as [number, string]),
    );
    await Promise.allSettled([
      store.gate.commit(named('A')),
      store.gate.commit({ ...named('B'), ...faults['its answer throws']?.(store) }),
      store.gate.together(async commit => {
        await commit(named('C'));
        throw new Error('undone');
      }),
      store.gate.commit(named('D')),
    ]);
    stop();
    await store.gate.commit(named('E'));
    expect(heard).toEqual([
      [1, 'supplier:1'],
      [2, 'supplier:2'],
    ]);
  });
});

const twoRecords: CommitRequest<StoredRecord, unknown> = {
  actor: { rights: BY_SERVER, user: 'tester' },
  reason: null,
  work: putTwo,
  answer: record => record,
};

function putTwo(work: Parameters<typeof twoRecords.work>[0]): StoredRecord {
  const first = work.create(supplier, parseInput(supplier, { name: 'first' }, { mode: 'create' }));
  const template = { characteristics: [{ name: 'Height' }] };
  work.create(specification, parseInput(specification, template, { mode: 'create' }));
  work.update(supplier, first.id, parseInput(supplier, { name: 'second' }, { mode: 'patch' }));
  return first;
}

function named(name: string): CommitRequest<StoredRecord, StoredRecord> {
  return {
    actor: { rights: BY_SERVER, user: 'tester' },
    reason: null,
    work: work => work.create(supplier, parseInput(supplier, { name }, { mode: 'create' })),
    answer: record => record,
  };
}

/** Every row of every table of the database. */
function tablesOf(store: Store): Record<string, unknown[]> {
  const tables = store.database.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search_index%' AND name NOT LIKE 'sqlite_%'",
  );
  return Object.fromEntries(tables.map(({ name }) => [name, store.database.all(`SELECT * FROM "${name}"`)]));
}

it('of what another machine sends that which is left to write is a step of its own before it is made durable', async () => {
  const { gate, database } = await temporaryStore();
  let isOpenAtNextTurn = false;
  await gate.applyRemote(() => {
    database.atEnd('Much', () => setImmediate(() => (isOpenAtNextTurn = database.inTransaction)));
    return { result: undefined };
  });
  expect(isOpenAtNextTurn).toBe(true);
});

it('what is under way when the store is closed is undone, and whoever waits is told to try again', async () => {
  const store = await temporaryStore();
  const { database, gate } = store;
  const goOn = Promise.withResolvers<void>();
  const writing = gate.applyRemote(async () => {
    writeLocal(database, 'said', 'half');
    await goOn.promise;
    return { result: undefined };
  });
  while (!database.inTransaction) await new Promise(setImmediate);
  await store.close();
  goOn.resolve();
  await expect(writing).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('Try again'),
  });
  const { folder } = database;
  expect(readLocal((await temporaryStore({ folder })).database, 'said')).toBeUndefined();
});
