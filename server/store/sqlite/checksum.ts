import { crc32 } from 'node:zlib';
import type { SqlReader } from './connection.ts';

/** A document with the checksum that was written with it. */
export interface ChecksummedDocument {
  document: string;
  seal: number;
}

/**
 * The checksum that is stored beside a text. SQLite has none of its own: it returns a row in which a bit has flipped
 * as if it had been written so. A flipped type makes NULL or bytes of the text, which have no checksum.
 */
export function checksumOf(text: string): number {
  return typeof text === 'string' ? crc32(text) : -1;
}

/**
 * The document of a row, if it is what was written.
 * @param what names the row in a sentence, such as `record supplier:12`
 * @throws AppError `unavailable`; the database is for reading only from then on
 */
export function checkedDocument<Document>(
  reader: SqlReader,
  { document, seal }: ChecksummedDocument,
  what: () => string,
): Document {
  if (checksumOf(document) !== seal) throw reader.damaged(`The ${what()} is not what was written.`);
  return JSON.parse(document);
}

/** A prime: no power of two is a multiple of it, so that the sum below differs whenever one bit of a number does. */
const PRIME = 2_147_483_647;

/**
 * SQL for the checksum of a row of whole numbers that SQL itself counts up: of what `UPDATE` leaves, or of what is read.
 * Different factors, so that two numbers that change places are noticed, too.
 */
export function checksumSql(...columns: readonly string[]): string {
  return `(${columns.map((column, index) => `(${column}) % ${PRIME} * ${2 * index + 1}`).join(' + ')})`;
}
