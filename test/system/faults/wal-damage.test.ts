import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { verify } from '../../../server/store/verify/verify.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import { temporaryFolder } from '../../server/store/sqlite/temporary-folder.ts';
import { Station } from '../../support/station.ts';
import { checkFaults } from './check-faults.ts';
import { tell } from './expect-sound.ts';
import { LoggingClient } from './logging-client.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';
import { sizeOf } from './size.ts';
import { stationInProcess } from './station-in-process.ts';
import { readStoredFile, type StoredFile } from './stored-file.ts';

const rounds = sizeOf(20, 200);
const SEED = 51;
const LOG_FILE = 'holdpoint.db-wal';

interface Killed {
  folder: string;
  truth: StoredFile;
}

/** Killed after so many writes since it began its log; after some hundred, SQLite has begun to write the log over. */
async function killedAfter(writes: number): Promise<Killed> {
  const station = new Station();
  onTestFinished(() => station.stop());
  await station.start();
  const client = new LoggingClient(station, { seed: SEED });
  await client.prepare();
  await client.writeSome(100);
  await station.restart();
  await client.writeSome(writes);
  await station.kill();
  expect(checkFaults(station.folder, client.log)).toEqual([]);
  return { folder: station.folder, truth: readStoredFile(station.folder) };
}

/**
 * `broken`: no beginning of what was written is left, and that is reported. SQLite may have copied pages from behind a
 * cut into the database before, which then stand beside older ones.
 */
type Result = 'harmless' | 'reported' | 'broken';

it.each([
  ['', 40],
  [' that SQLite has begun to write over', 300],
])(
  `tells of every write that a cut or broken log%s lost (${rounds.name}; seed ${SEED})`,
  async (which, writes) => {
    const killed = await killedAfter(writes);
    const random = seededRandom(SEED);
    const results: Record<string, number> = {};
    for (let round = 0; round < rounds.count; round += 1) {
      const folder = copyOf(killed.folder);
      const damage = round % 2 === 0 ? cut(folder, random) : flip(folder, random);
      const result = await outcomeOf(folder, killed.truth, damage.where);
      const name = `${damage.kind} ${result}`;
      results[name] = (results[name] ?? 0) + 1;
      rmSync(folder, { recursive: true });
    }
    tell(`${rounds.count} damaged logs${which}: ${JSON.stringify(results)}`);
    // Of a log that is being written over, most of what is broken is old and read by nobody.
    if (which === '') {
      expect(results['cut reported']).toBeGreaterThan(0);
      expect(results['flip reported']).toBeGreaterThan(0);
    }
  },
  180_000 + rounds.count * 5_000,
);

it('would see a loss that nobody reports', async () => {
  const { folder: killed, truth } = await killedAfter(40);
  const folder = copyOf(killed);
  const file = join(folder, LOG_FILE);
  truncateSync(file, Math.floor(readFileSync(file).length / 2));
  // Without the note of how far history had come, a log that is cut at the end of a commit is all there ever was.
  rmSync(join(folder, 'head.json'));
  truncateSync(file, endOfCommit(readFileSync(file)));
  await expect(outcomeOf(folder, truth, 'a planted loss')).rejects.toThrow(
    /a planted loss: .*nobody was told/,
  );
});

/** @throws Error for a loss in silence, and for content that never was */
async function outcomeOf(folder: string, truth: StoredFile, where: string): Promise<Result> {
  const verified = await verify(folder, { ...verifyDependencies });
  const isRefusing = await isRefusingWrites(folder, where);
  const isReported = verified.faults > 0 && isRefusing;
  const commits = commitsIn(folder);
  if (!commits || !isDeepStrictEqual(commits, truth.commits.slice(0, commits.length))) {
    if (!isReported) throw new Error(`${where}: what is left is no beginning, and nobody was told`);
    return 'broken';
  }
  const lost = truth.commits.length - commits.length;
  if (lost > 0 && !isReported) throw new Error(`${where}: ${lost} commits are lost and nobody was told`);
  // What is reported without a loss would stop a station for nothing.
  if (lost === 0 && isReported) throw new Error(`${where}: nothing is lost, and a loss is reported`);
  expect(verified.faults > 0, `${where}: verify and the start disagree`).toBe(isRefusing);
  return lost > 0 ? 'reported' : 'harmless';
}

/** Whether the station opens for reading only, or not at all; each with the reason. */
async function isRefusingWrites(folder: string, where: string): Promise<boolean> {
  try {
    const opened = await stationInProcess(folder);
    const read = await opened.get('/suppliers?per_page=5');
    await opened.close();
    expect([200, 503], `${where}: ${read.text}`).toContain(read.status);
    return opened.store.database.damage !== undefined;
  } catch (error) {
    if (error instanceof AppError) return true;
    throw error;
  }
}

/** Undefined where SQLite cannot read them. */
function commitsIn(folder: string): StoredFile['commits'] | undefined {
  try {
    return readStoredFile(folder).commits;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error) return undefined;
    throw error;
  }
}

function cut(folder: string, random: SeededRandom): { kind: string; where: string } {
  const file = join(folder, LOG_FILE);
  const size = random.below(readFileSync(file).length);
  truncateSync(file, size);
  return { kind: 'cut', where: `cut to ${size} bytes` };
}

function flip(folder: string, random: SeededRandom): { kind: string; where: string } {
  const file = join(folder, LOG_FILE);
  const bytes = readFileSync(file);
  const [at, bit] = [random.below(bytes.length), random.below(8)];
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
  writeFileSync(file, bytes);
  return { kind: 'flip', where: `bit ${bit} of byte ${at}` };
}

/** Where the last whole commit ends: its last frame says how large the database is then. */
function endOfCommit(bytes: Buffer): number {
  const frame = 24 + bytes.readUInt32BE(8);
  let end = 32;
  for (let at = 32; at + frame <= bytes.length; at += frame) {
    if (bytes.readUInt32BE(at + 4) !== 0) end = at + frame;
  }
  return end;
}

function copyOf(folder: string): string {
  const copy = temporaryFolder();
  // The shared memory belongs to the process that was killed; SQLite makes it anew from the log.
  cpSync(folder, copy, {
    recursive: true,
    filter: name => !name.endsWith('-shm') && !name.endsWith('/reserve'),
  });
  return copy;
}
