import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { verify } from '../../../server/store/verify/verify.ts';
import { temporaryFolder } from '../../server/store/sqlite/temporary-folder.ts';
import { LoggingClient } from './logging-client.ts';
import { stationInProcess } from './station-in-process.ts';

/** A closed station's folder with the statements run on its file, and marked as if its process had been killed. */
async function damagedFolder(statements: string): Promise<string> {
  const folder = temporaryFolder();
  const station = await stationInProcess(folder);
  const client = new LoggingClient(station, { seed: 81 });
  await client.prepare();
  await client.writeSome(40, 1);
  await station.close();
  const database = new DatabaseSync(join(folder, 'holdpoint.db'));
  const trigger = 'history_is_never_changed';
  const kept = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(trigger)?.sql;
  database.exec(`DROP TRIGGER ${trigger}; ${statements}; ${kept}`);
  database.close();
  const head = join(folder, 'head.json');
  writeFileSync(head, readFileSync(head, 'utf8').replace('"is_closed":true', '"is_closed":false'));
  return folder;
}

/** The commit that created the part. */
const CREATED = `(SELECT min(sequence) FROM history WHERE entries LIKE '%"part:1"%')`;

it.each([
  [
    'entries whose names have changed',
    `UPDATE history SET entries = replace(entries, '"path"', '"pati"') WHERE number = 9`,
    'The entries of a commit cannot be read.',
  ],
  [
    'a name whose value is null, which the hash does not cover',
    `UPDATE history SET entries = replace(entries, '"old":null', '"ole":null') WHERE number = 9`,
    'The entries of a commit cannot be read.',
  ],
  [
    'entries that are no JSON',
    "UPDATE history SET entries = '[' WHERE number = 9",
    'The entries of a commit cannot be read.',
  ],
  [
    'a text that has become bytes',
    'UPDATE history SET commit_id = CAST(commit_id AS BLOB) WHERE number = 9',
    'A commit is not what its hash says.',
  ],
  [
    'a number beyond what JavaScript holds',
    'UPDATE history SET clock_offset = 17680146974638080 WHERE number = 9',
    'Value is too large to be represented',
  ],
])('verify and the start name %s', async (_, statement, expected) => {
  const folder = await damagedFolder(statement);
  const { findings } = await verify(folder, { ...verifyDependencies });
  expect(findings.map(({ what }) => what)).toContainEqual(expect.stringContaining(expected));
  const station = await stationInProcess(folder);
  const { damage } = station.store.database;
  await station.close();
  expect(damage?.message).toContain(expected);
});

it.each([
  [
    'history whose list lacks a commit',
    `DELETE FROM history_subject WHERE sequence = ${CREATED}`,
    '/x/history/part/1',
  ],
  [
    'history whose list leads to another commit',
    `UPDATE history_subject SET sequence = sequence + 1 WHERE sequence = ${CREATED}`,
    '/x/history/part/1',
  ],
  [
    'facts about a lot that do not add up to its stock',
    "DELETE FROM lot_fact WHERE source = 'receiving-inspection:1'",
    '/x/inventory/1/facts',
  ],
])('refuses %s', async (_, statement, path) => {
  const folder = await damagedFolder(statement);
  const station = await stationInProcess(folder);
  const { status, text } = await station.get(path);
  await station.close();
  expect([status, text]).toEqual([503, expect.stringMatching(/"code":"unavailable"/)]);
});
