import { AppError, invalid } from './errors.ts';
import { BODY_DEPTH } from './limits.ts';
import { PATH_LENGTH_LIMIT, parseStrictJson, stringEnd } from './strict-json.ts';

/** Characters that are read in one step: 4 ms, and 20 where a machine is slow. A text that is longer is swept once more. */
export const PART = 512 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const ARRAY_START = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT_START = 0x7b;
const OBJECT_END = 0x7d;

/**
 * `parseStrictJson` in steps, for a text that would keep the thread too long: containers that are longer than `part` characters
 * are taken apart, and what lies in them is read some of it at a time. Of a text with several faults another one may be named.
 * @param parse reads a piece: another one than `parseStrictJson` where what was written is taken as it is
 * @throws as `parseStrictJson`
 */
export function* strictJsonInParts(
  text: string,
  depth = BODY_DEPTH,
  part = PART,
  parse: (text: string, depth: number) => unknown = parseStrictJson,
): Generator<undefined, unknown> {
  if (text.length <= part) return parse(text, depth);
  const root = yield* findLarge(text, depth, part);
  if (!root) return parse(text, depth);
  if (!isBlank(text, 0, root.start) || !isBlank(text, root.end + 1, text.length)) throw malformed();
  return yield* contentOf(root, { text, depth, parse, level: 0, path: [] });
}

/** A container that is longer than a part, and how what it has is read: children one after the other, between commas. */
interface Large {
  start: number;
  /** Of its closing bracket. */
  end: number;
  pieces: Piece[];
}

interface Piece {
  from: number;
  to: number;
  /** The one child between the two; undefined for as many small ones as there are. */
  large: Large | undefined;
}

/** A container that is open while the text is swept; one at each depth, taken again and again: a text has very many. */
interface Open {
  start: number;
  /** After the comma that ended the last piece, and after the last comma. */
  piece: number;
  child: number;
  large: Large | undefined;
  /** Undefined until there is one. */
  pieces: Piece[] | undefined;
}

/** The container that the text is, where that is longer than a part. */
function* findLarge(text: string, depth: number, part: number): Generator<undefined, Large | undefined> {
  const open: Open[] = [];
  let last = -1;
  let root: Large | undefined;
  for (let at = 0, stop = part; at < text.length; at++) {
    if (at >= stop) {
      yield;
      stop = at + part;
    }
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    else if (code === COMMA) {
      const container = open[last];
      if (container) endChild(container, at, part);
    } else if (code === ARRAY_START || code === OBJECT_START) {
      last += 1;
      if (last === depth) throw invalid({ body: [`Nested deeper than ${depth}.`] });
      beginAt(open, last, at);
    } else if (code === ARRAY_END || code === OBJECT_END) {
      const container = open[last];
      if (!container || root) throw malformed();
      last -= 1;
      const large = at - container.start > part ? closed(container, at) : undefined;
      const parent = open[last];
      if (parent) parent.large = large ?? parent.large;
      else root = large;
    }
  }
  if (last >= 0) throw malformed();
  return root;
}

function beginAt(open: Open[], depth: number, start: number): void {
  const container = open[depth];
  if (!container) {
    open[depth] = { start, piece: start + 1, child: start + 1, large: undefined, pieces: undefined };
    return;
  }
  container.start = start;
  container.piece = start + 1;
  container.child = start + 1;
  container.large = undefined;
  container.pieces = undefined;
}

function endChild(container: Open, at: number, part: number): void {
  if (container.large || at - container.piece > part) endPiece(container, at);
  container.child = at + 1;
}

/** What comes before a large child is a piece of its own. */
function endPiece(container: Open, to: number): void {
  const { piece, child, large } = container;
  container.pieces ??= [];
  const { pieces } = container;
  if (large && child > piece) pieces.push({ from: piece, to: child - 1, large: undefined });
  pieces.push({ from: large ? child : piece, to, large });
  container.piece = to + 1;
  container.large = undefined;
}

function closed(container: Open, end: number): Large {
  endPiece(container, end);
  return { start: container.start, end, pieces: container.pieces ?? [] };
}

interface Within {
  text: string;
  depth: number;
  parse: (text: string, depth: number) => unknown;
  /** Containers around it, and the names by which they lead to it. */
  level: number;
  path: readonly (string | number)[];
}

function* contentOf(large: Large, within: Within): Generator<undefined, unknown> {
  const { text } = within;
  const isList = text.charCodeAt(large.start) === ARRAY_START;
  if (text.charCodeAt(large.end) !== (isList ? ARRAY_END : OBJECT_END)) throw malformed();
  return isList ? yield* listOf(large, within) : yield* objectOf(large, within);
}

function* listOf({ pieces }: Large, within: Within): Generator<undefined, unknown[]> {
  const { text, level, path } = within;
  const list: unknown[] = [];
  for (const { from, to, large } of pieces) {
    yield;
    if (large) {
      if (!isBlank(text, from, large.start) || !isBlank(text, large.end + 1, to)) throw malformed();
      list.push(yield* contentOf(large, { ...within, level: level + 1, path: [...path, list.length] }));
      continue;
    }
    const some = read(`[${text.slice(from, to)}]`, within, name => Number(name) + list.length);
    if (!Array.isArray(some) || (some.length === 0 && pieces.length > 1)) throw malformed();
    for (const one of some) list.push(one);
  }
  return list;
}

function* objectOf({ pieces }: Large, within: Within): Generator<undefined, Record<string, unknown>> {
  const { text, level, path } = within;
  const object: Record<string, unknown> = {};
  const twice = (name: string) => refusal([...path, name], 'The name appears more than once.');
  for (const { from, to, large } of pieces) {
    yield;
    // The container's own kind is what the rules for names look at.
    const place = large
      ? `${text.slice(from, large.start)}${NOTHING[text.charAt(large.start)]}`
      : text.slice(from, to);
    if (large && !isBlank(text, large.end + 1, to)) throw malformed();
    const members = Object.entries(Object(read(`{${place}}`, within)));
    if (members.length === 0 && pieces.length > 1) throw malformed();
    if (large && members.length !== 1) throw malformed();
    for (const [name, value] of members) {
      if (Object.hasOwn(object, name)) throw twice(name);
      const content = large
        ? yield* contentOf(large, { ...within, level: level + 1, path: [...path, name] })
        : value;
      // Not by assignment, which would be another thing for "__proto__".
      Object.defineProperty(object, name, {
        value: content,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
  }
  return object;
}

/** In the place of a large container, of the same kind. */
const NOTHING: Record<string, string> = { '[': '[]', '{': '{}' };

/** Reads a piece, with the brackets of its container around it; faults are named by where they lie in the whole. */
function read(
  text: string,
  { depth, level, path, parse }: Within,
  nameOf: (name: string) => string | number = name => name,
): unknown {
  try {
    return parse(text, depth - level);
  } catch (error) {
    if (!(error instanceof AppError) || !error.errors) throw error;
    const [found] = Object.entries(error.errors);
    const [first = '', ...rest] = (found?.[0] ?? '').split('.');
    throw refusal([...path, nameOf(first), ...rest], found?.[1][0] ?? '');
  }
}

function refusal(path: readonly (string | number)[], message: string): AppError {
  return invalid({ [path.join('.').slice(0, PATH_LENGTH_LIMIT)]: [message] });
}

function isBlank(text: string, from: number, to: number): boolean {
  return /^[ \t\n\r]*$/.test(text.slice(from, to));
}

function malformed(): AppError {
  return new AppError('malformed', 'The body is not valid JSON.');
}
