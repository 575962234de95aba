import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openAuthority } from '../../../server/trust/authority-key.ts';
import { checkpointFile, isSigned, signCheckpoint } from '../../../server/trust/checkpoint.ts';
import { keepCheckpoints } from '../../../server/trust/checkpoint-folder.ts';
import type { CheckpointFile } from '../../../shared/operations/checkpoint-operations.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';

const HASHES = ['aa', 'bb', 'cc'].map(pair => pair.repeat(32));

/** An installation whose history grows with `number`. */
function grown() {
  const authority = openAuthority(temporaryFolder());
  const state = { number: 1, at: '2026-06-30T12:00:00.000Z' };
  const read = () => {
    const chain = { chain: 'c', number: state.number, hash: HASHES[state.number - 1] ?? '' };
    return checkpointFile([
      signCheckpoint(authority, { installation: 'a1', at: state.at, log: null, chain }),
    ]);
  };
  return { state, read };
}

const contentOf = (folder: string, file: string): CheckpointFile =>
  JSON.parse(readFileSync(join(folder, file), 'utf8'));

const HOUR_MS = 3_600_000;

/** Lets an hour pass, and what is written then come to its end. */
function hours() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  return () => vi.advanceTimersByTime(HOUR_MS);
}

it('has a file for each day with the last place of it, written when something is new and at the end', async () => {
  const pass = hours();
  const folder = temporaryFolder();
  const { state, read } = grown();
  const keeping = keepCheckpoints({ folder, read, onFault: unexpected });
  const day = 'holdpoint-a1-2026-06-30.checkpoint.json';
  const numberIn = (file: string) => contentOf(folder, file).checkpoints[0]?.chain?.number;
  await expect.poll(() => readdirSync(folder)).toEqual([day]);
  state.number = 2;
  pass();
  await expect.poll(() => numberIn(day)).toBe(2);
  state.at = '2026-07-01T12:00:00.000Z';
  pass();
  state.number = 3;
  await keeping.close();
  expect(readdirSync(folder)).toEqual([day, 'holdpoint-a1-2026-07-01.checkpoint.json']);
  const [last] = contentOf(folder, 'holdpoint-a1-2026-07-01.checkpoint.json').checkpoints;
  expect(last && isSigned(last)).toBe(true);
  expect(last?.chain?.number).toBe(3);
  expect(numberIn(day)).toBe(2);
});

it('writes none where nothing is new but the time', async () => {
  const folder = temporaryFolder();
  const { state, read } = grown();
  const keeping = keepCheckpoints({ folder, read, onFault: unexpected });
  await expect.poll(() => readdirSync(folder).filter(name => name.endsWith('.json'))).toHaveLength(1);
  state.at = '2026-07-01T12:00:00.000Z';
  await keeping.close();
  expect(readdirSync(folder)).toHaveLength(1);
});

it('says so where the folder is gone, makes none in its place, goes on, and writes once it is there', async () => {
  const pass = hours();
  const folder = join(temporaryFolder(), 'share');
  const onFault = vi.fn();
  const { read } = grown();
  const keeping = keepCheckpoints({ folder, read, onFault });
  await expect.poll(() => onFault.mock.calls.length).toBe(1);
  expect(existsSync(folder)).toBe(false);
  mkdirSync(folder);
  pass();
  await keeping.close();
  expect(onFault).toHaveBeenCalledOnce();
  expect(readdirSync(folder)).toHaveLength(1);
});

it.skipIf(process.platform === 'win32')(
  'waits for a share that hangs with one write, and no end',
  async () => {
    const pass = hours();
    const folder = temporaryFolder();
    const onFault = vi.fn();
    const { read } = grown();
    // Who opens a pipe for writing waits until somebody reads it.
    const pipe = join(folder, 'holdpoint-a1-2026-06-30.checkpoint.json.new');
    execFileSync('mkfifo', [pipe]);
    const keeping = keepCheckpoints({ folder, read, onFault, patienceMs: 10 });
    pass();
    expect(onFault).toHaveBeenCalledOnce();
    await keeping.close();
    expect(onFault).toHaveBeenCalledTimes(2);
    closeSync(openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK));
  },
);

it('writes nothing while there is no history', async () => {
  const folder = temporaryFolder();
  await keepCheckpoints({ folder, read: () => undefined, onFault: unexpected }).close();
  expect(readdirSync(folder)).toEqual([]);
});

function unexpected(error: unknown): never {
  throw error;
}
