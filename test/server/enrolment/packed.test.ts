import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import { enrolledStation } from './enrolled.ts';

const MIB = 1024 * 1024;

/** What only stations call takes packed bodies; all else is as strict there as everywhere. */
describe('a body that a station sends', () => {
  const central = new Station({ role: 'central', isHere: true });
  let key = '';
  beforeAll(async () => {
    await central.start();
    ({ key } = await enrolledStation(central, 'Dock'));
  });
  afterAll(() => central.stop());

  async function sent(body: string | Uint8Array<ArrayBuffer>, encoding?: string, path = '/x/stations/block') {
    const isStation = path === '/x/stations/block';
    const response = await fetch(`${central.origin}/api/v2${path}`, {
      method: 'POST',
      body,
      headers: {
        Authorization: `Bearer ${isStation ? key : central.token}`,
        'Content-Type': 'application/json',
        ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
      },
    });
    return { status: response.status, text: await response.text() };
  }
  const packed = (text: string | Buffer) => new Uint8Array(gzipSync(text));

  it('may be packed', async () => {
    expect((await sent(packed('{}'), 'gzip')).status).toBe(201);
    expect((await sent('{}')).status).toBe(201);
    expect((await sent('{}', 'identity')).status).toBe(201);
  });

  it.each([
    ['not packed', () => sent('{}', 'gzip'), 400],
    ['cut off', () => sent(packed('{"a":1}').slice(0, -6), 'gzip'), 400],
    ['empty', () => sent(packed(''), 'gzip'), 201],
    ['a bomb', () => sent(packed(Buffer.alloc(200 * MIB, 0x20)), 'gzip'), 413],
    [
      'a bomb of many members',
      () =>
        sent(new Uint8Array(Buffer.concat(Array(40).fill(gzipSync(Buffer.alloc(MIB / 8, 0x20))))), 'gzip'),
      413,
    ],
    ['packed twice', () => sent(packed(Buffer.from(packed('{}'))), 'gzip'), 400],
    ['packed another way', () => sent('{}', 'br'), 415],
    ['packed in two steps', () => sent(packed('{}'), 'gzip, gzip'), 415],
    ['a list', () => sent(packed('[]'), 'gzip'), 422],
    ['a duplicate key', () => sent(packed('{"a":1,"a":2}'), 'gzip'), 422],
    ['__proto__', () => sent(packed('{"__proto__":{"polluted":true}}'), 'gzip'), 422],
    ['invalid UTF-8', () => sent(packed(Buffer.from([0x22, 0xc3, 0x28, 0x22])), 'gzip'), 400],
    ["a person's", () => sent(packed('{"name":"x"}'), 'gzip', '/suppliers'), 201],
  ] as const)('that is %s is answered', async (_name, send, expected) => {
    const { status, text } = await send();
    expect([status, text]).toEqual([expected, expect.stringMatching(/^\{"status":"(error|success)"/)]);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect((await central.get('/status')).status).toBe(200);
  });
});
