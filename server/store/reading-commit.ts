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
  const beginning = beginningOf(text);
  if (beginning === undefined) return toCommit(reader, row);
  const pieces: Entry[][] = [];
  let from = beginning.length;
  let sum = crc32(beginning);
  for (const { entries, end } of piecesOf(text, from)) {
    pieces.push(entries);
    sum = crc32(text.slice(from, end), sum);
    from = end;
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

/** The entries of a text by `textOfCommit` in steps, proved by nobody; none where it is no such text. */
export function* readingEntries(text: string): Steps<Entry[]> {
  const beginning = beginningOf(text);
  const pieces: Entry[][] = [];
  let from = beginning?.length ?? 0;
  for (const { entries, end } of beginning === undefined ? [] : piecesOf(text, from)) {
    pieces.push(entries);
    from = end;
    yield;
  }
  const rest = readCommitText(pieces.length > 0 ? beginning + text.slice(from + 1) : text);
  return (rest ? [...pieces.flat(), ...rest.entries] : readCommitText(text)?.entries) ?? [];
}

/** Of a text that is read a piece at a time. */
function beginningOf(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length <= 2 * PIECE) return undefined;
  return BEGINNINGS.find(each => text.startsWith(each));
}

function* piecesOf(text: string, from: number): Generator<{ entries: Entry[]; end: number }> {
  for (let piece = pieceAt(text, from); piece; piece = pieceAt(text, piece.end)) yield piece;
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
