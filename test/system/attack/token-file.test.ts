import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../server/store/sqlite/temporary-folder.ts';
import { Station } from '../../support/station.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe.skipIf(process.platform === 'win32')('the data folder', () => {
  it('is closed to other users of the machine, and so is the token in it', async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    const station = new Station({ folder, env: { HOLDPOINT_LOG: 'trace' } });
    await station.start();
    onTestFinished(() => station.stop());
    expect(modeOf(folder)).toBe('700');
    expect(modeOf(join(folder, 'token'))).toBe('600');
    const secret = readFileSync(join(folder, 'token'), 'utf8').trim();
    const headers = { authorization: `Bearer ${secret}` };
    expect((await station.call('GET', '/x/tokens', { headers })).status).toBe(200);
    const inAddress = { headers: { authorization: undefined }, query: { token: secret } };
    expect((await station.call('GET', '/x/tokens', inAddress)).status).toBe(401);
    await expect.poll(() => station.output).toContain('"status":401');
    expect(station.output).not.toContain(secret);
    expect(station.output).not.toContain(station.token);
  });
});
