import { createHash } from 'node:crypto';
import { z } from 'zod';
import { MESSAGE_DEPTH } from '../../../shared/contract/limits.ts';
import { parseStrictJson } from '../../../shared/contract/strict-json.ts';
import { strictJsonInParts } from '../../../shared/contract/strict-json-in-parts.ts';
import { isSignedBy } from '../../keys/ed25519.ts';
import { inTurns } from '../../store/yield-to-event-loop.ts';
import { gzip, unpack } from './gzip.ts';
import { type About, open, type ReadBytes, refused, seal } from './sealed-file.ts';

/** Of one message, packed as well as unpacked: 16 MiB, as over the line. */
const MESSAGE_LIMIT = 16 * 1024 * 1024;
const LENGTH = 4;

/** By which an installation signs its files: `authority.key`. */
export interface FileSigner {
  /** The public key: base64url. */
  key: string;
  sign(text: string): string;
}

/**
 * The file that has these messages, each as JSON, packed with gzip, after its length; the last one signs the first line and all
 * others.
 */
export function sealMessages(
  { sign, ...about }: About & Pick<FileSigner, 'sign'>,
  secret: Buffer,
  messages: AsyncIterable<unknown>,
): AsyncGenerator<Buffer> {
  return seal(about, secret, line => framed(line, messages, sign));
}

async function* framed(
  line: Buffer,
  messages: AsyncIterable<unknown>,
  sign: (text: string) => string,
): AsyncGenerator<Buffer> {
  const said = createHash('sha256').update(line);
  for await (const message of messages) {
    const frame = frameOf(gzip(JSON.stringify(message)));
    said.update(frame);
    yield frame;
  }
  yield frameOf(gzip(JSON.stringify({ kind: 'signed', signature: sign(signedText(said.digest('hex'))) })));
}

function frameOf(packed: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH);
  length.writeUInt32BE(packed.length);
  return Buffer.concat([length, packed]);
}

/** It says what it is, so that the signature stands for nothing else. */
function signedText(sha256: string): string {
  return `holdpoint carry\n${sha256}\n`;
}

const signedSchema = z.object({ kind: z.literal('signed'), signature: z.string() });

/**
 * How many messages a file has, and the key by which it is signed, once every byte of it is proved.
 * @throws AppError 422 on `file`
 */
export async function proveMessages(
  read: ReadBytes,
  secret: Buffer,
): Promise<{ count: number; key: string }> {
  const said = createHash('sha256');
  let key = '';
  let count = 0;
  let last: Buffer | undefined;
  const pieces = packedIn(read, secret, (line, header) => {
    said.update(line);
    key = header.key;
  });
  for await (const packed of pieces) {
    if (last) {
      said.update(frameOf(last));
      count += 1;
    }
    last = packed;
  }
  const signed = signedSchema.safeParse(last && parseStrictJson(await unpacked(last), MESSAGE_DEPTH));
  const text = signedText(said.digest('hex'));
  if (!signed.success || !isSignedBy(key, text, signed.data.signature))
    throw refused('It is not signed by the installation that it names. Write a new one there.');
  return { count, key };
}

/** The messages of a file that was proved, one at a time. @throws AppError 422 on `file` */
export async function* messagesIn(read: ReadBytes, secret: Buffer): AsyncGenerator<unknown> {
  let last: Buffer | undefined;
  for await (const packed of packedIn(read, secret)) {
    // The last one is the signature.
    if (last) yield inTurns(strictJsonInParts(await unpacked(last), MESSAGE_DEPTH));
    last = packed;
  }
}

async function* packedIn(
  read: ReadBytes,
  secret: Buffer,
  onLine?: Parameters<typeof open>[2],
): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of open(read, secret, onLine)) {
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

async function unpacked(packed: Buffer): Promise<string> {
  try {
    return (await unpack(packed, { maxOutputLength: MESSAGE_LIMIT })).toString('utf8');
  } catch {
    // Whoever wrote it had the key, and no program of ours writes such a thing.
    throw refused('It has a message that cannot be unpacked, or that is larger than any may be.');
  }
}
