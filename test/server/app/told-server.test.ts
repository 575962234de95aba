import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readToldServer, tellServer, withdrawServer } from '../../../server/app/told-server.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';

const server = {
  origin: 'http://127.0.0.1:4870',
  process: 7,
  user: 'holdpoint',
  folder: '/var/lib/holdpoint-server',
  version: '1.0.0',
  policy: { updates: 'off' as const },
};

it('is read by all, whatever the mask of the service is, and withdrawn by the one that said it', () => {
  const path = join(temporaryFolder(), 'server.json');
  const mask = process.umask(0o027);
  try {
    expect(tellServer(path, server)).toBeUndefined();
  } finally {
    process.umask(mask);
  }
  expect(statSync(path).mode & 0o777).toBe(0o644);
  expect(readToldServer(path)).toEqual(server);
  withdrawServer(path, 8);
  expect(readToldServer(path)).toEqual(server);
  withdrawServer(path, 7);
  expect(readToldServer(path)).toBeUndefined();
});

it.each(['http://10.0.0.5:4870', 'https://127.0.0.1:4870', 'http://127.0.0.1.example:4870'])(
  'says and believes nothing of %s',
  origin => {
    const path = join(temporaryFolder(), 'server.json');
    expect(tellServer(path, { ...server, origin })).toContain(origin);
    writeFileSync(path, JSON.stringify({ ...server, origin }));
    expect(readToldServer(path)).toBeUndefined();
    expect(readFileSync(path, 'utf8')).toContain(origin);
  },
);

it('says why nobody is told where the place for it is missing, and stops nothing', () => {
  expect(tellServer(join(temporaryFolder(), 'none', 'server.json'), server)).toMatch(/ENOENT.*server\.json/);
});
