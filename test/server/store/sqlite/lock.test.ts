import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Database } from '../../../../server/store/sqlite/database.ts';
import { temporaryDatabase, temporaryFolder } from './temporary-folder.ts';

const databaseModule = fileURLToPath(new URL('../../../../server/store/sqlite/database.ts', import.meta.url));

/** Opens the folder in another process and waits there; resolves with what it said first. */
async function openElsewhere(
  folder: string,
  lockWaitMs: number,
): Promise<{ child: ChildProcess; said: string }> {
  const script = `
    const { Database } = await import(${JSON.stringify(databaseModule)});
    try {
      const database = Database.open({ folder: ${JSON.stringify(folder)}, lockWaitMs: ${lockWaitMs} });
      database.exec('CREATE TABLE IF NOT EXISTS note (text TEXT)');
      database.run("INSERT INTO note VALUES ('committed')");
      database.begin();
      database.run("INSERT INTO note VALUES ('never committed')");
      // What nothing refers to any more is collected as garbage, and its lock goes with it.
      setInterval(() => database.inTransaction, 1000);
      process.stdout.write('open');
    } catch (error) {
      process.stdout.write(error.code + ' ' + error.message);
    }
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [said] = await once(child.stdout, 'data');
  return { child, said: String(said) };
}

describe('the lock of a data folder', () => {
  it('refuses a second process, naming the folder and the remedy', async () => {
    const { folder } = temporaryDatabase();
    const { said } = await openElsewhere(folder, 50);
    expect(said).toMatch(/^unavailable /);
    expect(said).toContain(folder);
    expect(said).toContain('in use by another Holdpoint process');
    expect(said).toContain('HOLDPOINT_DATA');
  });

  it('refuses this process, too, and its failed attempt does not give the folder away', async () => {
    const { folder } = temporaryDatabase();
    expect(() => Database.open({ folder, lockWaitMs: 0 })).toThrow(/in use/);
    expect((await openElsewhere(folder, 0)).said).toMatch(/in use/);
  });

  it('goes with a holder that is killed, and so does what that had not committed', async () => {
    const folder = temporaryFolder();
    const { child, said } = await openElsewhere(folder, 0);
    expect(said).toBe('open');
    expect(() => Database.open({ folder, lockWaitMs: 0 })).toThrow(/in use/);
    child.kill('SIGKILL');
    const database = temporaryDatabase({ folder, lockWaitMs: 30_000 });
    expect(database.all('SELECT text FROM note')).toEqual([{ text: 'committed' }]);
  });

  it('is waited for while a predecessor is going', async () => {
    const database = temporaryDatabase();
    const later = openElsewhere(database.folder, 60_000);
    setTimeout(() => database.close(), 300);
    expect((await later).said).toBe('open');
  });
});
