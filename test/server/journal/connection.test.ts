import { EventEmitter } from 'node:events';
import { DatabaseError, type QueryConfig } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import {
  type JournalClient,
  JournalConnection,
  JournalLostError,
} from '../../../server/journal/connection.ts';
import { Journal } from '../../../server/journal/journal.ts';
import { READ_HEAD } from '../../../server/journal/schema.ts';

const URL = 'postgres://nobody@nowhere/central';

/** A connection to a server that answers every statement by one row, or by what a test says. */
class Client extends EventEmitter implements JournalClient {
  readonly #refuse: (statement: QueryConfig) => Error | undefined;

  constructor(refuse: (statement: QueryConfig) => Error | undefined = () => undefined) {
    super();
    this.#refuse = refuse;
  }

  async connect() {}

  async end() {}

  async query(statement: QueryConfig) {
    const refusal = this.#refuse(statement);
    if (refusal) throw refusal;
    const rows = [{ transaction_read_only: 'off' }] as never[];
    return { rows, rowCount: 1, command: 'SELECT', oid: 0, fields: [] };
  }
}

function refusal(code: string, routine?: string): DatabaseError {
  return Object.assign(new DatabaseError('refused', 7, 'error'), { code, routine });
}

it.each([
  ['that the server does not have', refusal('26000')],
  ['whose columns changed', refusal('0A000', 'RevalidateCachedQuery')],
])('parses a statement anew, on a new connection, %s', async (_, error) => {
  let connections = 0;
  const connection = new JournalConnection(URL, undefined, () => {
    connections += 1;
    const isFirst = connections === 1;
    return new Client(({ name }) => (isFirst && name !== undefined ? error : undefined));
  });
  await expect(connection.query(READ_HEAD)).rejects.toThrow(JournalLostError);
  await expect(connection.query(READ_HEAD)).resolves.toMatchObject({ rowCount: 1 });
  expect(connections).toBe(2);
});

it('keeps its connection to a server that does not have LISTEN', async () => {
  let connections = 0;
  const connection = new JournalConnection(URL, undefined, () => {
    connections += 1;
    return new Client(({ text }) => (text?.startsWith('LISTEN') ? refusal('0A000') : undefined));
  });
  await expect(connection.query('LISTEN journal')).rejects.toThrow(DatabaseError);
  await connection.query(READ_HEAD);
  expect(connections).toBe(1);
});

it('takes news without a position, which a process of the former version tells, for news of whatever there is', async () => {
  const clients: Client[] = [];
  const news: number[] = [];
  const driver = () => {
    const client = new Client();
    clients.push(client);
    return client;
  };
  const journal = new Journal({ url: URL, driver, onNews: position => news.push(position) });
  onTestFinished(() => journal.close());
  await journal.listen();
  const [reader] = clients;
  for (const payload of ['', '7']) reader?.emit('notification', { payload });
  expect(news).toEqual([Number.POSITIVE_INFINITY, 7]);
});

it('keeps no connection once it is closed, one that is being made then among them, and makes none', async () => {
  const open = new Set<Client>();
  const answer = Promise.withResolvers<void>();
  const driver = () =>
    new (class extends Client {
      override connect() {
        open.add(this);
        return answer.promise;
      }

      override async end() {
        open.delete(this);
      }
    })();
  const connection = new JournalConnection(URL, undefined, driver);
  const asked = connection.query(READ_HEAD);
  connection.close();
  answer.resolve();
  await expect(asked).rejects.toThrow(JournalLostError);
  await expect(connection.query(READ_HEAD)).rejects.toThrow(JournalLostError);
  expect(open.size).toBe(0);
});
