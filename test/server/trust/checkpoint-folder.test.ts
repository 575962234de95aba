import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

it('has a file for each day with the last place of it, written when something is new and at the end', () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const folder = join(temporaryFolder(), 'made', 'here');
  const { state, read } = grown();
  const keeping = keepCheckpoints({ folder, read, onFault: unexpected });
  const day = 'holdpoint-a1-2026-06-30.checkpoint.json';
  expect(readdirSync(folder)).toEqual([day]);
  state.number = 2;
  vi.advanceTimersByTime(3_600_000);
  expect(contentOf(folder, day).checkpoints[0]?.chain?.number).toBe(2);
  state.at = '2026-07-01T12:00:00.000Z';
  vi.advanceTimersByTime(3_600_000);
  // Nothing is new.
  expect(readdirSync(folder)).toEqual([day]);
  state.number = 3;
  keeping.close();
  expect(readdirSync(folder)).toEqual([day, 'holdpoint-a1-2026-07-01.checkpoint.json']);
  const [last] = contentOf(folder, 'holdpoint-a1-2026-07-01.checkpoint.json').checkpoints;
  expect(last && isSigned(last)).toBe(true);
  expect(contentOf(folder, day).checkpoints[0]?.chain?.number).toBe(2);
});

it('says so where the folder cannot be written, goes on, and writes once it can', () => {
  const parent = temporaryFolder();
  const folder = join(parent, 'share');
  writeFileSync(folder, 'in the way');
  const onFault = vi.fn();
  const { read } = grown();
  const keeping = keepCheckpoints({ folder, read, onFault });
  expect(onFault).toHaveBeenCalledOnce();
  expect(existsSync(join(folder, 'x'))).toBe(false);
  keeping.close();
  expect(onFault).toHaveBeenCalledTimes(2);
  const other = join(parent, 'other');
  mkdirSync(other);
  keepCheckpoints({ folder: other, read, onFault: unexpected }).close();
  expect(readdirSync(other)).toHaveLength(1);
});

it('writes nothing while there is no history', () => {
  const folder = join(temporaryFolder(), 'none');
  keepCheckpoints({ folder, read: () => undefined, onFault: unexpected }).close();
  expect(existsSync(folder)).toBe(false);
});

function unexpected(error: unknown): never {
  throw error;
}
