import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { invalid } from '../../../shared/contract/errors.ts';

/**
 * A file that only the station and its central can read, and that nobody else can have written: one line that says what it is,
 * then what it holds in pieces, each sealed with ChaCha20-Poly1305. The key follows by HKDF from the secret of the two and from
 * the whole first line, which has a salt; so no two files have the same one. The nonce of a piece is its number and whether it
 * is the last (the construction STREAM, as in age): none can be changed, moved, left out or added, and an end is an end.
 */

/** What the first line says; members that this version does not know stay as they are. */
const headerSchema = z.looseObject({
  holdpoint: z.literal('carry'),
  version: z.int().min(1),
  /** Who wrote it. */
  from: z.enum(['station', 'central']),
  station: z.uuid(),
  central: z.uuid(),
  written_at: z.iso.datetime(),
  salt: z.string().length(43),
  /** The public key of who wrote it, by which the last message is signed: Ed25519, base64url. */
  key: z.string().length(43),
});
export type CarryHeader = z.infer<typeof headerSchema>;

/** What this program writes and reads. */
const VERSION = 2;
const PIECE = 64 * 1024;
const TAG = 16;
const HEADER_LIMIT = 4_096;
const CIPHER = 'chacha20-poly1305';

export type About = Pick<CarryHeader, 'from' | 'station' | 'central' | 'written_at' | 'key'>;

/** The bytes of a file. `secret` is of 32 bytes; `contentOf` is given the first line. */
export async function* seal(
  about: About,
  secret: Buffer,
  contentOf: (line: Buffer) => AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(32).toString('base64url');
  const line = Buffer.from(`${JSON.stringify({ holdpoint: 'carry', version: VERSION, ...about, salt })}\n`);
  yield line;
  const key = keyOf(secret, line);
  let number = 0;
  let waiting = Buffer.alloc(0);
  for await (const bytes of contentOf(line)) {
    waiting = Buffer.concat([waiting, bytes]);
    // The last piece is known as such only when there is no more.
    while (waiting.length > PIECE) {
      yield sealed(key, number, waiting.subarray(0, PIECE), false);
      number += 1;
      waiting = waiting.subarray(PIECE);
    }
  }
  yield sealed(key, number, waiting, true);
}

/** Reads a file from its beginning, as often as it is asked. */
export type ReadBytes = () => AsyncIterable<Buffer>;

/** @throws AppError 422 on `file` for what is no such file, or is of a later version */
export async function readHeader(read: ReadBytes): Promise<CarryHeader> {
  const { line } = await firstLine(read()[Symbol.asyncIterator]());
  return headerOf(line);
}

/**
 * What a file holds, piece by piece.
 * @param onLine is given the first line, and what it says
 * @throws AppError 422 on `file` where it was cut off or altered, or the secret is another one
 */
export async function* open(
  read: ReadBytes,
  secret: Buffer,
  onLine: (line: Buffer, header: CarryHeader) => void = () => {},
): AsyncGenerator<Buffer> {
  const bytes = read()[Symbol.asyncIterator]();
  const { line, rest } = await firstLine(bytes);
  onLine(line, headerOf(line));
  const key = keyOf(secret, line);
  let waiting = rest;
  for (let number = 0; ; number += 1) {
    let isEnd = false;
    while (waiting.length <= PIECE + TAG && !isEnd) {
      const { value, done } = await bytes.next();
      if (done) isEnd = true;
      else waiting = Buffer.concat([waiting, value]);
    }
    const piece = waiting.subarray(0, PIECE + TAG);
    const isLast = waiting.length <= PIECE + TAG;
    const opened = unsealed(key, number, piece, isLast);
    if (!opened) throw faultOf(key, number, piece, isLast);
    yield opened;
    if (isLast) return;
    waiting = waiting.subarray(PIECE + TAG);
  }
}

/** A piece that ends the file and is whole as one in the middle: what followed is missing. */
function faultOf(key: Buffer, number: number, piece: Buffer, isLast: boolean): Error {
  if (isLast && (number > 0 || unsealed(key, number, piece, false))) {
    return refused('It is cut off, or its end was altered. Copy it once more, or write a new one.');
  }
  return number === 0
    ? refused(NOT_OURS)
    : refused('It was altered on its way. Copy it once more, or write a new one.');
}

async function firstLine(bytes: AsyncIterator<Buffer>): Promise<{ line: Buffer; rest: Buffer }> {
  let read = Buffer.alloc(0);
  for (;;) {
    const end = read.indexOf(10);
    if (end >= 0 && end < HEADER_LIMIT) {
      return { line: read.subarray(0, end + 1), rest: read.subarray(end + 1) };
    }
    const { value, done } =
      read.length < HEADER_LIMIT ? await bytes.next() : { value: undefined, done: true };
    if (done || !value) throw refused('It is no file of "holdpoint carry", or its beginning was altered.');
    read = Buffer.concat([read, value]);
  }
}

function headerOf(line: Buffer): CarryHeader {
  let input: unknown;
  try {
    input = JSON.parse(line.toString('utf8'));
  } catch {
    // Said below, as for what is JSON and something else.
    input = undefined;
  }
  const later = z
    .object({ holdpoint: z.literal('carry'), version: z.number().min(VERSION + 1) })
    .safeParse(input);
  if (later.success) throw refused('A later version wrote it. Update this program.');
  const earlier = z.object({ holdpoint: z.literal('carry'), version: z.literal(1) }).safeParse(input);
  if (earlier.success)
    throw refused('An earlier version wrote it, which did not sign. Update it there, and write a new one.');
  const header = headerSchema.safeParse(input);
  if (!header.success) throw refused('It is no file of "holdpoint carry", or its beginning was altered.');
  return header.data;
}

function keyOf(secret: Buffer, line: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), Buffer.concat([LABEL, line]), 32));
}

const LABEL = Buffer.from('holdpoint carry\n');

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function sealed(key: Buffer, number: number, piece: Buffer, isLast: boolean): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonceOf(number, isLast), { authTagLength: TAG });
  return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined where it is not what was sealed. */
function unsealed(key: Buffer, number: number, piece: Buffer, isLast: boolean): Buffer | undefined {
  if (piece.length < TAG) return undefined;
  const decipher = createDecipheriv(CIPHER, key, nonceOf(number, isLast), { authTagLength: TAG });
  decipher.setAuthTag(piece.subarray(-TAG));
  try {
    return Buffer.concat([decipher.update(piece.subarray(0, -TAG)), decipher.final()]);
  } catch {
    // Node says no more of it than that.
    return undefined;
  }
}

const NOT_OURS =
  'It was altered or cut off, or is sealed with another key than the present one, because the station was enrolled again since. Copy it once more, or write a new one.';

export function refused(why: string): Error {
  return invalid({ file: [`This file cannot be read in. ${why} Nothing of it was taken.`] });
}
