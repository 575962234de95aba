import { createReadStream } from 'node:fs';
import { utf16Of } from '../../shared/contract/utf-16.ts';
import { FileFault } from './fault.ts';
import type { FileOptions } from './mapping.ts';

export interface ImportFile {
  /** As the mapping and the messages call it. */
  name: string;
  path: string;
}

/** The text of a file piece by piece, without its byte order mark. @throws FileFault where the encoding is another. */
export async function* fileText(file: ImportFile, encoding: FileOptions['encoding']): AsyncGenerator<string> {
  // To the Encoding standard, latin1 is another name of windows-1252.
  const decoder = new TextDecoder(encoding ?? 'utf-8', { fatal: true });
  let line = 1;
  let isFirst = true;
  const decode = (bytes: Buffer | undefined): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch (cause) {
      if (!(cause instanceof TypeError)) throw cause;
      throw notDecoded(file, encoding, line + linesBeforeFault(bytes));
    }
  };
  for await (const chunk of createReadStream(file.path, { highWaterMark: 256 * 1024 })) {
    const bytes = chunk as Buffer;
    if (isFirst && encoding === undefined) refuseUtf16(file, bytes);
    isFirst = false;
    const text = decode(bytes);
    line += newlinesIn(text);
    if (text !== '') yield text;
  }
  const rest = decode(undefined);
  if (rest !== '') yield rest;
}

function refuseUtf16(file: ImportFile, bytes: Buffer): void {
  const encoding = utf16Of(bytes);
  if (encoding !== undefined)
    throw new FileFault(
      file.name,
      `The file is UTF-16. Set "encoding": "${encoding}" for it in the mapping.`,
    );
}

function notDecoded(file: ImportFile, encoding: FileOptions['encoding'], line: number): FileFault {
  const remedy =
    encoding === undefined || encoding === 'utf-8'
      ? 'Set "encoding": "windows-1252" for it in the mapping if it comes from a Windows program, or save it as UTF-8.'
      : 'Set another "encoding" for it in the mapping.';
  return new FileFault(file.name, `The file is not ${encoding ?? 'UTF-8'} here. ${remedy}`, { line });
}

function linesBeforeFault(bytes: Buffer | undefined): number {
  if (bytes === undefined) return 0;
  const text = bytes.toString('utf8');
  return newlinesIn(text.slice(0, Math.max(0, text.indexOf('\ufffd'))));
}

/** Line ends of all three kinds. */
export function newlinesIn(text: string): number {
  let lines = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) lines++;
  }
  return lines;
}
