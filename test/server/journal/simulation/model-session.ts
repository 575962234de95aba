import type { QueryResult } from 'pg';
import {
  APPEND,
  BEGIN_HEAD,
  CHANNEL,
  ENTRIES,
  LOCK_HEAD,
  RAISE_FENCE,
  READ_HEAD,
  SCHEMA,
  SETTLE,
  TELL,
  TURNS,
} from '../../../../server/journal/schema.ts';
import { type EntryRow, type HeadRow, type Peer, refusal, type Server, type Written } from './model-parts.ts';

type Tell = (told: QueryResult | Error) => void;

/** In milliseconds, as the driver asks for them. */
const LOCK_MS = 8_000;
const IDLE_MS = 5_000;

interface Transaction {
  written: Written;
  isFailed: boolean;
}

const MAY_FAIL = new Set<string>([
  LOCK_HEAD,
  APPEND,
  RAISE_FENCE,
  READ_HEAD,
  SETTLE,
  TURNS,
  ENTRIES,
  'BEGIN',
  'COMMIT',
]);

/** The server's end of a connection: one statement after the other. */
export class ModelSession {
  readonly #node: Server<ModelSession>;
  readonly #client: Peer;
  readonly #waiting: { sql: string; values: unknown[]; tell: Tell }[] = [];
  #isBusy = false;
  #isOpen = true;
  #transaction: Transaction | undefined;
  #idle: { isCancelled: boolean } | undefined;
  isListening = false;

  constructor(node: Server<ModelSession>, client: Peer) {
    this.#node = node;
    this.#client = client;
  }

  /** A statement comes. */
  take(sql: string, values: unknown[], tell: Tell): void {
    if (!this.#isOpen) return;
    this.#waiting.push({ sql, values, tell });
    void this.#work();
  }

  /** The other end is gone: what is open is undone, after what came before. */
  close(): void {
    if (this.#isBusy) {
      this.#waiting.push({ sql: 'ROLLBACK', values: [], tell: () => this.end(false) });
      return;
    }
    this.end(false);
  }

  /** At once. */
  end(isTold: boolean): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#waiting.length = 0;
    this.#transaction = undefined;
    if (this.#idle) this.#idle.isCancelled = true;
    this.#node.left(this);
    if (isTold) this.#client.ended();
  }

  notify(payload: string): void {
    if (this.#isOpen) this.#client.notified(payload);
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    if (this.#idle) this.#idle.isCancelled = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const { sql, values, tell } = next;
      const told = await this.#run(sql, values).catch((error: Error) => {
        if (this.#transaction) this.#transaction.isFailed = true;
        return error;
      });
      // Its server has ended meanwhile.
      if (!this.#isOpen) return;
      tell(told);
    }
    this.#isBusy = false;
    if (!this.#transaction || !this.#isOpen) return;
    const { world } = this.#node.cluster;
    this.#idle = world.after(IDLE_MS, `${this.#client.actor.name} was idle for too long`, () =>
      this.end(true),
    );
  }

  async #run(sql: string, values: unknown[]): Promise<QueryResult> {
    const { cluster } = this.#node;
    const transaction = this.#transaction;
    if (transaction?.isFailed && sql !== 'ROLLBACK' && sql !== 'COMMIT')
      throw refusal('25P02', 'current transaction is aborted');
    if (cluster.refusesOneIn > 0 && MAY_FAIL.has(sql) && cluster.world.oneIn(cluster.refusesOneIn)) {
      if (sql === 'COMMIT') this.#undo();
      throw refusal('40001', 'in the way');
    }
    switch (sql) {
      case 'SHOW transaction_read_only':
        return rows([{ transaction_read_only: this.#node.isStandby ? 'on' : 'off' }]);
      case 'BEGIN':
        this.#transaction ??= { written: {}, isFailed: false };
        return said('BEGIN');
      case 'ROLLBACK':
        this.#undo();
        return said('ROLLBACK');
      case 'COMMIT':
        return this.#commit();
      case 'SELECT 1':
        return rows([{ '?column?': 1 }]);
      case `LISTEN ${CHANNEL}`:
        if (cluster.isSilent) throw refusal('0A000', 'LISTEN is not supported');
        this.isListening = true;
        return said('LISTEN');
      case TELL:
        if (cluster.isSilent) throw refusal('42883', 'function pg_notify does not exist');
        this.#node.notify(String(values[0]));
        return rows([{}]);
      case 'SELECT 1 FROM turn WHERE id = $1':
        return rows(this.#node.state.turns.filter(({ id }) => id === values[0]).map(() => ({})));
      case SETTLE:
        // To lock a row is a write.
        await this.#node.flush({});
        return rows(this.#node.state.turns.slice(-1));
      case READ_HEAD:
        return rows(headIn(transaction?.written.head ?? this.#node.state.head));
      case TURNS: {
        const turns = between(values, this.#node.state.turns);
        return rows(turns.map(turn => ({ ...turn, position: String(turn.position) })));
      }
      case ENTRIES: {
        const [place] = values.map(Number);
        const entries = between(values, this.#node.state.entries).filter(
          ({ position }) => position !== place,
        );
        return rows(
          entries.map(entry => ({
            ...entry,
            position: String(entry.position),
            sequence: String(entry.sequence),
          })),
        );
      }
    }
    if (SCHEMA.includes(sql)) return said('CREATE TABLE');
    return this.#write(sql, values);
  }

  async #write(sql: string, values: unknown[]): Promise<QueryResult> {
    // Outside of a transaction each statement is one.
    const isAlone = this.#transaction === undefined;
    this.#transaction ??= { written: {}, isFailed: false };
    const { written } = this.#transaction;
    try {
      await this.#node.lock(this, LOCK_MS);
      const head = written.head ?? this.#node.state.head;
      const result = this.#changed(sql, values, head, written);
      if (isAlone) await this.#commit();
      return result;
    } catch (error) {
      if (isAlone) this.#undo();
      throw error;
    }
  }

  #changed(sql: string, values: unknown[], head: HeadRow | undefined, written: Written): QueryResult {
    if (sql === BEGIN_HEAD) {
      if (head) return said('INSERT');
      written.head = { journal: '', position: 0, turn: '', sequence: 0, hash: '', fence: 0, format: 1 };
      return said('INSERT', 1);
    }
    if (sql === LOCK_HEAD) return rows(headIn(head));
    if (sql === RAISE_FENCE) {
      if (head) written.head = { ...head, fence: head.fence + 1 };
      return said('UPDATE', head ? 1 : 0);
    }
    if (!sql.includes('INSERT INTO turn')) throw new Error(`The model does not know the statement: ${sql}`);
    const [journal, position, turn, fence, id, sequence, hash, process, at, facts, ...lists] = values;
    // As the statement says, so that one that says less is told apart.
    const isSame =
      head &&
      (head.journal === '' || head.journal === journal) &&
      (head.position === position || !sql.includes('AND position = $2')) &&
      (head.turn === turn || !sql.includes('AND turn = $3')) &&
      (head.fence === fence || !sql.includes('AND fence = $4'));
    if (!isSame) return said('SELECT', 0);
    const next = head.position + 1;
    const [sequences, ids, chains, numbers, bodies, decisions, hashes, signatures] = lists as unknown[][];
    const entries = (sequences ?? []).map(
      (each, n): EntryRow => ({
        position: next,
        sequence: Number(each),
        commit_id: String(ids?.[n]),
        chain: String(chains?.[n]),
        number: Number(numbers?.[n]),
        body: String(bodies?.[n]),
        decisions: String(decisions?.[n]),
        hash: String(hashes?.[n]),
        countersignature: String(signatures?.[n]),
      }),
    );
    const row = { position: next, id: String(id), process: String(process), at: String(at), format: 1 };
    this.#node.refuseDoubled({ ...row, facts: String(facts) }, entries);
    written.head = {
      ...head,
      ...{ journal: String(journal), position: next, turn: String(id) },
      ...{ sequence: Number(sequence), hash: String(hash) },
    };
    written.turn = { ...row, facts: String(facts) };
    written.entries = entries;
    return said('SELECT', 1);
  }

  async #commit(): Promise<QueryResult> {
    const transaction = this.#transaction;
    if (!transaction || transaction.isFailed) {
      this.#undo();
      return said(transaction ? 'ROLLBACK' : 'COMMIT');
    }
    if (transaction.written.head) await this.#node.flush(transaction.written);
    this.#undo();
    return said('COMMIT');
  }

  #undo(): void {
    this.#transaction = undefined;
    this.#node.unlock(this);
  }
}

function between<Row extends { position: number }>(values: unknown[], given: readonly Row[]): Row[] {
  const [from, to] = values.map(Number) as [number, number];
  return given.filter(({ position }) => position >= from && position <= to);
}

function headIn(head: HeadRow | undefined): object[] {
  if (!head) return [];
  const { position, sequence, fence, ...others } = head;
  return [{ ...others, position: String(position), sequence: String(sequence), fence: String(fence) }];
}

function rows(given: object[]): QueryResult {
  return { command: 'SELECT', rowCount: given.length, rows: given } as unknown as QueryResult;
}

function said(command: string, rowCount = 0): QueryResult {
  return { command, rowCount, rows: [] } as unknown as QueryResult;
}
