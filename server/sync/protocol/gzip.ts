import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzipSync, type ZlibOptions } from 'node:zlib';

/** What is shorter is sent as it is: packing it costs more than it saves. In bytes. */
export const GZIP_FROM = 1_024;

/** The last tenth of the bytes would take as long as all the others. */
const PACK_LEVEL = 3;

/**
 * Packs a message of the exchange, on this thread: beside it, a message that is done would wait until another one is
 * taken, which keeps this thread for as long as ten take to pack.
 */
export function gzip(message: Buffer | string): Buffer {
  return gzipSync(message, { level: PACK_LEVEL });
}

/** Packed bytes that take longer to unpack than to be handed to another thread. */
const LARGE = 64 * 1024;
const unpackBeside = promisify(gunzip);

/** Unpacks a message, beside this thread where it is large. Rejects with zlib's error. */
export async function unpack(bytes: Buffer, options: Pick<ZlibOptions, 'maxOutputLength'>): Promise<Buffer> {
  return bytes.length < LARGE ? gunzipSync(bytes, options) : unpackBeside(bytes, options);
}
