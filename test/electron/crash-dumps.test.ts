import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { keepCrashDumps } from '../../electron/crash-dumps.ts';

function started(profile: string): unknown[] {
  const did: unknown[] = [];
  keepCrashDumps(profile, {
    app: { setPath: (name, path) => void did.push([name, path]) },
    crashReporter: { start: options => void did.push(options) },
  });
  return did;
}

function profileFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-crashes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('dumps stay in the profile, for its user alone, and are sent nowhere', () => {
  const profile = profileFolder();
  expect(started(profile)).toEqual([['crashDumps', join(profile, 'crashes')], { uploadToServer: false }]);
  expect(statSync(join(profile, 'crashes')).mode & 0o077).toBe(0);
});

it('the last five stay, wherever Crashpad has put them, each with what belongs to it', () => {
  const profile = profileFolder();
  const folders = ['new', 'pending', 'completed', 'reports'].map(name => join(profile, 'crashes', name));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  writeFileSync(join(profile, 'crashes', 'settings.dat'), '');
  for (let number = 1; number <= 8; number++) {
    const path = join(folders[number % 4] ?? '', `${number}.dmp`);
    for (const file of [path, path.replace('.dmp', '.meta')]) {
      writeFileSync(file, '');
      utimesSync(file, number, number);
    }
  }
  started(profile);
  const left = readdirSync(join(profile, 'crashes'), { recursive: true, withFileTypes: true });
  expect(left.flatMap(entry => (entry.isFile() ? entry.name : [])).sort()).toEqual(
    [...[4, 5, 6, 7, 8].flatMap(number => [`${number}.dmp`, `${number}.meta`]), 'settings.dat'].sort(),
  );
});

it('a profile that cannot be written stops nothing here', () => {
  const profile = join(profileFolder(), 'a file');
  writeFileSync(profile, '');
  expect(started(profile)).toEqual([]);
});
