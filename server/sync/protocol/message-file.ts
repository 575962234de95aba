import { gunzipSync } from 'node:zlib';
import { MESSAGE_DEPTH } from '../../../shared/contract/limits.ts';
import { parseStrictJson } from '../../../shared/contract/strict-json.ts';
import { gzip } from './gzip.ts';
import { type About, open, type ReadBytes, refused, seal } from './sealed-file.ts';

/** Of one message, packed as well as unpacked: 16 MiB, as over the line. */
const MESSAGE_LIMIT = 16 * 1024 * 1024;
const LENGTH = 4;

/** The file that has these messages, each as JSON, packed with gzip, after its length. */
export function sealMessages(
  about: About,
  secret: Buffer,
  messages: AsyncIterable<unknown>,
): AsyncGenerator<Buffer> {
  return seal(about, secret, framed(messages));
}

async function* framed(messages: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const message of messages) {
    const packed = gzip(JSON.stringify(message));
    const length = Buffer.alloc(LENGTH);
    length.writeUInt32BE(packed.length);
    yield Buffer.concat([length, packed]);
  }
}

/**
 * How many messages a file has, once every byte of it is proved.
 * @throws AppError 422 on `file`
 */
export async function countMessages(read: ReadBytes, secret: Buffer): Promise<number> {
  let count = 0;
  for await (const _packed of packedIn(read, secret)) count += 1;
  return count;
}

/** The messages of a file, one at a time. @throws AppError 422 on `file` */
export async function* messagesIn(read: ReadBytes, secret: Buffer): AsyncGenerator<unknown> {
  for await (const packed of packedIn(read, secret)) yield parseStrictJson(unpacked(packed), MESSAGE_DEPTH);
}

async function* packedIn(read: ReadBytes, secret: Buffer): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of open(read, secret)) {
    pieces.push(piece);
    size += piece.length;
    for (;;) {
      if (size < LENGTH) break;
      const head = pieces[0] && pieces[0].length >= LENGTH ? pieces[0] : Buffer.concat(pieces);
      const length = head.readUInt32BE(0);
      if (length > MESSAGE_LIMIT) throw refused('It has a message that is larger than any may be.');
      if (size < LENGTH + length) break;
      const all = Buffer.concat(pieces);
      yield all.subarray(LENGTH, LENGTH + length);
      const rest = all.subarray(LENGTH + length);
      pieces = [rest];
      size = rest.length;
    }
  }
  if (size > 0) throw refused('Its last message is not whole.');
}

function unpacked(packed: Buffer): string {
  try {
    return gunzipSync(packed, { maxOutputLength: MESSAGE_LIMIT }).toString('utf8');
  } catch {
    // Whoever wrote it had the key, and no program of ours writes such a thing.
    throw refused('It has a message that cannot be unpacked, or that is larger than any may be.');
  }
}
