const BLOCK = 512;

/**
 * Files as one archive that every system opens: the "ustar" format of POSIX.1-1988, headers of 512 bytes with octal
 * numbers, contents filled up to whole blocks, two empty blocks at the end. Names are of ASCII and at most 100 long.
 */
export function tarOf(files: readonly { name: string; content: Blob }[], at: Date): Blob {
  const parts = files.flatMap(({ name, content }) => [
    headerOf(name, content.size, at),
    content,
    new Uint8Array((BLOCK - (content.size % BLOCK)) % BLOCK),
  ]);
  return new Blob([...parts, new Uint8Array(2 * BLOCK)], { type: 'application/x-tar' });
}

function headerOf(name: string, size: number, at: Date): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(BLOCK);
  const put = (text: string, offset: number) => header.set(new TextEncoder().encode(text), offset);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  put(name, 0);
  put(octal(0o644, 8), 100);
  put(octal(0, 8), 108);
  put(octal(0, 8), 116);
  put(octal(size, 12), 124);
  put(octal(Math.floor(at.getTime() / 1_000), 12), 136);
  put('0', 156);
  put('ustar\u000000', 257);
  // The sum over the header with blanks in the place of the sum.
  put(' '.repeat(8), 148);
  put(
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      7,
    )} `,
    148,
  );
  return header;
}
