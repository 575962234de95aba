import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openApiDocument } from '../../../server/http/openapi/openapi.ts';
import { DescribedInterface } from './described-interface.ts';
import type { GeneratedRequest } from './generated-request.ts';
import { PropertyRun } from './property-run.ts';
import { RecordPool } from './record-pool.ts';

/** The negative control: the properties must not hold on a server that does wrong. */

const described = new DescribedInterface(JSON.parse(JSON.stringify(openApiDocument())));
const location = {
  id: 7,
  name: 'Shelf',
  kind: 'storage',
  storage_class: null,
  walking_order: null,
  within_id: null,
  gln: null,
  gln_extension: null,
  is_active: 1,
  created_at: '2026-01-31 08:00:00',
  updated_at: '2026-01-31 08:00:00',
};
const request: GeneratedRequest = {
  path: { pick: 0 },
  query: [],
  headers: {},
  body: { value: { name: 'Shelf' } },
};

type Fake = { status?: number; data?: unknown; answer?: unknown; type?: string };

async function faultsOf(created: Fake, read: Fake = {}): Promise<string[]> {
  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    const isCreate = incoming.method === 'POST';
    const {
      status = isCreate ? 201 : 200,
      data = location,
      answer,
      type = 'application/json',
    } = isCreate ? created : read;
    response.writeHead(status, {
      'Content-Type': type,
      ...(isCreate ? { Location: '/api/v2/x/locations/7' } : {}),
    });
    response.end(JSON.stringify(answer ?? { status: 'success', message: 'Done', data }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const run = new PropertyRun(
    { origin: `http://127.0.0.1:${port}`, token: 'a-token' },
    described,
    new RecordPool(),
  );
  const operation = described.find('POST', '/x/locations');
  if (!operation) throw new Error('The document has no operation for a new location.');
  return run.faultsOf(operation, request);
}

it('hold on a server that does well', async () => {
  expect(await faultsOf({})).toEqual([]);
});

const error = { status: 'error', message: 'No.', code: 'internal', request_id: 'x' };

it.each<[string, Fake, Fake, string]>([
  ['answers 500', { status: 500, answer: error }, {}, 'answers 500'],
  ['answers with a status of its own', { status: 418, answer: error }, {}, 'no status 418'],
  ['answers with another type', { type: 'text/html' }, {}, 'text/html'],
  ['leaves out a field', { data: { ...location, name: undefined } }, {}, "required property 'name'"],
  ['answers a field in another type', { data: { ...location, is_active: true } }, {}, '/data/is_active'],
  [
    'answers an error without a code',
    { status: 422, answer: { ...error, code: undefined } },
    {},
    "required property 'code'",
  ],
  ['answers another value', { data: { ...location, name: 'shelf!' } }, {}, 'answer: name'],
  ['keeps another value', {}, { data: { ...location, name: 'Shel' } }, 'read: name'],
  ['keeps nothing', {}, { data: { ...location, name: null } }, 'read: name'],
  ['has lost the record', {}, { status: 404, answer: error }, 'read: nothing'],
])('do not hold on a server that %s', async (_name, created, read, fault) => {
  expect((await faultsOf(created, read)).join('\n')).toContain(fault);
});
