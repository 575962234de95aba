import { execFile } from 'node:child_process';
import { hash, randomUUID, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { enrolWith } from '../../../server/sync/client/enrol-with.ts';
import { openCentralClient } from '../../../server/sync/client/enrolment-data.ts';
import { readEnrolmentCode } from '../../../shared/contract/enrolment-code.ts';
import { authority, selfMade, signedBy } from '../../support/certificates.ts';
import { HOLDPOINT } from '../../support/command-line.ts';
import { Station } from '../../support/station.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';
import { centralStandIn, failureOf, successText } from '../sync/client/central-stand-in.ts';
import { enrol, newCode } from './enrolled.ts';

const run = promisify(execFile);
const BEYOND = { HOLDPOINT_HOST: '0.0.0.0' };

/** What a start that is refused says, and with which code it ends. */
async function refusedStart(
  role: 'serve' | 'central',
  env: Record<string, string>,
  folder = temporaryFolder(),
) {
  const options = {
    env: { ...process.env, HOLDPOINT_PORT: '0', HOLDPOINT_DATA: folder, ...env },
    timeout: 180_000,
  };
  try {
    await run(process.execPath, ['dist/server/main.js', role], options);
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, stderr };
  }
  throw new Error('It started.');
}

function enrolling(address: string, code: string, authorities?: string) {
  return enrolWith({
    blocks: 0,
    address,
    code,
    station: randomUUID(),
    version: '0.0.0',
    clock: () => new Date(),
    authorities,
  });
}

describe('a central beyond loopback', () => {
  const central = new Station({
    role: 'central',
    env: { ...BEYOND, HOLDPOINT_HOSTS: 'central.example,proxy.example:8443' },
  });
  beforeAll(() => central.start());
  afterAll(() => central.stop());

  it('makes a certificate of its own, shows its fingerprint and keeps it', async () => {
    const made = new X509Certificate(central.certificate ?? '');
    await expect.poll(() => central.output).toContain(`SHA-256 ${made.fingerprint256}`);
    const years = (made.validToDate.getTime() - Date.now()) / (365.25 * 86_400_000);
    expect(Math.round(years)).toBe(10);
    for (const name of ['central.example', 'proxy.example', 'localhost'])
      expect(made.checkHost(name), name).toBe(name);
    expect(made.checkIP('127.0.0.1')).toBe('127.0.0.1');
    const modes = ['central.key', 'central.crt'].map(
      name => statSync(join(central.folder, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o644]);
    chmodSync(join(central.folder, 'central.key'), 0o644);
    await central.restart();
    expect(new X509Certificate(central.certificate ?? '').fingerprint256).toBe(made.fingerprint256);
    expect(statSync(join(central.folder, 'central.key')).mode & 0o777).toBe(0o600);
  });

  it('enrols a station that knows it by the fingerprint in the code, and gives it blocks over the link', async () => {
    const code = await newCode(central, 'Dock');
    const { fingerprint } = readEnrolmentCode(code);
    const own = new X509Certificate(central.certificate ?? '').fingerprint256
      .replaceAll(':', '')
      .toLowerCase();
    expect(own.startsWith(fingerprint ?? '?')).toBe(true);
    const { answer, enrolment: data } = await enrolling(central.origin, code);
    expect(data).toEqual({
      address: central.origin,
      certificate: central.certificate,
      central: answer.central,
      name: 'Dock',
      key_hash: hash('sha256', answer.key),
    });
    const client = openCentralClient(data, answer.key, undefined);
    onTestFinished(() => client.close());
    const further = await client.request('POST', '/x/stations/block', { padding: 'x'.repeat(50_000) });
    expect(further).toEqual({ block: answer.block + 1, blocks: [answer.block, answer.block + 1] });
    await expect(client.request('GET', '/suppliers')).rejects.toMatchObject({ code: 'forbidden' });
    const bomb = { padding: 'x'.repeat(5_000_000) };
    await expect(client.request('POST', '/x/stations/block', bomb)).rejects.toMatchObject({
      code: 'too_large',
    });
  });

  it('is not enrolled at by one who is in between, and he learns nothing of the code', async () => {
    const code = await newCode(central, 'Gate');
    const heard: unknown[] = [];
    const between = await centralStandIn((request, response) => {
      heard.push(request.url);
      response.writeHead(201, { 'Content-Type': 'application/json' }).end(successText({}));
    }, selfMade());
    expect(await failureOf(enrolling(`https://127.0.0.1:${between}`, code))).toMatchObject({
      kind: 'certificate',
    });
    expect(heard).toEqual(['/api/v2/x/central-certificate/chain']);
    await expect(enrolling(`http://127.0.0.1:${between}`, code)).rejects.toThrow('central speaks https');
    expect((await enrol(central, { code })).status).toBe(201);
  });

  it('answers pages of its own origin only, by https', async () => {
    const asked = async (headers: Record<string, string>) =>
      (await central.call('GET', '/status', { headers })).status;
    const { port } = new URL(central.origin);
    expect(await asked({ Host: 'central.example', Origin: 'https://central.example' })).toBe(200);
    expect(await asked({ Host: `central.example:${port}`, Origin: `https://central.example:${port}` })).toBe(
      200,
    );
    expect(await asked({ Origin: `http://127.0.0.1:${port}` })).toBe(403);
    expect(await asked({ Host: 'evil.example' })).toBe(403);
    expect(await asked({ Host: `0.0.0.0:${port}` })).toBe(403);
  });

  it('speaks TLS 1.2 or later and nothing else', async () => {
    const port = Number(new URL(central.origin).port);
    const old = connect({
      port,
      host: '127.0.0.1',
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      rejectUnauthorized: false,
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const [error] = await once(old, 'error');
    expect(String(error)).toMatch(/alert protocol version/);
    const plain = connectPlain({ port, host: '127.0.0.1' });
    const heard: Buffer[] = [];
    plain
      .on('data', chunk => heard.push(chunk))
      .write('GET /api/v2/status HTTP/1.1\r\nHost: central.example\r\n\r\n');
    await once(plain, 'close');
    expect(Buffer.concat(heard).toString()).not.toContain('HTTP');
    const silent = connectPlain({ port, host: '127.0.0.1' });
    await once(silent.resume(), 'close');
    expect((await central.get('/suppliers')).status).toBe(200);
  });

  it('is reached by the command line, which knows its certificate', async () => {
    const { hostname: _hostname, port } = new URL(central.origin);
    const env = {
      ...process.env,
      ...BEYOND,
      HOLDPOINT_DATA: central.folder,
      HOLDPOINT_PORT: port,
      HOLDPOINT_TOKEN: central.token,
    };
    const holdpoint = (...args: string[]) => run(process.execPath, [HOLDPOINT, ...args], { env });
    const { stdout: code } = await holdpoint('station', 'code', 'Lab', '--hours', '2');
    expect(readEnrolmentCode(code).fingerprint).not.toBeNull();
    await enrolling(central.origin, code);
    expect(central.output).not.toContain('HOLDPOINT_HOSTS is empty');
    const { stdout: list } = await holdpoint('station', 'list');
    const [, id = ''] =
      /^(\d+) +Lab +never .* 1 +[+-]\d+\.\d s +\d+(?: +look at: version)?$/m.exec(list) ?? [];
    expect(list).toMatch(/^ID +NAME +LAST SEEN +BEHIND/);
    const { stdout: revoked } = await holdpoint('station', 'revoke', id);
    expect(revoked).toBe(`Station ${id} "Lab" is revoked.\n`);
    const bad = await holdpoint('station', 'code', 'Lab 2', '--hours', 'many').catch(error => error.stderr);
    expect(bad).toContain('Give a whole number of hours, 1 to 168, for several stations to 8760.');
  });

  it('gives codes with the fingerprint while its server does not run, too', async () => {
    await central.kill();
    const env = { ...process.env, HOLDPOINT_DATA: central.folder };
    const { stdout } = await run(process.execPath, [HOLDPOINT, 'station', 'code', 'Shed'], {
      env,
    });
    const own = new X509Certificate(central.certificate ?? '').fingerprint256
      .replaceAll(':', '')
      .toLowerCase();
    expect(own.slice(0, 40)).toBe(readEnrolmentCode(stdout).fingerprint);
    await central.start();
    expect((await enrol(central, { code: stdout })).status).toBe(201);
  });
});

describe('a certificate that is given', () => {
  it('of a private authority is known by that authority, and no fingerprint is in the code', async () => {
    const folder = temporaryFolder();
    const ca = authority();
    const { certificate, key } = signedBy(ca, ['127.0.0.1', 'localhost']);
    const [HOLDPOINT_CERTIFICATE, HOLDPOINT_KEY] = [join(folder, 'given.crt'), join(folder, 'given.key')];
    writeFileSync(HOLDPOINT_CERTIFICATE, certificate);
    writeFileSync(HOLDPOINT_KEY, key);
    const central = new Station({
      role: 'central',
      env: { ...BEYOND, HOLDPOINT_CERTIFICATE, HOLDPOINT_KEY },
    });
    await central.start();
    onTestFinished(() => central.stop());
    const code = await newCode(central, 'Dock');
    expect(readEnrolmentCode(code).fingerprint).toBeNull();
    expect(await failureOf(enrolling(central.origin, code))).toMatchObject({ kind: 'certificate' });
    const { answer, enrolment: data } = await enrolling(central.origin, code, ca.certificate);
    expect([answer.name, data.certificate]).toEqual(['Dock', null]);
    const client = openCentralClient(data, answer.key, ca.certificate);
    onTestFinished(() => client.close());
    expect(await client.request('POST', '/x/stations/block')).toMatchObject({ block: answer.block + 1 });
  });

  it('that cannot be used refuses the start, and names the variable', async () => {
    const folder = temporaryFolder();
    const [one, other] = [selfMade(), selfMade()];
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const [crt, key] = [file('a.crt', one.certificate), file('b.key', other.key)];
    const cases: [Record<string, string>, string][] = [
      [{ HOLDPOINT_CERTIFICATE: crt }, 'HOLDPOINT_KEY is not'],
      [{ HOLDPOINT_KEY: key }, 'HOLDPOINT_CERTIFICATE is not'],
      [{ HOLDPOINT_CERTIFICATE: crt, HOLDPOINT_KEY: key }, 'is not the key of the certificate'],
      [{ HOLDPOINT_CERTIFICATE: join(folder, 'none'), HOLDPOINT_KEY: key }, 'HOLDPOINT_CERTIFICATE='],
      [{ HOLDPOINT_CERTIFICATE: crt, HOLDPOINT_KEY: crt }, 'HOLDPOINT_KEY='],
      [{ HOLDPOINT_HOST: '127.0.0.1', HOLDPOINT_CA: key }, 'HOLDPOINT_CA='],
      [{ HOLDPOINT_PROXY: 'yes' }, 'HOLDPOINT_PROXY="yes" cannot be used'],
    ];
    for (const [env, words] of cases) {
      const { code, stderr } = await refusedStart('central', { ...BEYOND, ...env });
      expect([code, stderr]).toEqual([78, expect.stringContaining(words)]);
    }
  });
});

describe('plain HTTP', () => {
  it('beyond loopback is refused for a station, and allowed behind a proxy that is declared', async () => {
    const { code, stderr } = await refusedStart('serve', BEYOND);
    expect([code, stderr]).toEqual([78, expect.stringContaining('HOLDPOINT_PROXY=1')]);
    const behind = new Station({
      role: 'central',
      env: { ...BEYOND, HOLDPOINT_PROXY: '1', HOLDPOINT_HOSTS: 'central.example' },
    });
    await behind.start();
    onTestFinished(() => behind.stop());
    expect(behind.origin).toMatch(/^http:/);
    expect(readEnrolmentCode(await newCode(behind, 'Dock')).fingerprint).toBeNull();
    const headers = {
      'X-Forwarded-For': '10.0.0.1',
      'X-Forwarded-Host': 'evil.example',
      Host: 'central.example',
    };
    expect((await behind.call('GET', '/status', { headers })).status).toBe(200);
  });
});

describe('a data folder', () => {
  it('of a central does not start as a station, nor the other way round', async () => {
    for (const [first, then] of [
      ['central', 'serve'],
      ['serve', 'central'],
    ] as const) {
      const folder = temporaryFolder();
      const server = new Station({ folder, role: first });
      await server.start();
      await server.stop();
      const { code, stderr } = await refusedStart(then, {}, folder);
      expect([code, stderr]).toEqual([
        78,
        expect.stringContaining(`is that of a ${first === 'central' ? 'central' : 'station'}`),
      ]);
    }
  });

  it('whose key is gone says how to go on', async () => {
    const folder = temporaryFolder();
    const central = new Station({ folder, role: 'central', env: BEYOND });
    await central.start();
    await central.stop();
    rmSync(join(folder, 'central.key'));
    const { code, stderr } = await refusedStart('central', BEYOND, folder);
    expect([code, stderr]).toEqual([78, expect.stringContaining('Put the two back from a copy')]);
  });
});
