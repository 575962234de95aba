import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import type { SeededRandom } from './seeded-random.ts';

export interface Damage {
  /** The table; null for bytes of the file. */
  table: string | null;
  /** The column that was changed; null where it is a whole row, or bytes. */
  column: string | null;
  what: string;
}

type Row = Record<string, SQLOutputValue>;

/**
 * What somebody does to the file behind Holdpoint's back: a row deleted, doubled or changed in any table, or bytes
 * written over. Chosen by the file's own schema alone, without regard to what anything checks.
 */
export function plantDamage(folder: string, random: SeededRandom): Damage {
  const file = join(folder, 'holdpoint.db');
  if (random.below(5) === 0) return { table: null, column: null, what: writeOver(file, random) };
  const database = new DatabaseSync(file);
  try {
    // Where the build forbids writing to the tables of the search index by default.
    if ('enableDefensive' in database) database.enableDefensive(false);
    const triggers = dropTriggers(database);
    try {
      for (;;) {
        const damage = changeSomething(database, random);
        if (damage) return damage;
      }
    } finally {
      for (const sql of triggers) database.exec(sql);
    }
  } finally {
    database.close();
  }
}

function writeOver(file: string, random: SeededRandom): string {
  const bytes = readFileSync(file);
  const [at, length] = [random.below(bytes.length - 64), 1 + random.below(64)];
  for (let index = at; index < at + length; index += 1) bytes.writeUInt8(random.below(256), index);
  writeFileSync(file, bytes);
  return `${length} bytes at ${at}`;
}

function dropTriggers(database: DatabaseSync): string[] {
  const triggers = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${name}"`);
  return triggers.map(({ sql }) => String(sql));
}

/** Undefined where the choice changes nothing, such as in an empty table or against a constraint. */
function changeSomething(database: DatabaseSync, random: SeededRandom): Damage | undefined {
  const tables = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    .all();
  const table = String(random.pick(tables).name);
  const columns = database.prepare(`PRAGMA table_info("${table}")`).all();
  const reading = database.prepare(`SELECT * FROM "${table}"`);
  reading.setReadBigInts(true);
  const rows: Row[] = reading.all();
  if (rows.length === 0) return undefined;
  const keys = columns.filter(({ pk }) => Number(pk) > 0).map(({ name }) => String(name));
  const row = random.pick(rows);
  const column = String(random.pick(columns).name);
  const named = keys.length > 0 ? keys : columns.map(({ name }) => String(name));
  const where = named.map(name => `"${name}" IS ?`).join(' AND ');
  const key = named.map(name => row[name] ?? null);
  const other = mutated(row[column] ?? null, random);
  const kind = random.pick(['delete', 'change', 'change', 'change', 'double', 'swap'] as const);
  const run = (sql: string, ...values: SQLInputValue[]) => {
    try {
      return Number(database.prepare(sql).run(...values).changes);
    } catch (error) {
      // A constraint forbids it.
      if (error instanceof Error && 'errcode' in error) return 0;
      throw error;
    }
  };
  let changes = 0;
  if (kind === 'delete') changes = run(`DELETE FROM "${table}" WHERE ${where}`, ...key);
  else if (kind === 'change') {
    changes = run(`UPDATE "${table}" SET "${column}" = ? WHERE ${where}`, other, ...key);
  } else if (kind === 'double') {
    const copy: Row = { ...row, [keys[0] ?? column]: mutated(row[keys[0] ?? column] ?? null, random) };
    const names = Object.keys(copy);
    changes = run(
      `INSERT INTO "${table}" (${names.map(name => `"${name}"`).join()}) VALUES (${names.map(() => '?').join()})`,
      ...Object.values(copy),
    );
  } else {
    const from = random.pick(rows)[column] ?? null;
    if (from === row[column] || from instanceof Uint8Array) return undefined;
    changes = run(`UPDATE "${table}" SET "${column}" = ? WHERE ${where}`, from, ...key);
  }
  if (changes === 0) return undefined;
  const isOneValue = kind === 'change' || kind === 'swap';
  return { table, column: isOneValue ? column : null, what: `${kind} of ${column} in the row ${key.join()}` };
}

/** Another value of the same type, often only a little different. */
function mutated(value: SQLOutputValue, random: SeededRandom): SQLOutputValue {
  if (value === null) return random.pick([0, 1, 'x']);
  if (typeof value === 'number') return value + random.pick([-0.5, 1]);
  if (typeof value === 'bigint') return value + random.pick([-1n, 1n, 1_000n]);
  if (typeof value === 'string') {
    const at = random.below(value.length + 1);
    const letter = String.fromCharCode(97 + random.below(26));
    return `${value.slice(0, at)}${letter}${value.slice(at + random.below(2))}`;
  }
  const bytes = Buffer.from(value);
  if (bytes.length === 0) return Buffer.from([1]);
  const at = random.below(bytes.length);
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 + random.below(255)), at);
  return bytes;
}
