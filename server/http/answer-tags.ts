import { crc32 } from 'node:zlib';

/**
 * The tag of an answer: of what it says, so that what changes in others that it shows changes it too. That of a single record
 * begins with the record's own (`etagOf`), which alone counts for `If-Match`.
 * @param length bytes of the text
 */
export function answerTag(recordTag: string | undefined, text: string, length: number): string {
  const sum = crc32(text).toString(16).padStart(8, '0');
  // Weak: of an answer with no record of its own nobody asks for a part.
  return recordTag === undefined ? `W/"${length.toString(16)}-${sum}"` : `${recordTag.slice(0, -1)}-${sum}"`;
}

/** Whether one of the tags that a client names (`If-None-Match`) is this one, weak or not (RFC 9110, 13.1.2). */
export function isKnown(named: string | undefined, tag: string): boolean {
  if (named === undefined) return false;
  if (named.trim() === '*') return true;
  const own = strong(tag);
  return named.split(',').some(each => strong(each.trim()) === own);
}

/** Whether one of the tags that a client names (`If-Match`) is of the record as it stands, whatever was answered of others. */
export function isOfRecord(named: string, recordTag: string): boolean {
  const beginning = recordTag.slice(0, -1);
  return named.split(',').some(each => {
    const tag = strong(each.trim());
    return (
      tag === recordTag || (tag.startsWith(`${beginning}-`) && OF_ANSWER.test(tag.slice(beginning.length)))
    );
  });
}

const OF_ANSWER = /^-[0-9a-f]{8}"$/;

function strong(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
