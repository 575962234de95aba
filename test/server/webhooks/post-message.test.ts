import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createSocketServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPoster, type Outcome } from '../../../server/webhooks/post-message.ts';
import type { Lookup, TargetPolicy } from '../../../server/webhooks/target.ts';
import { authority, signedBy } from '../../support/certificates.ts';

const open: { close: () => void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

async function listening(listener: RequestListener): Promise<Server & { port: number }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
  return Object.assign(server, { port: (server.address() as AddressInfo).port });
}

interface Sending {
  policy?: TargetPolicy;
  lookup?: Lookup;
  signal?: AbortSignal;
}

async function post(
  url: string,
  { policy = { isCentral: false, listed: [] }, lookup, signal }: Sending = {},
): Promise<Outcome> {
  const poster = createPoster({ policy, lookup, timeLimit: 500 });
  open.push(poster);
  return poster.post({ url, headers: { 'webhook-id': 'msg_1' }, body: '{"type":"test"}', signal });
}

it('delivers what is answered 2xx, and says what else was answered', async () => {
  const { port } = await listening((request, response) =>
    response.writeHead(Number(request.url?.slice(1))).end('done'),
  );
  const url = `http://127.0.0.1:${port}`;
  expect(await post(`${url}/200`)).toMatchObject({ result: 'delivered', status: 200 });
  expect(await post(`${url}/204`)).toMatchObject({ result: 'delivered', status: 204 });
  expect(await post(`${url}/404`)).toMatchObject({ result: 'answered', status: 404 });
  expect(await post(`${url}/410`)).toMatchObject({ result: 'gone', status: 410 });
  expect(await post(`${url}/503`)).toMatchObject({ result: 'answered', status: 503 });
});

it.each([301, 302, 303, 307, 308])('follows no redirect (%i)', async status => {
  const seen: string[] = [];
  const { port } = await listening((request, response) => {
    seen.push(String(request.url));
    response.writeHead(status, { location: '/inside' }).end();
  });
  expect(await post(`http://127.0.0.1:${port}/hooks`)).toMatchObject({ result: 'redirect', status });
  expect(seen).toEqual(['/hooks']);
});

it('waits for nobody who hangs: before an answer, and in the middle of its head', async () => {
  const { port } = await listening(() => {});
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ result: 'timeout', status: null });
  const sockets: Socket[] = [];
  const dripping = createSocketServer(socket => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.write('HTTP/1.1 200 OK\r\nX-A:');
    const drip = setInterval(() => socket.write('a'), 20);
    socket.once('close', () => clearInterval(drip));
  }).listen(0, '127.0.0.1');
  await once(dripping, 'listening');
  open.push({ close: () => [...sockets.map(socket => socket.destroy()), dripping.close()] });
  const address = dripping.address() as AddressInfo;
  expect(await post(`http://127.0.0.1:${address.port}/`)).toMatchObject({ result: 'timeout' });
});

it('reads a little of an answer of 100 MB and no more', async () => {
  let sent = 0;
  const ended = Promise.withResolvers<void>();
  const chunk = Buffer.alloc(64 * 1024, 'a');
  const { port } = await listening((_request, response) => {
    response.writeHead(200, { 'content-length': 100 * 1024 * 1024 });
    const more = () => {
      while (sent < 100 * 1024 * 1024) {
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
      response.end();
    };
    response.once('close', ended.resolve);
    more();
  });
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ result: 'delivered' });
  await ended.promise;
  // What the system's buffers hold was not read.
  expect(sent).toBeLessThan(20 * 1024 * 1024);
});

it('refuses a head that is too long, and what is no HTTP', async () => {
  const { port } = await listening((_request, response) =>
    response.writeHead(200, { 'x-long': 'a'.repeat(100_000) }).end(),
  );
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ result: 'no_http' });
});

it('says that a receiver closes, is not there, or has no TLS', async () => {
  const { port } = await listening(request => request.socket.destroy());
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ result: 'closed' });
  expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ result: 'certificate' });
  expect(await post('http://127.0.0.1:1/')).toMatchObject({ result: 'unreachable' });
});

it('asks for the name once and goes to what was judged, wherever the name leads a moment later', async () => {
  let asked = 0;
  const seen: string[] = [];
  const { port } = await listening((request, response) => {
    seen.push(String(request.headers.host));
    response.end();
  });
  const turning: Lookup = async () => {
    asked += 1;
    return [{ address: asked === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }];
  };
  const poster = createPoster({ policy: { isCentral: false, listed: [] }, lookup: turning, timeLimit: 500 });
  open.push(poster);
  const message = { url: `http://hooks.example:${port}/`, headers: {}, body: '{}' };
  expect(await poster.post(message)).toMatchObject({ result: 'delivered' });
  expect({ asked, seen }).toEqual({ asked: 1, seen: [`hooks.example:${port}`] });
  // It leads elsewhere now: that is judged anew, also where a connection is open.
  expect(await poster.post(message)).toMatchObject({ result: 'refused_address' });
  expect(seen).toHaveLength(1);
});

it('sends nothing where it may not, and ends where it is told to', async () => {
  let seen = 0;
  const { port } = await listening(() => {
    seen += 1;
  });
  const central: TargetPolicy = { isCentral: true, listed: [] };
  expect(await post(`http://127.0.0.1:${port}/`, { policy: central })).toMatchObject({
    result: 'refused_address',
  });
  expect(await post(`http://localhost:${port}/`, { policy: central })).toMatchObject({
    result: 'refused_address',
  });
  expect(seen).toBe(0);
  expect(await post(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(50) })).toMatchObject({
    result: 'stopped',
  });
  const hanging: Lookup = () => new Promise(() => {});
  expect(await post(`http://hooks.example:${port}/`, { lookup: hanging })).toMatchObject({
    result: 'timeout',
  });
});

describe('a proxy', () => {
  const ca = authority();
  const PUBLIC = '93.184.216.34';

  /** A receiver, and a proxy that takes whoever asks for its address there. */
  async function behindProxy(): Promise<{ port: number; asked: string[] }> {
    const { certificate: cert, key } = signedBy(ca, ['hooks.example']);
    const receiver = createSecureServer({ cert, key }, (_request, response) => response.end('done'));
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    open.push(receiver);
    const asked: string[] = [];
    const proxy = await listening((_request, response) => response.writeHead(405).end());
    proxy.on('connect', (request: IncomingMessage, client: Socket) => {
      asked.push(String(request.url));
      if (request.url !== `${PUBLIC}:443`) return client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      const way = connect((receiver.address() as AddressInfo).port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        way.pipe(client).pipe(way);
      });
      for (const socket of [way, client]) socket.on('error', () => {});
    });
    vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${proxy.port}`);
    return { port: proxy.port, asked };
  }
  afterEach(() => vi.unstubAllEnvs());

  async function postTo(
    url: string,
    address: string,
    policy: TargetPolicy = { isCentral: true, listed: [] },
  ) {
    const poster = createPoster({
      policy,
      authorities: [ca.certificate],
      lookup: async () => [{ address, family: 4 }],
      timeLimit: 5_000,
    });
    open.push(poster);
    return poster.post({ url, headers: {}, body: '{}' });
  }

  it('leads to receivers on the open Internet, by the address that was checked and with the certificate of the name', async () => {
    const { asked } = await behindProxy();
    expect(await postTo('https://hooks.example/in', PUBLIC)).toMatchObject({ result: 'delivered' });
    expect(asked).toEqual([`${PUBLIC}:443`]);
    expect(await postTo('https://other.example/in', PUBLIC)).toMatchObject({ result: 'certificate' });
  });

  it('is said to be what does not let a message through', async () => {
    await behindProxy();
    expect(await postTo('https://hooks.example/in', '93.184.216.35')).toMatchObject({ result: 'proxy' });
    vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9');
    expect(await postTo('https://hooks.example/in', PUBLIC)).toMatchObject({ result: 'proxy' });
    vi.stubEnv('HTTPS_PROXY', 'http://ann:se#cret@proxy.example');
    expect(await postTo('https://hooks.example/in', PUBLIC)).toMatchObject({ result: 'proxy' });
  });

  it('is asked for no address of this machine or its network, which are others there', async () => {
    const { asked } = await behindProxy();
    const own = { isCentral: false, listed: [] };
    expect(await postTo('https://hooks.example:9/in', '127.0.0.1', own)).toMatchObject({
      result: 'unreachable',
    });
    expect(asked).toEqual([]);
  });
});
