import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { canonicalPieces } from './canonical-commit.ts';
import type { Commit, Entry } from './changes.ts';
import { readCommitText } from './commit-text.ts';
import { commitOf, type HistoryRow, toCommit } from './history.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Steps } from './yield-to-event-loop.ts';

/** Characters that are read in one step: some tenths of a millisecond. */
const PIECE = 16 * 1024;
/** How the text of a commit begins (`textOfCommit`), up to its first entry. */
const BEGINNINGS = ['[', '{"entries":['];
/** Where an entry may begin: in a text of JSON no string holds this, a value of a change might. */
const NEXT_ENTRY = /,\{"(?:subject|changes)":/g;
const TRIES = 8;

/**
 * As `toCommit`, in steps: a large commit is parsed and proved a piece at a time, so that others are answered meanwhile.
 * @throws AppError `unavailable` for a row that is not what was written
 */
export function* readingCommit(reader: SqlReader, row: HistoryRow): Steps<Commit> {
  const { entries: text, seal } = row;
  const isLarge = typeof text === 'string' && text.length > 2 * PIECE;
  const beginning = isLarge ? BEGINNINGS.find(each => text.startsWith(each)) : undefined;
  if (beginning === undefined) return toCommit(reader, row);
  const pieces: Entry[][] = [];
  let from = beginning.length;
  let sum = crc32(beginning);
  for (let piece = pieceAt(text, from); piece; piece = pieceAt(text, from)) {
    pieces.push(piece.entries);
    sum = crc32(text.slice(from, piece.end), sum);
    from = piece.end;
    yield;
  }
  const commit = commitOf({ ...row, entries: beginning + text.slice(from + Number(pieces.length > 0)) });
  const isWhole = commit && crc32(text.slice(from), sum) === seal;
  // What is wrong is said in the same words.
  if (!isWhole) return toCommit(reader, row);
  pieces.push(commit.entries);
  const whole = { ...commit, entries: pieces.flat() };
  return (yield* isProved(whole, pieces)) ? whole : toCommit(reader, row);
}

/** The next entries, up to a place where another one begins; undefined where the rest is better read at once. */
function pieceAt(text: string, from: number): { entries: Entry[]; end: number } | undefined {
  NEXT_ENTRY.lastIndex = from + PIECE;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const next = NEXT_ENTRY.exec(text);
    if (!next) return undefined;
    const start = text[from] === ',' ? from + 1 : from;
    // Within a value the brackets do not match.
    const content = readCommitText(`[${text.slice(start, next.index)}]`);
    if (content) return { entries: content.entries, end: next.index };
  }
  return undefined;
}

/** As `isItsHash`. */
function* isProved(commit: Commit, pieces: readonly Entry[][]): Steps<boolean> {
  if (Object.values(commit).some(value => value instanceof Uint8Array)) return false;
  const digest = createHash('sha256');
  for (const text of canonicalPieces(commit, pieces)) {
    digest.update(text);
    yield;
  }
  return digest.digest('hex') === commit.hash;
}
