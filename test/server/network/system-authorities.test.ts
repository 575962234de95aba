import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authority, signedBy } from '../../support/certificates.ts';

const CLIENT = join(import.meta.dirname, '..', '..', '..', 'server', 'sync', 'client', 'central-client.ts');
const POSTER = join(import.meta.dirname, '..', '..', '..', 'server', 'webhooks', 'post-message.ts');

const ca = authority();
const { certificate: cert, key } = signedBy(ca, ['localhost']);
const server = createServer({ cert, key }, (_request, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end('{"status":"success","message":"","data":[]}');
});
let folder: string;
let origin: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-authorities-'));
  await writeFile(join(folder, 'system.pem'), ca.certificate);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `https://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

/** In a process of its own, because what the system believes is read once. */
async function run(script: string, env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, NODE_ENV: undefined, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return (await text(child.stdout)).trim();
}

/** The system of the test: where Node.js looks for its authorities on Linux. */
const system = () => ({ SSL_CERT_FILE: join(folder, 'system.pem') });

const asksCentral = () => `
  import { createCentralClient } from ${JSON.stringify(CLIENT)};
  const client = createCentralClient({ address: ${JSON.stringify(origin)}, trust: {}, key: 'k' });
  await client.request('GET', '/x/stations').then(() => console.log('well'), error => console.log(error.message));
  client.close();`;

const postsMessage = () => `
  import { createPoster } from ${JSON.stringify(POSTER)};
  const policy = { isCentral: false, listed: [] };
  const poster = createPoster({ policy });
  const { result } = await poster.post({ url: ${JSON.stringify(origin)}, headers: {}, body: '{}' });
  console.log(result);
  poster.close();`;

it.skipIf(process.platform !== 'linux')(
  'what the system believes vouches for central and for receivers',
  async () => {
    expect(await run(asksCentral() + postsMessage(), system())).toBe('well\ndelivered');
    expect(await run(asksCentral(), {})).toMatch(/certificate/i);
  },
);
