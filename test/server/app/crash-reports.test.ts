import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { CRASHES, crashReportsIn } from '../../../server/app/crash-reports.ts';
import { supportReport } from '../../../server/cli/support-report.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';

const SOURCE = JSON.stringify(
  join(import.meta.dirname, '..', '..', '..', 'server', 'app', 'crash-reports.ts'),
);

/** A process of its own that crashes. */
function crash(folder: string, how: string, flags: string[] = []) {
  const program = `
const { keepCrashReports } = await import(${SOURCE});
const crashes = keepCrashReports(${JSON.stringify(folder)});
process.on('uncaughtException', error => { crashes.note(error); process.exit(70); });
${how}`;
  const env = { ...process.env, HOLDPOINT_TOKEN: 'a-token-that-nobody-may-read' };
  return spawnSync(process.execPath, [...flags, '--input-type=module', '-e', program], {
    env,
    encoding: 'utf8',
  });
}

it('says where the program was, and nothing of the environment or the network', () => {
  const folder = temporaryFolder();
  expect(
    crash(folder, "function atTheDock() { throw new TypeError('no scale'); }\natTheDock();").status,
  ).toBe(70);
  const [path = '', ...more] = crashReportsIn(folder);
  expect(more).toEqual([]);
  const text = readFileSync(path, 'utf8');
  const report = JSON.parse(text);
  expect(report.javascriptStack.message).toContain('no scale');
  expect(report.javascriptStack.stack.join()).toContain('atTheDock');
  expect([report.environmentVariables, report.header.networkInterfaces]).toEqual([undefined, undefined]);
  expect(text).not.toContain('a-token-that-nobody-may-read');
  expect(statSync(join(folder, CRASHES)).mode & 0o077).toBe(0);
});

it('is written too where memory ends, which no program can catch', () => {
  const folder = temporaryFolder();
  const { status, signal } = crash(folder, 'const all = []; for (;;) all.push(new Array(1e5).fill({}));', [
    '--max-old-space-size=64',
  ]);
  expect(status === 0 && signal === null).toBe(false);
  const [path = ''] = crashReportsIn(folder);
  expect(JSON.parse(readFileSync(path, 'utf8')).header.trigger).toBe('OOMError');
});

it('the last five stay, and what is none', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, CRASHES), { recursive: true });
  const names = Array.from({ length: 7 }, (_, day) => `report.2026010${day + 1}.120000.17.0.001.json`);
  for (const name of [...names, 'of-somebody.json']) writeFileSync(join(folder, CRASHES, name), '{}');
  expect(crash(folder, 'process.exit(0);').status).toBe(0);
  expect(crashReportsIn(folder).map(path => basename(path))).toEqual(names.slice(2));
  expect(readFileSync(join(folder, CRASHES, 'of-somebody.json'), 'utf8')).toBe('{}');
});

it('is in what support gets only where that was asked for', () => {
  const folder = temporaryFolder();
  crash(folder, "throw new Error('lot 7 of Harbour Fasteners');");
  const parts = { folder, environment: {}, now: new Date(0) };
  expect(supportReport(parts)).not.toContain('Harbour Fasteners');
  const asked = supportReport({ ...parts, hasCrashes: true });
  expect(asked).toContain('== Crash report.');
  expect(asked).toContain('lot 7 of Harbour Fasteners');
});
