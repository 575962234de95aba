import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';
import { create, temporaryStore } from '../store/temporary-store.ts';

const CHILD = join(import.meta.dirname, 'move-child.ts');
const hasStrace = spawnSync('strace', ['-e', 'trace=none', 'true']).status === 0;

/** Killed at the start of the nth renaming; null: it came to its end before. */
function movedUntil(nth: number, from: string, to: string): string | null {
  const { signal, status, stderr } = spawnSync(
    'strace',
    [
      '-f',
      '-qq',
      '-o',
      '/dev/null',
      '-e',
      'trace=rename',
      '-e',
      `inject=rename:signal=SIGKILL:when=${nth}`,
      process.execPath,
      CHILD,
      from,
      to,
    ],
    { encoding: 'utf8' },
  );
  if (signal === 'SIGKILL' || status === 137) return 'killed';
  expect([status, stderr]).toEqual([0, '']);
  return null;
}

describe.skipIf(!hasStrace)('a move that is killed', () => {
  it('leaves never two databases to go on from, and the same command finishes it', {
    timeout: 600_000,
  }, async () => {
    const store = await temporaryStore();
    await create(store, 'supplier', { name: 'Harbour Fasteners' });
    await store.close();
    const folders = [store.database.folder, temporaryFolder()];
    let kills = 0;
    for (let nth = 1; ; nth += 1) {
      const [from = '', to = ''] = nth % 2 === 1 ? folders : folders.toReversed();
      const end = movedUntil(nth, from, to);
      const live = folders.filter(folder => existsSync(join(folder, 'holdpoint.db')));
      expect(live.length).toBeLessThanOrEqual(1);
      if (end === null) break;
      kills += 1;
      expect(movedUntil(1_000, from, to)).toBeNull();
      const opened = await temporaryStore({ folder: to });
      expect(opened.records.total('supplier')).toBe(1);
      await opened.close();
    }
    // The former database, what lies beside it, and the new one.
    expect(kills).toBeGreaterThan(2);
  });
});
