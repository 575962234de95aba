import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { supportReport } from '../../../server/cli/support-report.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';
import { create, temporaryStore } from '../store/temporary-store.ts';

const now = new Date('2026-11-25T10:00:00.000Z');
const TOKEN = 'Zk3VwqHfYd8sLr0uTgB2nXcJ6eMaPi5oQ1Rt7yWvKjD';
const ID = '01a214ec-511a-7ae9-9ce3-586ca1e9eca0';

it('tells of the program, the settings, the files, the database and the logs, and of no record or secret', async () => {
  const store = await temporaryStore();
  await create(store, 'supplier', { name: 'Harbour Fasteners' });
  const { folder } = store.database;
  writeFileSync(join(folder, 'token'), TOKEN);
  mkdirSync(join(folder, 'logs'));
  writeFileSync(
    join(folder, 'logs', 'holdpoint.log'),
    `request ${ID} of ann, Bearer ${TOKEN}, tiny-secret\n`,
  );
  const environment = {
    HOLDPOINT_PORT: '4871',
    HOLDPOINT_TOKEN: 'tiny-secret',
    HTTPS_PROXY: 'http://ann:pass@proxy:3128',
    HOME: '/home/ann',
  };
  const report = supportReport({ folder, environment, now, verified: 'Nothing is wrong.' });
  for (const told of [
    'written: 2026-11-25T10:00:00.000Z',
    'HOLDPOINT_PORT: 4871',
    'HOLDPOINT_TOKEN: is set',
    'HTTPS_PROXY: http://(name and password)@proxy:3128',
    'holdpoint.db',
    'commits: 1',
    'rows of holdpoint__records__0: 1',
    'Nothing is wrong.',
    `request ${ID} of ann, Bearer (long text), (secret)`,
  ])
    expect(report).toContain(told);
  for (const hidden of ['Harbour', TOKEN, 'tiny-secret', ':pass@', '/home/ann'])
    expect(report).not.toContain(hidden);
});

it.each([
  'http://mary:p%40ss-w0rd@proxy:3128',
  'http://mary:p@ss-w0rd@proxy:3128',
  'http://mary:p/ss-w0rd@proxy:3128',
  'http://mary:#ss-w0rd@proxy:3128',
  'mary:ss-w0rd@proxy:3128',
])('shows no name and no password of the proxy in %s', HTTPS_PROXY => {
  const folder = temporaryFolder();
  const report = supportReport({ folder, environment: { HTTPS_PROXY }, now });
  expect(report).toContain('(name and password)@proxy:3128');
  expect(report).not.toMatch(/mary|w0rd/);
});

it('is written where the database is no database and there is no log', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'holdpoint.db'), 'no database');
  const report = supportReport({ folder, environment: {}, now });
  expect(report).toMatch(/== Database\n\(cannot be read: .*not a database/);
  expect(report).not.toContain('== Log');
});

it('takes the end of a long log, from the beginning of a line', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'logs'));
  const lines = Array.from({ length: 30_000 }, (_, number) => `line ${number}, ${'.'.repeat(40)}`);
  writeFileSync(join(folder, 'logs', 'holdpoint.log'), lines.join('\n'));
  const report = supportReport({ folder, environment: {}, now });
  expect(report).toContain('line 29999');
  expect(report).not.toContain('line 0,');
  expect(report).toMatch(/== Log holdpoint.log\n…\nline \d+,/);
});
