import { AppError, invalid } from './errors.ts';
import { BODY_DEPTH } from './limits.ts';

/** Characters of a path that an error names. */
export const PATH_LENGTH_LIMIT = 200;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const ARRAY_START = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT_START = 0x7b;
const OBJECT_END = 0x7d;

/**
 * `JSON.parse` for text from outside, without its silent choices. Malformed text is `malformed` (400). Duplicate keys,
 * nesting deeper than `depth`, keys that reach a prototype, numbers that a double cannot hold (not finite, or whole and
 * beyond 2^53-1), NUL and lone surrogates in a text or key are `validation_failed` (422), named by path
 * (`items.0.part_id`).
 *
 * The text is swept once for its depth and its number of members; a parsed value with fewer members than its text had
 * duplicate keys. Where the fault lies is worked out only once there is one.
 */
export function parseStrictJson(text: string, depth = BODY_DEPTH): unknown {
  const swept = sweep(text);
  if (swept.depth > depth) throw refusal(locate(text, depth));
  const value = parse(text);
  const inspection: Inspection = { members: 0, hasEscapes: text.includes('\\u') };
  const fault = inspect(value, inspection);
  if (fault !== undefined) throw refusal(fault);
  if (inspection.members !== swept.members) throw refusal(locate(text, depth));
  return value;
}

interface Fault {
  message: string;
  path: (string | number)[];
}

interface Inspection {
  members: number;
  /** Escapes are the only way for NUL or a lone surrogate into a value whose text was valid UTF-8. */
  hasEscapes: boolean;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('malformed', 'The body is not valid JSON.', { cause });
  }
}

/** The first fault of a parsed value, with its path; counts the members on the way. */
function inspect(value: unknown, inspection: Inspection): Fault | undefined {
  if (typeof value === 'string') return inspection.hasEscapes ? textFault(value) : undefined;
  if (typeof value === 'number') return numberFault(value);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const fault = inspect(value[index], inspection);
      if (fault !== undefined) return within(index, fault);
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  // What is parsed inherits no members, and a list of the names of each object would be as long as the text.
  for (const key in value) {
    const member = value[key];
    inspection.members++;
    const fault = keyFault(key, member, inspection) ?? inspect(member, inspection);
    if (fault !== undefined) return within(key, fault);
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function keyFault(key: string, member: unknown, inspection: Inspection): Fault | undefined {
  if (key === '__proto__') return { message: 'This name is not allowed.', path: [] };
  if ((key === 'constructor' || key === 'prototype') && isObject(member)) {
    return { message: 'An object of this name is not allowed.', path: [] };
  }
  return inspection.hasEscapes ? textFault(key) : undefined;
}

function textFault(text: string): Fault | undefined {
  if (text.includes('\0')) return { message: 'The text holds a NUL character.', path: [] };
  if (!text.isWellFormed()) return { message: 'The text holds half of a surrogate pair.', path: [] };
  return undefined;
}

function numberFault(value: number): Fault | undefined {
  if (Number.isSafeInteger(value)) return undefined;
  if (!Number.isFinite(value)) return { message: 'The number is too large.', path: [] };
  if (Number.isInteger(value))
    return { message: 'The number is beyond ±(2^53-1) and would lose digits.', path: [] };
  return undefined;
}

function within(key: string | number, fault: Fault): Fault {
  fault.path.unshift(key);
  return fault;
}

function refusal(fault: Fault): AppError {
  const path = fault.path.join('.').slice(0, PATH_LENGTH_LIMIT).replaceAll('\0', '\\u0000').toWellFormed();
  return invalid({ [path]: [fault.message] });
}

/** Depth of nesting, and members of objects as written. Exact for valid JSON, a bound on the work for any other text. */
function sweep(text: string): { depth: number; members: number } {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    else if (code === COLON) members++;
    else if (code === ARRAY_START || code === OBJECT_START) {
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (code === ARRAY_END || code === OBJECT_END) depth--;
  }
  return { depth: deepest, members };
}

/** Where the string that starts at `start` ends: its closing quote, or the end of the text. */
export function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && text.charCodeAt(end - 1) === BACKSLASH) {
    let first = end - 1;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    const isEscaped = (end - first) % 2 === 1;
    if (!isEscaped) return end;
    end = text.indexOf('"', end + 1);
  }
  return end === -1 ? text.length : end;
}

/** An object or array that is open while the text is read, and where reading stands in it. */
interface Open {
  keys: Set<string> | null;
  at: string | number;
  isKeyNext: boolean;
}

/** The first duplicate key, or the first container beyond the depth limit. Keeps its own stack: depth is the caller's. */
function locate(text: string, depth: number): Fault {
  const open: Open[] = [];
  const path = (): (string | number)[] => open.map(container => container.at);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const container = open.at(-1);
    if (code === QUOTE) {
      const end = stringEnd(text, at);
      if (container?.keys && container.isKeyNext) {
        const key = String(parse(text.slice(at, end + 1)));
        container.at = key;
        container.isKeyNext = false;
        if (container.keys.has(key)) return { message: 'The name appears more than once.', path: path() };
        container.keys.add(key);
      }
      at = end;
    } else if (code === ARRAY_START || code === OBJECT_START) {
      if (open.length === depth) return { message: `Nested deeper than ${depth}.`, path: path() };
      open.push(
        code === OBJECT_START
          ? { keys: new Set(), at: '', isKeyNext: true }
          : { keys: null, at: 0, isKeyNext: false },
      );
    } else if (code === ARRAY_END || code === OBJECT_END) {
      open.pop();
    } else if (code === COMMA && container !== undefined) {
      if (typeof container.at === 'number') container.at++;
      else container.isKeyNext = true;
    }
  }
  return { message: 'A name appears more than once.', path: [] };
}
