import { defaultWedgeOptions, type WedgeOptions } from './wedge.ts';

/** What a scanner sends around each scan, as keys by their `KeyboardEvent.key`. */
export interface ScannerProfile {
  readonly prefix: readonly string[];
  readonly suffix: readonly string[];
}

/** The code by which a scanner is set up: what it sends before and after it is its prefix and suffix. */
export const SETUP_CODE = 'HP:SETUP';

/** Keys that a scanner presses between characters, and that mean nothing by themselves. */
const SILENT = new Set('Shift Control Alt AltGraph Meta CapsLock NumLock'.split(' '));
const MOST_KEYS = 8;

/**
 * What stands before and after the setup code in the keys that came; null where it is not in them. What the scanner says
 * of the kind of code (`]C0`) is another one for each code, and no prefix.
 */
export function learnProfile(keys: readonly string[]): ScannerProfile | null {
  const heard = keys.filter(key => !SILENT.has(key));
  // A named key stands for one character, so that places in the text are places in the keys.
  const text = heard.map(key => (key.length === 1 ? key : '\u0000')).join('');
  const at = text.toUpperCase().indexOf(SETUP_CODE);
  if (at === -1) return null;
  const before = heard.slice(0, at);
  const symbology = /\][A-Za-z]\d$/.exec(text.slice(0, at))?.[0].length ?? 0;
  const prefix = before.slice(0, before.length - symbology);
  const suffix = heard.slice(at + SETUP_CODE.length);
  const isUsable = prefix.length <= MOST_KEYS && suffix.length <= MOST_KEYS && prefix.slice(1).every(isText);
  return isUsable ? { prefix, suffix } : null;
}

/** How keys are read once the scanner is known. */
export function optionsOf({ prefix, suffix }: ScannerProfile): Partial<WedgeOptions> {
  const [first] = prefix;
  const last = suffix.at(-1);
  const endings = new Set([...defaultWedgeOptions.endings, ...suffix.filter(key => !isText(key))]);
  return {
    prefixes: first === undefined ? [] : [first],
    endings: [...endings],
    // A letter or digit as an end would end every scan that holds it.
    suffixes: last !== undefined && isText(last) && !/[A-Za-z0-9]/.test(last) ? [last] : [],
    alwaysEnds: suffix.length > 0,
    ...(suffix.length > 0 && { minimumPauseLength: null }),
  };
}

/** Without the rest of a prefix and suffix of several keys, of which the wedge takes the outermost. */
export function withoutFrame(text: string, { prefix, suffix }: ScannerProfile): string {
  const head = prefix.slice(1).join('');
  const inner = suffix.filter(isText).join('');
  const isTaken = suffix.length > 0 && isText(suffix.at(-1) ?? '') && !/[A-Za-z0-9]$/.test(inner);
  const tail = isTaken ? inner.slice(0, -1) : inner;
  const bare = head !== '' && text.startsWith(head) ? text.slice(head.length) : text;
  return tail !== '' && bare.endsWith(tail) ? bare.slice(0, -tail.length) : bare;
}

function isText(key: string): boolean {
  return key.length === 1;
}
