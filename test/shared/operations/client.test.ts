import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../../shared/contract/errors.ts';
import { defineOperation } from '../../../shared/contract/operation.ts';
import { createClient } from '../../../shared/operations/client.ts';
import { CallError, createSender } from '../../../shared/operations/send-operation.ts';

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

let server: Server;
let baseUrl: string;
let received: Received[];
let answer: (response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    received.push({
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: await text(request),
    });
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

beforeEach(() => {
  received = [];
  answer = json(200, success({ id: 7, name: 'Acme' }));
});

function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return (response: ServerResponse) => {
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers });
    response.end(JSON.stringify(body));
  };
}

function other(status: number, type: string, body: string) {
  return (response: ServerResponse) => {
    response.writeHead(status, { 'Content-Type': type }).end(body);
  };
}

function success(data: unknown, meta?: Record<string, unknown>) {
  return { status: 'success', message: 'The request was successful', data, ...(meta && { meta }) };
}

const client = () => createClient({ baseUrl, token: 'secret' });

async function failureOf(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError))
    throw new Error('The call did not fail with an AppError.', { cause: error });
  return error;
}

describe('calls', () => {
  it('fills path and query, authenticates, and takes the answer out of its envelope', async () => {
    answer = json(201, success({ id: 3 }, { ignored: ['colour'] }), {
      ETag: '"1-a"',
      Location: '/api/v2/orders/21',
    });
    const reply = await client().send(
      { id: 'orders.items.add' },
      {
        params: { order_id: 21 },
        query: { dry: true, left_out: undefined, text: 'a&b=c' },
        body: { quantity: 2 },
        headers: { 'Idempotency-Key': 'k1' },
      },
    );
    expect(reply).toEqual({
      status: 201,
      data: { id: 3 },
      meta: { ignored: ['colour'] },
      etag: '"1-a"',
      location: '/api/v2/orders/21',
    });
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/api/v2/orders/21/items?dry=true&text=a%26b%3Dc',
        headers: {
          authorization: 'Bearer secret',
          'content-type': 'application/json',
          'idempotency-key': 'k1',
        },
        body: '{"quantity":2}',
      },
    ]);
  });

  it('sends no token without one, no body and no type without one', async () => {
    await createClient({ baseUrl: `${baseUrl}/` }).call('suppliers.read', { params: { id: 7 } });
    expect(received[0]?.url).toBe('/api/v2/suppliers/7');
    expect(received[0]?.headers).not.toHaveProperty('authorization');
    expect(received[0]?.headers).not.toHaveProperty('content-type');
  });

  it('gives the status as it is, without data', async () => {
    answer = json(200, { status: 'success', version: '2.0.0', online: true });
    const { data } = await client().call('status.read');
    expect(data).toEqual({ status: 'success', version: '2.0.0', online: true });
  });

  it('escapes what stands in the path', async () => {
    await client().call('x.records.read', { params: { family: 'a/b?c', id: 7 } });
    expect(received[0]?.url).toBe('/api/v2/x/records/a%2Fb%3Fc/7');
  });

  it.each([undefined, '', '.', '..'])('refuses %j in the path before sending', async name => {
    const params = { id: 7, ...(name !== undefined && { family: name }) };
    const error = await failureOf(client().send({ id: 'x.records.read' }, { params }));
    expect(error.code).toBe('validation_failed');
    expect(error.errors).toHaveProperty('family');
    expect(received).toEqual([]);
  });

  it('knows no operation beside the table', async () => {
    await expect(client().send({ id: 'suppliers.destroy' })).rejects.toThrow(TypeError);
  });
});

describe('families', () => {
  it('lists, reads, creates and updates', async () => {
    const meta = { current_page: 1, from: 1, to: 1, total: 1, per_page: 20 };
    answer = json(200, success([{ id: 7, name: 'Acme' }], meta));
    const page = await client().list('supplier', { per_page: 20 });
    expect(page.meta.total).toBe(1);
    const name: string | null | undefined = page.data[0]?.name;
    expect(name).toBe('Acme');

    answer = json(200, success({ id: 7, name: 'Acme' }));
    const supplier = await client().read('supplier', 7);
    expect(supplier.data.name).toBe('Acme');
    await client().create('supplier', { name: 'Acme' });
    await client().update('supplier', 7, { name: 'Ace' }, { headers: { 'If-Match': '"1-a"' } });
    expect(received.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/api/v2/suppliers?per_page=20', ''],
      ['GET', '/api/v2/suppliers/7', ''],
      ['POST', '/api/v2/suppliers', '{"name":"Acme"}'],
      ['PATCH', '/api/v2/suppliers/7', '{"name":"Ace"}'],
    ]);
    expect(received[3]?.headers['if-match']).toBe('"1-a"');
  });

  it('has types of its own for each family', async () => {
    const { data } = await client().read('supplier', 7);
    // @ts-expect-error a supplier has no such field
    expect(data.density).toBeUndefined();
    // @ts-expect-error there is no such family
    expect(() => client().read('planet', 7)).toThrow(TypeError);
  });

  it.each([
    ['customer', '/api/v2/x/customers'],
    ['shipment', '/api/v2/x/shipments'],
    ['specification', '/api/v2/specifications'],
    ['inspection', '/api/v2/inspections?as=array'],
  ] as const)('lists %s page by page at %s', async (name, url) => {
    answer = json(200, success([], { current_page: 1, from: 0, to: 0, total: 0, per_page: 50 }));
    await client().list(name);
    expect(received[0]?.url).toBe(url);
  });

  it('reads the page size of the stock, which is text, as a number', async () => {
    const meta = { current_page: 1, from: 1, to: 1, total: 1, per_page: '50', last_page: 1 };
    answer = json(200, { ...success([{ id: 41, quantity: 3 }], meta), links: {} });
    const page = await client().list('inventory');
    expect(page.meta.per_page).toBe(50);
    const quantity: number | null | undefined = page.data[0]?.quantity;
    expect(quantity).toBe(3);
  });
});

describe('raw bodies and answers', () => {
  const csv = 'name\nAcme\n';
  const bytes = 'application/octet-stream';
  const operations = [
    defineOperation('files.write', 'PUT', '/x/files/{name}', 'Files', {
      body: { schema: () => z.string(), isOptional: false, limit: 1_000, type: bytes },
    }),
    defineOperation('files.read', 'GET', '/x/files/{name}', 'Files', { answerType: bytes }),
  ];
  const files = () =>
    createSender(new Map(operations.map(each => [each.id, each])), { baseUrl, token: 'secret' });
  const params = { name: 'suppliers.csv' };

  it.each([
    ['a text', () => csv],
    ['a blob', () => new Blob([csv])],
    ['bytes', () => new TextEncoder().encode(csv)],
    ['a stream', () => new Blob([csv]).stream()],
  ])('sends %s as it is', async (_name, body) => {
    const headers = { 'Content-Type': 'text/csv' };
    const { data } = await files().call('files.write', { params, body: body(), headers });
    expect(data).toEqual({ id: 7, name: 'Acme' });
    expect(received[0]?.url).toBe('/api/v2/x/files/suppliers.csv');
    expect(received[0]?.body).toBe(csv);
    expect(received[0]?.headers['content-type']).toBe('text/csv');
  });

  it("sends the operation's type unless told otherwise", async () => {
    await files().call('files.write', { params, body: csv });
    expect(received[0]?.headers['content-type']).toBe(bytes);
  });

  it('gives an answer as it comes', async () => {
    answer = other(200, 'text/csv', csv);
    const response = await files().stream('files.read', { params });
    expect(response.headers.get('content-type')).toBe('text/csv');
    expect(await response.text()).toBe(csv);
  });

  it('throws the error of a stream, and refuses a page', async () => {
    answer = json(404, { status: 'error', message: 'No file.', code: 'not_found', request_id: 'r' });
    expect((await failureOf(files().stream('files.read', { params }))).code).toBe('not_found');
    answer = other(200, 'text/html', '<p>Sign in to the network</p>');
    expect((await failureOf(files().stream('files.read', { params }))).code).toBe('unavailable');
  });
});

describe('failures', () => {
  const read = () => client().read('supplier', 7);

  it('throws the error of the envelope', async () => {
    answer = json(422, {
      status: 'error',
      message: 'name: The text is too long.',
      code: 'validation_failed',
      errors: { name: ['The text is too long.'] },
      request_id: 'r-1',
    });
    const error = await failureOf(client().create('supplier', { name: 'x' }));
    expect(error).toBeInstanceOf(CallError);
    expect(error).toMatchObject({
      code: 'validation_failed',
      status: 422,
      message: 'name: The text is too long.',
      errors: { name: ['The text is too long.'] },
      requestId: 'r-1',
    });
  });

  it('keeps how long to wait', async () => {
    const body = { status: 'error', message: 'Busy.', code: 'unavailable', request_id: 'r' };
    answer = json(503, body, { 'Retry-After': '5' });
    const error = await failureOf(read());
    expect(error).toBeInstanceOf(CallError);
    expect(error.headers).toEqual({ 'Retry-After': '5' });
  });

  it.each([
    [409, 'conflict'],
    [418, 'malformed'],
    [507, 'storage_full'],
    [599, 'internal'],
  ])('reads a code that it does not know by its status, %i', async (status, code) => {
    answer = json(status, { status: 'error', message: 'New.', code: 'of_a_newer_server', request_id: 'r' });
    expect(await failureOf(read())).toMatchObject({ code, message: 'New.', requestId: 'r' });
  });

  it.each([
    ['a page', other(200, 'text/html', '<p>Sign in</p>')],
    ['a page with an error', other(511, 'text/html', '<p>Sign in</p>')],
    ['a text', other(200, 'text/plain', 'ok')],
    ['an error of something else', other(502, 'application/json', '{"error":"bad gateway"}')],
    ['JSON that is no envelope', json(200, { ok: true })],
    ['JSON that is no object', json(200, [1])],
    ['broken JSON', other(200, 'application/json', '{"status":"succ')],
    ['no type', (response: ServerResponse) => response.end()],
  ])('calls %s unavailable', async (_name, wrong) => {
    answer = wrong;
    const error = await failureOf(read());
    expect(error.code).toBe('unavailable');
    expect(error).not.toBeInstanceOf(CallError);
    expect(error.message).toContain('Another program');
  });

  it('follows no redirect, so that the token stays where it belongs', async () => {
    answer = response => response.writeHead(302, { Location: `${baseUrl}/elsewhere` }).end();
    expect((await failureOf(read())).code).toBe('unavailable');
    expect(received).toHaveLength(1);
  });

  it('calls a server that is not there unavailable', async () => {
    const idle = createServer().listen(0, '127.0.0.1');
    await once(idle, 'listening');
    const { port } = idle.address() as AddressInfo;
    idle.close();
    await once(idle, 'close');
    const error = await failureOf(createClient({ baseUrl: `http://127.0.0.1:${port}` }).call('status.read'));
    expect(error.code).toBe('unavailable');
    expect(error.message).toContain('cannot be reached');
    expect(error.cause).toBeInstanceOf(Error);
  });

  it('calls an answer that breaks off unavailable', async () => {
    answer = response => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
      response.write('{"status":', () => response.destroy());
    };
    expect((await failureOf(read())).code).toBe('unavailable');
  });

  it("rejects an aborted call with its signal's reason", async () => {
    const reason = new Error('The reader went on.');
    await expect(client().read('supplier', 7, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(received).toEqual([]);
  });

  it('uses the fetch that it is given', async () => {
    const asked: unknown[] = [];
    const fake: typeof fetch = async url => {
      asked.push(url);
      return Response.json(success({ id: 7 }));
    };
    await createClient({ baseUrl: '', fetch: fake }).read('supplier', 7);
    expect(asked).toEqual(['/api/v2/suppliers/7']);
  });
});
