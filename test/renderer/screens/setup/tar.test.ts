import { describe, expect, it } from 'vitest';
import { tarOf } from '../../../../renderer/screens/setup/tar.ts';

const AT = new Date('2026-01-15T10:00:00.900Z');

/** Offsets and lengths of the fields of a header: POSIX.1-1988, 10.1.1. */
const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  size: [124, 12],
  at: [136, 12],
  sum: [148, 8],
  type: [156, 1],
} as const;

async function read(archive: Blob) {
  const bytes = new Uint8Array(await archive.arrayBuffer());
  const text = (from: number, length: number) =>
    new TextDecoder().decode(bytes.subarray(from, from + length));
  const files = [];
  let at = 0;
  for (; bytes[at] !== 0; ) {
    const field = (name: keyof typeof FIELDS) => {
      const [offset, length] = FIELDS[name];
      return text(at + offset, length).replace(/[\0 ]+$/, '');
    };
    const size = Number.parseInt(field('size'), 8);
    const header = bytes.slice(at, at + 512);
    header.fill(32, 148, 156);
    files.push({
      name: field('name'),
      mode: field('mode'),
      at: Number.parseInt(field('at'), 8),
      type: field('type'),
      isSummed: Number.parseInt(field('sum'), 8) === header.reduce((sum, byte) => sum + byte, 0),
      magic: text(at + 257, 8),
      content: text(at + 512, size),
    });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return { files, rest: bytes.subarray(at) };
}

describe('an archive', () => {
  it('has each file with its name, its time and its bytes', async () => {
    const contents = ['', 'x', 'Öl'.repeat(200), 'y'.repeat(512), 'z'.repeat(513)];
    const given = contents.map((content, index) => ({
      name: `file-${index}.csv`,
      content: new Blob([content]),
    }));
    const { files } = await read(tarOf(given, AT));
    expect(files).toEqual(
      contents.map((content, index) => ({
        name: `file-${index}.csv`,
        mode: '0000644',
        at: Math.floor(AT.getTime() / 1_000),
        type: '0',
        isSummed: true,
        magic: 'ustar\u000000',
        content,
      })),
    );
  });

  it('ends with two empty blocks', async () => {
    const { rest } = await read(tarOf([{ name: 'a', content: new Blob(['a']) }], AT));
    expect(rest).toEqual(new Uint8Array(1_024));
    expect((await tarOf([], AT).arrayBuffer()).byteLength).toBe(1_024);
  });
});
