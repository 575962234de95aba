import { expect, it, onTestFinished } from 'vitest';
import { type AttackCase, runCase } from './attack-case.ts';
import { type Fault, refuse, startBadServer } from './bad-server.ts';
import { requestBytes } from './raw-http.ts';

/** The negative control: a case must fail on a server that does wrong. */

const attack: AttackCase = {
  name: 'an attack',
  bytes: target => requestBytes(target, 'POST /attack', {}, '{"name":"x"}'),
  statuses: [400, 500],
};

async function run(fault: Fault, options: Partial<AttackCase> = {}): Promise<void> {
  const server = await startBadServer(fault);
  onTestFinished(server.close);
  await runCase(server, { ...attack, ...options });
}

it('passes on a server that refuses as it should', async () => {
  await run((_request, response) => refuse(response));
});

const faults: [string, Fault][] = [
  ['answers 500', (_request, response) => refuse(response, { status: 500 })],
  ['accepts what it must refuse', (_request, response) => refuse(response, { status: 200 })],
  [
    'tells its stack',
    (_request, response) => refuse(response, { message: String(new Error('inside').stack) }),
  ],
  ['tells its folder', (_request, response) => refuse(response, { message: 'No /home/station/data/x.' })],
  [
    'tells its SQL',
    (_request, response) => refuse(response, { message: 'UNIQUE constraint failed: records.key' }),
  ],
  ['answers without the envelope', (_request, response) => response.writeHead(400).end('Bad Request')],
  ['answers as HTML', (_request, response) => refuse(response, { headers: { 'Content-Type': 'text/html' } })],
  [
    'opens itself to other origins',
    (_request, response) => refuse(response, { headers: { 'Access-Control-Allow-Origin': '*' } }),
  ],
  [
    'names its software',
    (_request, response) => refuse(response, { headers: { 'X-Powered-By': 'Express' } }),
  ],
  [
    'writes a row all the same',
    (_request, response, rows) => {
      rows.push({ id: 2, name: 'x' });
      refuse(response);
    },
  ],
  [
    'changes a row, and puts its count right',
    (_request, response, rows) => {
      Object.assign(rows[0] ?? {}, { secondary_name: 'polluted' });
      refuse(response);
    },
  ],
  ['drops the connection', request => request.socket.destroy()],
  [
    'answers twice',
    request => {
      const body = '{}';
      const answer = `HTTP/1.1 400 Bad Request\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      request.socket.end(answer + answer);
    },
  ],
  ['sends what is no answer', request => request.socket.end('HTTP/1.1 400 Bad')],
  [
    'ends with the request',
    (request, response) => {
      refuse(response);
      response.once('finish', () => Reflect.get(request.socket, 'server').close());
    },
  ],
];

it.each(faults)('fails on a server that %s', async (_name, fault) => {
  await expect(run(fault)).rejects.toThrow();
});

it('fails where the answer does not say what it should', async () => {
  const check: AttackCase['check'] = ({ body }) => expect(body).toContain('literal');
  await expect(run((_request, response) => refuse(response), { check })).rejects.toThrow('literal');
});
