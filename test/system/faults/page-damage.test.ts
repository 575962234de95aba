import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { backUp } from '../../../server/store/restore/backup.ts';
import { restore } from '../../../server/store/restore/restore.ts';
import { verify } from '../../../server/store/verify/verify.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import { temporaryFolder } from '../../server/store/sqlite/temporary-folder.ts';
import { Station } from '../../support/station.ts';
import { type Answers, everyAnswer, judge, pathsOf } from './every-answer.ts';
import { tell } from './expect-sound.ts';
import { firstDifference } from './first-difference.ts';
import { LoggingClient } from './logging-client.ts';
import { overlooked } from './overlooked.ts';
import { differences, dump, pageOwners } from './page-owners.ts';
import { seededRandom } from './seeded-random.ts';
import { sizeOf } from './size.ts';
import { stationInProcess } from './station-in-process.ts';
import { readStoredFile } from './stored-file.ts';

const rounds = sizeOf(30, 300);
const SEED = Number(process.env.HOLDPOINT_FAULT_SEED ?? 61);
const RESTORED_EVERY = 10;
/** The index and what waits for it: nothing else may make an answer wrong, and these only a search's. */
const SEARCH_TABLES = /^search_(index|waiting)/;

const station = new Station();
let paths: string[] = [];
let truth: Answers = new Map();
let soundDump: Map<string, string> = new Map();
let owners: Map<number, string> = new Map();
let bytes = Buffer.alloc(0);
beforeAll(async () => {
  await station.start();
  const client = new LoggingClient(station, { seed: 61 });
  await client.prepare();
  await client.writeSome(150);
  await station.restart();
  await station.kill();
  const opened = await stationInProcess(station.folder);
  paths = pathsOf(readStoredFile(station.folder));
  truth = await everyAnswer(opened, paths);
  await opened.close();
  expect([...truth].filter(([, { status }]) => status !== 200)).toEqual([]);
  soundDump = dump(station.folder);
  owners = pageOwners(station.folder);
  bytes = readFileSync(join(station.folder, 'holdpoint.db'));
});
afterAll(() => station.stop());

interface Result {
  /** In words, for the table: what the flip hit and what followed. */
  served: 'right' | 'refused' | 'WRONG';
  /** Whether all that was served wrong are searches: one that misses a record is what nothing can tell yet. */
  onlySearches: boolean;
  verified: 'found' | 'nothing changed' | 'MISSED';
  /** The table or index that the page belongs to. */
  owner: string;
  where: string;
  details: string[];
}

it(
  `answers right or refuses, and verify finds it, when a bit of the file flips (${rounds.name}; seed ${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const backups = temporaryFolder();
    const at = new Date().toISOString();
    const { file: backup } = await backUp(
      { data: station.folder, folder: backups, keep: 2, at },
      verifyDependencies,
    );
    const results: Result[] = [];
    for (let round = 0; round < rounds.count; round += 1) {
      const [position, bit] = [random.below(bytes.length), random.below(8)];
      const folder = copyOf(station.folder);
      const damaged = Buffer.from(bytes);
      damaged.writeUInt8(damaged.readUInt8(position) ^ (1 << bit), position);
      writeFileSync(join(folder, 'holdpoint.db'), damaged);
      // After every other one the store looks at itself before it opens.
      if (round % 2 === 1) markUnclean(folder);
      results.push(await resultOf(folder, position, bit));
      if (round % RESTORED_EVERY === 0) await expectRestored(folder, backup);
      rmSync(folder, { recursive: true });
    }
    report(results);
    expect(
      results.filter(
        ({ served, owner, onlySearches }) =>
          served === 'WRONG' && !(onlySearches && SEARCH_TABLES.test(owner)),
      ),
    ).toEqual([]);
    // A refusal names the way out.
    expect(results.filter(({ details }) => details.some(line => / 500 /.test(line)))).toEqual([]);
    const missed = results.filter(({ verified }) => verified === 'MISSED');
    expect(missed.filter(({ owner }) => overlooked(owner, null) === undefined)).toEqual([]);
    expect(results.filter(({ verified }) => verified === 'found').length).toBeGreaterThan(0);
  },
  180_000 + rounds.count * 10_000,
);

it('would see a value that is served wrong, and one that verify misses', async () => {
  const folder = copyOf(station.folder);
  const database = new DatabaseSync(join(folder, 'holdpoint.db'));
  database.exec("UPDATE family_number SET family = 'sauce' WHERE family = 'ncr'");
  database.close();
  const opened = await stationInProcess(folder);
  const { wrong } = judge(truth, await everyAnswer(opened, paths));
  await opened.close();
  expect(wrong.length).toBeGreaterThan(0);
  expect(differences(soundDump, dump(folder))).toContain('family_number');
});

async function resultOf(folder: string, position: number, bit: number): Promise<Result> {
  const page = Math.floor(position / 4_096) + 1;
  const dumped = dump(folder);
  const changed = differences(soundDump, dumped);
  const owner = owners.get(page) ?? 'a free page';
  const where = `${owner}, byte ${position} bit ${bit}, changes ${changed.join() || 'nothing'}`;
  const findings = await findingsOf(folder);
  const verified =
    findings === undefined
      ? 'MISSED'
      : findings.length > 0
        ? 'found'
        : changed.length === 0
          ? 'nothing changed'
          : 'MISSED';
  const served = await servedFrom(folder);
  const details = [
    ...served.details,
    ...(findings?.slice(0, 2) ?? ['verify threw']),
    ...changed.slice(0, 1).map(name => firstDifference(soundDump.get(name) ?? '', dumped.get(name) ?? '')),
  ];
  return { ...served, verified, owner, where, details };
}

/** As if the last process had been killed. */
function markUnclean(folder: string): void {
  const file = join(folder, 'head.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"is_closed":true', '"is_closed":false'));
}

/** Undefined where verify itself fails. */
async function findingsOf(folder: string): Promise<string[] | undefined> {
  try {
    return (await verify(folder, { ...verifyDependencies })).findings.map(({ what }) => what);
  } catch (error) {
    tell(`verify threw ${error instanceof Error ? error.stack?.split('\n').slice(0, 3).join(' ') : error}`);
    return undefined;
  }
}

async function servedFrom(folder: string): Promise<Pick<Result, 'served' | 'details' | 'onlySearches'>> {
  let opened: Awaited<ReturnType<typeof stationInProcess>>;
  try {
    opened = await stationInProcess(folder);
  } catch (error) {
    // To refuse the start in a sentence is right; any other error is a fault of the program.
    if (error instanceof AppError)
      return { served: 'refused', onlySearches: false, details: [`start: ${error.code}`] };
    return {
      served: 'WRONG',
      onlySearches: false,
      details: [`start: ${error instanceof Error ? error.stack : error}`],
    };
  }
  try {
    const { wrong, refused } = judge(truth, await everyAnswer(opened, paths));
    const damage = opened.store.database.damage;
    const details = [
      ...wrong.slice(0, 3),
      ...refused.slice(0, 3),
      ...(damage ? [`reads only: ${damage.message.slice(0, 200)}`] : []),
    ];
    return {
      served: wrong.length > 0 ? 'WRONG' : refused.length > 0 ? 'refused' : 'right',
      onlySearches: wrong.every(line => line.includes('keyword=')),
      details,
    };
  } finally {
    await opened.close();
  }
}

/** Whatever the flip has done, the backup takes the database's place. */
async function expectRestored(folder: string, backup: string): Promise<void> {
  await restore({ folder, file: backup, ...verifyDependencies, clock: () => new Date() });
  expect((await verify(folder, { ...verifyDependencies })).findings).toEqual([]);
  const opened = await stationInProcess(folder);
  const { wrong, refused } = judge(truth, await everyAnswer(opened, paths.slice(0, 60)));
  await opened.close();
  expect([wrong, refused]).toEqual([[], []]);
}

function report(results: readonly Result[]): void {
  const counts = new Map<string, number>();
  for (const { served, verified } of results) {
    const name = `${served} (verify: ${verified})`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  tell(
    `${results.length} flipped bits: ${[...counts].map(([name, count]) => `${count} ${name}`).join(', ')}`,
  );
  for (const { served, verified, where, details } of results) {
    if (served === 'WRONG' || verified === 'MISSED')
      tell(`${served}, ${verified}: ${where}: ${details.join('; ')}`);
    else if (details.some(line => / 500 /.test(line))) tell(`answered 500: ${where}: ${details.join('; ')}`);
  }
}

function copyOf(folder: string): string {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true, filter: name => !name.endsWith('/reserve') });
  return copy;
}
