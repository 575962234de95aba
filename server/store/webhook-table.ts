import { checksumOf } from './sqlite/checksum.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';

/**
 * Webhooks of this machine. `webhook_place` says how far each has come in what changed here; only what is late, or was given
 * up, has a row in `webhook_message`. Never synced.
 */
export const WEBHOOK_TABLES = `
CREATE TABLE IF NOT EXISTS webhook (
  id INTEGER PRIMARY KEY AUTOINCREMENT, settings TEXT NOT NULL, seal INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS webhook_place (
  webhook_id INTEGER PRIMARY KEY, cursor TEXT NOT NULL, seal INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS webhook_message (
  webhook_id INTEGER NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL, record TEXT NOT NULL, type TEXT NOT NULL,
  body TEXT NOT NULL, attempts INTEGER NOT NULL, due_at TEXT NOT NULL, failed_at TEXT, said TEXT, is_dead INTEGER NOT NULL,
  seal INTEGER NOT NULL, PRIMARY KEY (webhook_id, id)
) WITHOUT ROWID;
`;

/** A message that is late, or that was given up. Times are ISO 8601, UTC. */
export interface StoredMessage {
  /** The receiver's `webhook-id`. */
  id: string;
  /** In the order in which they came up. */
  number: number;
  /** Family and id; empty for what concerns all records. */
  record: string;
  type: string;
  body: string;
  attempts: number;
  due_at: string;
  /** When it failed last; null where it only waits for an earlier one of its record. */
  failed_at: string | null;
  /** What came of the last attempt, as JSON. */
  said: string | null;
  is_dead: 0 | 1;
}

/** What is to be written of one subscription at once. */
export interface DeliveryChanges {
  /** How far all has arrived or has a row. */
  cursor: string | undefined;
  put: readonly StoredMessage[];
  /** Ids. */
  remove: readonly string[];
}

const COLUMNS = [
  'id',
  'number',
  'record',
  'type',
  'body',
  'attempts',
  'due_at',
  'failed_at',
  'said',
  'is_dead',
] as const;

type Row<Each> = Each & { webhook_id: number; seal: number };

export type WebhookTable = ReturnType<typeof webhookTable>;

/** Reads see what is committed; writes belong into a transaction of the write gate. */
export function webhookTable(database: Database) {
  const { reader } = database;
  const broken = (id: number) => reader.damaged(`What is kept of the webhook ${id} is not what was written.`);
  return {
    /** Settings as JSON text, by ids. */
    list(): { id: number; settings: string }[] {
      return reader
        .all<{ id: number; settings: string; seal: number }>('SELECT * FROM webhook ORDER BY id')
        .map(({ seal, ...row }) => {
          if (checksumOf(row.settings) !== seal) throw broken(row.id);
          return row;
        });
    },
    insert(settings: string, cursor: string): number {
      const sql = 'INSERT INTO webhook (settings, seal) VALUES (?, ?)';
      const id = Number(database.run(sql, settings, checksumOf(settings)).lastInsertRowid);
      putPlace(database, id, cursor);
      return id;
    },
    update(id: number, settings: string): void {
      database.run(
        'UPDATE webhook SET settings = ?, seal = ? WHERE id = ?',
        settings,
        checksumOf(settings),
        id,
      );
    },
    remove(id: number): void {
      database.run('DELETE FROM webhook WHERE id = ?', id);
      database.run('DELETE FROM webhook_place WHERE webhook_id = ?', id);
      database.run('DELETE FROM webhook_message WHERE webhook_id = ?', id);
    },
    cursor(id: number): string | undefined {
      const sql = 'SELECT * FROM webhook_place WHERE webhook_id = ?';
      const row = reader.get<Row<{ cursor: string }>>(sql, id);
      if (row && checksumOf(row.cursor) !== row.seal) throw broken(id);
      return row?.cursor;
    },
    messages(id: number): StoredMessage[] {
      const sql = 'SELECT * FROM webhook_message WHERE webhook_id = ? ORDER BY number';
      return reader.all<Row<StoredMessage>>(sql, id).map(row => {
        if (checksumOfMessage(row) !== row.seal) throw broken(id);
        const { webhook_id: _, seal: __, ...message } = row;
        return message;
      });
    },
    write(id: number, { cursor, put, remove }: DeliveryChanges): void {
      // It may have been removed while this waited.
      if (database.get('SELECT 1 FROM webhook WHERE id = ?', id) === undefined) return;
      if (cursor !== undefined) putPlace(database, id, cursor);
      for (const message of put) putMessage(database, id, message);
      for (const message of remove)
        database.run('DELETE FROM webhook_message WHERE webhook_id = ? AND id = ?', id, message);
    },
  };
}

/** In the open transaction: nothing is sent until somebody lets it go on. `paused` goes into the settings of each. */
export function pauseWebhooks(database: Database, paused: object): void {
  for (const { id, settings } of database.all<{ id: number; settings: string }>(
    'SELECT id, settings FROM webhook',
  )) {
    const text = JSON.stringify({ ...JSON.parse(settings), paused });
    database.run('UPDATE webhook SET settings = ?, seal = ? WHERE id = ?', text, checksumOf(text), id);
  }
}

/** Messages of all webhooks that have a row. */
export function lateMessages(sql: Pick<SqlReader, 'all'>): { waiting: number; dead: number } {
  const rows = sql.all<{ is_dead: 0 | 1; n: number }>(
    'SELECT is_dead, count(*) AS n FROM webhook_message GROUP BY is_dead',
  );
  const countOf = (wanted: 0 | 1) => rows.find(({ is_dead: is }) => is === wanted)?.n ?? 0;
  return { waiting: countOf(0), dead: countOf(1) };
}

/** Rows that are not what was written, as `verify` names them. */
export function brokenWebhooks(sql: Pick<SqlReader, 'all'>): string[] {
  const settings = sql.all<{ id: number; settings: string; seal: number }>('SELECT * FROM main.webhook');
  const places = sql.all<Row<{ cursor: string }>>('SELECT * FROM main.webhook_place');
  const messages = sql.all<Row<StoredMessage>>('SELECT * FROM main.webhook_message');
  return [
    ...settings.flatMap(row => (checksumOf(row.settings) === row.seal ? [] : `webhook ${row.id}`)),
    ...places.flatMap(row => (checksumOf(row.cursor) === row.seal ? [] : `webhook_place ${row.webhook_id}`)),
    ...messages.flatMap(row => (checksumOfMessage(row) === row.seal ? [] : `webhook_message ${row.id}`)),
  ];
}

function putPlace(database: Database, id: number, cursor: string): void {
  const sql = 'INSERT OR REPLACE INTO webhook_place (webhook_id, cursor, seal) VALUES (?, ?, ?)';
  database.run(sql, id, cursor, checksumOf(cursor));
}

function putMessage(database: Database, webhook: number, message: StoredMessage): void {
  const row = { ...message, webhook_id: webhook };
  database.run(
    `INSERT OR REPLACE INTO webhook_message (webhook_id, ${COLUMNS.join(', ')}, seal)
     VALUES (?, ${COLUMNS.map(() => '?').join(', ')}, ?)`,
    webhook,
    ...COLUMNS.map(column => message[column]),
    checksumOfMessage(row),
  );
}

function checksumOfMessage(row: StoredMessage & { webhook_id: number }): number {
  return checksumOf(JSON.stringify([row.webhook_id, ...COLUMNS.map(column => row[column])]));
}
