import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newPrivateKey, publicKeyOf, signText } from '../../../../server/keys/ed25519.ts';
import { messagesIn, proveMessages, sealMessages } from '../../../../server/sync/protocol/message-file.ts';
import { open, readHeader, seal } from '../../../../server/sync/protocol/sealed-file.ts';

const SECRET = randomBytes(32);
const KEY = newPrivateKey();
const ABOUT = {
  from: 'station',
  station: '5f0c8b6e-2f0a-4f0e-9c38-2b1f6f3f7a01',
  central: '0a2d3c55-93a4-4c6f-8d1c-7a8f43f0c002',
  written_at: '2026-06-15T12:00:00.000Z',
  key: publicKeyOf(KEY),
} as const;
const sign = (text: string) => signText(KEY, text);
const PIECE = 64 * 1024 + 16;
const REFUSED = { errors: { file: [expect.stringContaining('Nothing of it was taken.')] } };

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function fileOf(
  messages: readonly unknown[],
  about: Parameters<typeof seal>[0] = ABOUT,
): Promise<Buffer> {
  return Buffer.concat(await all(sealMessages({ ...about, sign }, SECRET, each(messages))));
}

/** In pieces of an odd size. */
const reading = (file: Buffer) =>
  async function* () {
    for (let at = 0; at < file.length; at += 10_007) yield file.subarray(at, at + 10_007);
  };

const noise = (size: number) => randomBytes(size).toString('hex');
/** What takes several pieces, whose end is within one. */
const MESSAGES = [{ kind: 'first' }, { noise: noise(100_000) }, { noise: noise(60_000) }];

describe('a sealed file', () => {
  it.each([[[]], [[{ a: 1 }]], [MESSAGES]])('gives back what was put in', async messages => {
    const file = await fileOf(messages);
    expect(await readHeader(reading(file))).toMatchObject(ABOUT);
    expect(await proveMessages(reading(file), SECRET)).toEqual({ count: messages.length, key: ABOUT.key });
    expect(await all(messagesIn(reading(file), SECRET))).toEqual(messages);
  });

  it('gives back a content that ends where a piece ends', async () => {
    const content = gzipSync(JSON.stringify({ noise: noise(200_000) }), { level: 0 });
    const length = Buffer.alloc(4);
    for (const size of [PIECE - 16, 2 * (PIECE - 16)]) {
      length.writeUInt32BE(size - 4);
      const framed = Buffer.concat([length, content.subarray(0, size - 4)]);
      const file = Buffer.concat(await all(seal(ABOUT, SECRET, () => each([framed]))));
      expect(Buffer.concat(await all(open(reading(file), SECRET)))).toEqual(framed);
    }
  });

  it('is refused wherever one bit of it is another', async () => {
    const file = await fileOf(MESSAGES);
    const body = file.indexOf(10) + 1;
    const places = [
      3,
      60,
      body - 1,
      body,
      body + 15,
      body + PIECE - 1,
      body + PIECE,
      file.length - 20,
      file.length - 1,
    ];
    for (const place of places) {
      const other = Buffer.from(file);
      other.writeUInt8(other.readUInt8(place) ^ 1, place);
      await expect(proveMessages(reading(other), SECRET), `at ${place}`).rejects.toMatchObject(REFUSED);
    }
  });

  it('is refused wherever it is cut off, longer, or its pieces change places', async () => {
    const file = await fileOf(MESSAGES);
    const body = file.indexOf(10) + 1;
    const lengths = [
      0,
      20,
      body - 1,
      body,
      body + 10,
      body + PIECE,
      body + PIECE + 1,
      body + 2 * PIECE,
      file.length - 1,
    ];
    for (const length of lengths) {
      const cut = file.subarray(0, length);
      await expect(proveMessages(reading(cut), SECRET), `after ${length}`).rejects.toMatchObject(REFUSED);
    }
    const [head, first, second] = [
      file.subarray(0, body),
      file.subarray(body, body + PIECE),
      file.subarray(body + PIECE, body + 2 * PIECE),
    ];
    const rest = file.subarray(body + 2 * PIECE);
    const others = [
      [head, second, first, rest],
      [head, first, first, second, rest],
      [head, second, rest],
      [file, rest],
    ];
    for (const pieces of others) {
      await expect(proveMessages(reading(Buffer.concat(pieces)), SECRET)).rejects.toMatchObject(REFUSED);
    }
  });

  it('is refused with another key, or with the first line of another file', async () => {
    const [file, other] = [await fileOf(MESSAGES), await fileOf(MESSAGES)];
    await expect(proveMessages(reading(file), randomBytes(32))).rejects.toMatchObject(REFUSED);
    const mixed = Buffer.concat([file.subarray(0, file.indexOf(10)), other.subarray(other.indexOf(10))]);
    await expect(proveMessages(reading(mixed), SECRET)).rejects.toMatchObject(REFUSED);
  });

  it('of a later version says to update; what else is no file of ours says so', async () => {
    const line = JSON.stringify({ holdpoint: 'carry', version: 3, anything: true });
    await expect(readHeader(reading(Buffer.from(`${line}\n`)))).rejects.toThrow(/later version/);
    for (const text of ['', 'hello\n', '{}\n', `${'x'.repeat(100_000)}\n`]) {
      await expect(readHeader(reading(Buffer.from(text)))).rejects.toThrow(/no file of "holdpoint carry"/);
    }
  });

  it('unpacks no message beyond 16 MiB', async () => {
    const packed = gzipSync(Buffer.alloc(17 * 1024 * 1024, ' '));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(packed.length);
    const bomb = Buffer.concat(await all(seal(ABOUT, SECRET, () => each([Buffer.concat([length, packed])]))));
    await expect(proveMessages(reading(bomb), SECRET)).rejects.toMatchObject(REFUSED);
    const twice = Buffer.concat([length, packed, length, packed]);
    const followed = Buffer.concat(await all(seal(ABOUT, SECRET, () => each([twice]))));
    await expect(all(messagesIn(reading(followed), SECRET))).rejects.toMatchObject(REFUSED);
    length.writeUInt32BE(0xffffffff);
    const huge = Buffer.concat(await all(seal(ABOUT, SECRET, () => each([length]))));
    await expect(proveMessages(reading(huge), SECRET)).rejects.toMatchObject(REFUSED);
  });

  it('of whoever knows the secret is refused where the key that it names did not sign all of it', async () => {
    const thief = newPrivateKey();
    const forged = (text: string) => signText(thief, text);
    const other = Buffer.concat(await all(sealMessages({ ...ABOUT, sign: forged }, SECRET, each(MESSAGES))));
    await expect(proveMessages(reading(other), SECRET)).rejects.toThrow(/not signed by the installation/);
    // One message less, and one more, with the genuine signature.
    const genuine = Buffer.concat(await all(open(reading(await fileOf(MESSAGES)), SECRET)));
    const first = 4 + genuine.readUInt32BE(0);
    const altered = [genuine.subarray(first), Buffer.concat([genuine.subarray(0, first), genuine])];
    for (const content of altered) {
      const file = Buffer.concat(await all(seal(ABOUT, SECRET, () => each([content]))));
      await expect(proveMessages(reading(file), SECRET)).rejects.toThrow(/not signed by the installation/);
    }
  });

  it('of the version that did not sign is refused', async () => {
    const { key: _, ...about } = ABOUT;
    const line = JSON.stringify({ holdpoint: 'carry', version: 1, ...about, salt: 'x'.repeat(43) });
    await expect(readHeader(reading(Buffer.from(`${line}\n`)))).rejects.toThrow(/did not sign/);
  });
});
