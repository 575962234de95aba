import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

const HEADER = 32;
const FRAME_HEADER = 24;
/** Longer logs are not read at start, to bound the time; `verify` reads everything. */
const LONGEST = 512 * 2 ** 20;

/**
 * What is wrong with SQLite's write-ahead log; undefined when it is whole, or ends in a transaction that a stopped
 * process or a power failure left unfinished.
 *
 * SQLite reads a log up to the first frame whose checksum is wrong and takes the rest as never written, without a
 * word. The checksum of a frame follows from that of the frame before it, so a later frame that follows from its own
 * predecessor, of the same run of the log (the salts), and ends a commit proves that there was more. Frames without
 * such an end are what an undone transaction has left: https://www.sqlite.org/walformat.html
 */
export function damageOfWal(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    if (size <= HEADER || size > LONGEST) return undefined;
    const found = damageOf(descriptor, size);
    // A server may be writing: what is really broken is so at a second look, in the same place.
    return found !== undefined && found === damageOf(descriptor, size) ? found : undefined;
  } finally {
    closeSync(descriptor);
  }
}

function damageOf(descriptor: number, size: number): string | undefined {
  const header = read(descriptor, 0, HEADER);
  const isBig = header.readUInt32BE(0) === 0x377f0683;
  const sum = checksum(header.subarray(0, 24), isBig, [0, 0]);
  const isKnown = isBig || header.readUInt32BE(0) === 0x377f0682;
  const pageSize = header.readUInt32BE(8);
  if (!isKnown || !isSame(sum, sumAt(header, 24)) || pageSize < 512 || pageSize > 65_536) {
    return 'The head of its log cannot be read, so that nothing in the log is.';
  }
  const frameSize = FRAME_HEADER + pageSize;
  const frames = Math.floor((size - HEADER) / frameSize);
  let before = sum;
  let firstBad: number | undefined;
  for (let index = 0; index < frames; index++) {
    const frame = read(descriptor, HEADER + index * frameSize, frameSize);
    const expected = checksum(
      frame.subarray(FRAME_HEADER),
      isBig,
      checksum(frame.subarray(0, 8), isBig, before),
    );
    const stored = sumAt(frame, 16);
    const isOfThisRun = frame.compare(header, 16, 24, 8, 16) === 0;
    if (isOfThisRun && isSame(expected, stored)) {
      if (firstBad !== undefined && isEndOfCommit(frame)) {
        return `Its log is broken at frame ${firstBad + 1} of ${frames}; what was written after that is lost.`;
      }
    } else {
      firstBad ??= index;
    }
    before = stored;
  }
  return undefined;
}

/** The size of the database after the commit stands in its last frame only. */
function isEndOfCommit(frame: Buffer): boolean {
  return frame.readUInt32BE(4) !== 0;
}

type Sum = readonly [number, number];

function sumAt(bytes: Buffer, offset: number): Sum {
  return [bytes.readUInt32BE(offset), bytes.readUInt32BE(offset + 4)];
}

function isSame(a: Sum, b: Sum): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

function checksum(bytes: Buffer, isBig: boolean, start: Sum): Sum {
  let [first, second] = start;
  for (let offset = 0; offset + 8 <= bytes.length; offset += 8) {
    const [a, b] = isBig
      ? [bytes.readUInt32BE(offset), bytes.readUInt32BE(offset + 4)]
      : [bytes.readUInt32LE(offset), bytes.readUInt32LE(offset + 4)];
    first = (first + a + second) >>> 0;
    second = (second + b + first) >>> 0;
  }
  return [first, second];
}

function read(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(descriptor, bytes, 0, length, position);
  return bytes;
}
