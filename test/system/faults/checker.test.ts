import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../server/store/sqlite/temporary-folder.ts';
import { Station } from '../../support/station.ts';
import { checkFaults } from './check-faults.ts';
import type { Letter } from './check-sequence.ts';
import { FaultLog, type Logged, type Outcome, outcomeOf } from './fault-log.ts';
import { LoggingClient } from './logging-client.ts';

const RECORDS = 'holdpoint__records__0';
const CHECK = new URL('./check.ts', import.meta.url).pathname;

/** What a station wrote without any fault, and the log of it, for faults to be planted into copies of both. */
describe('the checker', () => {
  const station = new Station();
  let text = '';
  beforeAll(async () => {
    await station.start();
    const client = new LoggingClient(station, { seed: 1 });
    await client.prepare();
    await client.writeSome(150);
    text = client.log.text();
    await station.restart();
    await station.kill();
  });
  afterAll(() => station.stop());

  const operations = () => FaultLog.parse(text).operations;
  const one = (kind: string, outcome: Outcome = 'written'): Logged => {
    const found = operations().findLast(
      logged => logged.operation.kind === kind && outcomeOf(logged) === outcome,
    );
    if (!found) throw new Error(`The log has no ${kind} that is ${outcome}.`);
    return found;
  };
  const copy = () => {
    const folder = temporaryFolder();
    cpSync(station.folder, folder, { recursive: true });
    return folder;
  };
  const letters = (folder: string, log = FaultLog.parse(text)) => [
    ...new Set(checkFaults(folder, log).map(({ letter }) => letter)),
  ];
  /** Letters that the checker names after statements on a copy of the file. */
  const lettersAfter = (...statements: string[]) => {
    const folder = copy();
    const database = new DatabaseSync(join(folder, 'holdpoint.db'));
    for (const { name } of database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()) {
      database.exec(`DROP TRIGGER ${name}`);
    }
    for (const statement of statements) database.exec(statement);
    database.close();
    return letters(folder);
  };

  it('finds nothing where nothing is wrong, as a module and as a program', () => {
    expect(checkFaults(station.folder, FaultLog.parse(text))).toEqual([]);
    const file = join(temporaryFolder(), 'log');
    writeFileSync(file, text);
    const said = execFileSync(process.execPath, [CHECK, station.folder, file], { encoding: 'utf8' });
    expect(said).toMatch(/^0 violations: \d+ writes answered 2xx, [1-9]\d* refused, 0 without/);
  });

  it('ends with 1 as a program and names the letter', () => {
    const log = FaultLog.parse(text);
    const { operation, attempts } = one('supplier');
    log.sent({ ...operation, number: log.nextNumber, marker: `${log.prefix}never.` });
    log.attempted({
      ...attempts.at(-1),
      operation: log.nextNumber - 1,
      status: 201,
      answer: { data: { id: 900 } },
    });
    const file = join(temporaryFolder(), 'log');
    writeFileSync(file, log.text());
    const { status, stdout } = spawnSync(process.execPath, [CHECK, station.folder, file], {
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^D supplier .*never\. was answered 2xx/)]);
  });

  it('D: the newest commits and their records are gone, as after an answer before the write was durable', () => {
    const lost = `SELECT json_extract(value, '$.subject') FROM history, json_each(entries)
      WHERE number > (SELECT max(number) FROM history) - 3`;
    expect(
      lettersAfter(
        `DELETE FROM "${RECORDS}" WHERE key IN (${lost})`,
        'DELETE FROM history WHERE number > (SELECT max(number) FROM history) - 3',
      ),
    ).toContain('D');
  });

  it('D: a value in history is another one than was answered', () => {
    const { marker } = one('order').operation;
    expect(
      lettersAfter(
        `UPDATE history SET entries = replace(entries, '${marker}', 'x') WHERE entries LIKE '%${marker}%'`,
      ),
    ).toContain('D');
  });

  it('X: a write applied twice', () => {
    const { marker } = one('ncr').operation;
    const [folder, letter] = [copy(), 'X' satisfies Letter];
    const database = new DatabaseSync(join(folder, 'holdpoint.db'));
    database.exec(`INSERT INTO history (chain, number, commit_id, at, clock_offset, user, reason, entries, previous_hash, hash)
      SELECT chain, (SELECT max(number) + 1 FROM history), 'again', at, clock_offset, user, reason,
        replace(entries, '"subject":"ncr:', '"subject":"ncr:90'), hash, 'x' FROM history WHERE entries LIKE '%${marker}%'`);
    database.close();
    expect(letters(folder)).toContain(letter);
  });

  it('X: one write answered with two ids', () => {
    const log = FaultLog.parse(text);
    log.attempted({
      operation: one('supplier').operation.number,
      status: 201,
      answer: { data: { id: 901 } },
    });
    expect(letters(station.folder, log)).toEqual(['X']);
  });

  it.each<[string, Letter, string]>([
    ['a stock row changed by a millionth', 'A', 'UPDATE stock SET quantity = quantity + 1'],
    ['a fact about a lot dropped', 'A', "DELETE FROM lot_fact WHERE source LIKE 'shipment:%'"],
    ['a record dropped', 'A', `DELETE FROM "${RECORDS}" WHERE key = (SELECT max(key) FROM "${RECORDS}")`],
    [
      'a value of a record changed',
      'A',
      `UPDATE "${RECORDS}" SET document = replace(document, '"internal"', '"customer"')`,
    ],
    ['an entry dropped from history', 'S', 'DELETE FROM history WHERE number = 40'],
    [
      'a chain cut and sewn up',
      'S',
      'DELETE FROM history WHERE number = 40; UPDATE history SET number = number - 1 WHERE number > 40',
    ],
    ['a hash changed', 'S', "UPDATE history SET hash = 'x' WHERE number = 12"],
    ['a reason added', 'S', "UPDATE history SET reason = 'because' WHERE number = 12"],
    [
      'a number given twice',
      'S',
      `UPDATE "${RECORDS}" SET document = json_set(document, '$.fields.order_number', 'OR') WHERE f_family = 'order'`,
    ],
  ])('finds %s', (_, letter, statement) => {
    expect(lettersAfter(statement)).toContain(letter);
  });

  it('S: an id answered for two creates', () => {
    const log = FaultLog.parse(text);
    const { operation, attempts } = one('supplier');
    const number = log.nextNumber;
    log.sent({ ...operation, number, marker: `${log.prefix}${number}.` });
    log.attempted({ ...attempts.at(-1), operation: number, status: 201, answer: attempts.at(-1)?.answer });
    expect(letters(station.folder, log)).toContain('S');
  });

  it('N: a write that was answered 4xx stands in the file', () => {
    const log = new FaultLog(FaultLog.parse(text).prefix);
    for (const { operation, attempts } of operations()) {
      log.sent(operation);
      const isPlanted = operation.number === one('receipt').operation.number;
      for (const attempt of attempts) log.attempted(isPlanted ? { ...attempt, status: 422 } : attempt);
    }
    expect(letters(station.folder, log)).toContain('N');
  });

  it('N: a refused value in a record, past history', () => {
    const { marker } = one('refused', 'refused').operation;
    expect(
      lettersAfter(
        `UPDATE "${RECORDS}" SET document = json_set(document, '$.fields.name', '${marker}') WHERE f_family = 'supplier'`,
      ),
    ).toEqual(expect.arrayContaining(['A', 'N']));
  });
});
