import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createPoster, type Outcome } from '../../../server/webhooks/post-message.ts';
import type { Lookup, TargetPolicy } from '../../../server/webhooks/target.ts';

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
