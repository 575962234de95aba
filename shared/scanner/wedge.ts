/** A key that went down. `at` in milliseconds of any clock that only goes forward (`event.timeStamp`). */
export interface KeyStroke {
  /** As `KeyboardEvent.key` says: a character, or a name such as `Enter`. */
  readonly key: string;
  readonly at: number;
  /** As `KeyboardEvent.code` says; needed for GS as Ctrl+] on other layouts and for Alt with the number pad. */
  readonly code?: string;
  readonly isCtrl?: boolean;
  readonly isAlt?: boolean;
  readonly isMeta?: boolean;
  /** The key is held down. */
  readonly isRepeat?: boolean;
}

export interface KeyOutcome {
  /** False: the key is the scanner's; keep it from the page. */
  readonly isPassed: boolean;
  /** A scan that is now complete, FNC1 in it as GS (character 29). */
  readonly scan: string | null;
  /** With a scan: how many of its characters went into the focused field, to be taken out before the caret. */
  readonly takeBack: number;
  /** Characters that were kept back and turned out to be typed: put them in at the caret, before the present key. */
  readonly giveBack: string;
}

export interface WedgeOptions {
  /** The longest mean gap between keys of a scanner, in milliseconds; people type slower. */
  readonly maximumGap: number;
  /** A scan is over after this many milliseconds without a key. Longer than `maximumGap`, for a scanner that stutters. */
  readonly pause: number;
  /** Characters of the shortest scan that ends with a key. */
  readonly minimumLength: number;
  /** Characters of the shortest scan that ends with a pause; null where a pause never ends one. */
  readonly minimumPauseLength: number | null;
  /** Keys that end a scan and are not part of it. */
  readonly endings: readonly string[];
  /** Keys that the scanner is set to send before and after each scan; none is part of it. */
  readonly prefixes: readonly string[];
  readonly suffixes: readonly string[];
  /** Keys that the scanner sends for FNC1, beside Ctrl+], character 29 and Alt with 29 or 0029 on the number pad. */
  readonly separatorKeys: readonly string[];
}

export interface Wedge {
  /** To be called with every key that goes down, in order. */
  key(stroke: KeyStroke): KeyOutcome;
  /** To be called when the time of `dueAt` has come without another key. */
  pause(): KeyOutcome;
  /** When a pause would end what is being received; null when nothing waits for that. */
  dueAt(): number | null;
}

export const defaultWedgeOptions: WedgeOptions = {
  maximumGap: 35,
  pause: 100,
  minimumLength: 3,
  minimumPauseLength: 6,
  endings: ['Enter', 'Tab'],
  prefixes: [],
  suffixes: [],
  separatorKeys: ['F8'],
};

/**
 * Tells a scanner that types like a keyboard from a person. The first keys of a burst are let through, since they may
 * be a person's; from the third one on they are kept back until an ending makes them a scan, or a slow key shows that
 * somebody types. A key right after a scan belongs to the next one, so that two back to back lose nothing.
 */
export function createWedge(options: Partial<WedgeOptions> = {}): Wedge {
  const settings = { ...defaultWedgeOptions, ...options };
  const { maximumGap, pause, minimumLength, minimumPauseLength } = settings;
  let burst: Burst | null = null;
  let lastScanAt = Number.NEGATIVE_INFINITY;
  let altDigits = '';

  const takeScan = (text: string, passed: number): KeyOutcome => ({
    isPassed: false,
    scan: text,
    takeBack: passed,
    giveBack: '',
  });

  const abandon = (): KeyOutcome => {
    const giveBack = (burst?.keptBack ?? '').replaceAll(GS, '');
    burst = null;
    return { ...passed, giveBack };
  };

  /** What was received so far is a scan if it is long enough, and typed if not. */
  const endByPause = (): KeyOutcome => {
    commitAltCode();
    if (burst === null) return passed;
    const { text, passedCount, isKnown } = burst;
    const isLongEnough = minimumPauseLength !== null && text.length >= minimumPauseLength;
    if (!isKnown || !isLongEnough) return abandon();
    burst = null;
    return { ...takeScan(text, passedCount), isPassed: true };
  };

  const endByKey = (at: number): KeyOutcome => {
    if (burst === null) {
      // The second of two endings (CR and LF, or Enter and Tab) belongs to the scan before.
      const isSecondEnding = at - lastScanAt <= maximumGap;
      return isSecondEnding ? { ...passed, isPassed: false } : passed;
    }
    const { text, passedCount, isKnown, hasPrefix } = burst;
    if (!isKnown || at - burst.lastAt > pause || text.length < (hasPrefix ? 1 : minimumLength))
      return abandon();
    burst = null;
    lastScanAt = at;
    return takeScan(text, passedCount);
  };

  const append = (character: string, at: number, isInserted: boolean): KeyOutcome => {
    const before = burst !== null && isTooLate(burst, at) ? endByPause() : passed;
    const current = receive(at);
    current.text += character;
    current.isKnown ||= current.text.length >= Math.min(recognisedAfter, Math.max(minimumLength, 2));
    if (!current.isKnown || isInserted) {
      current.passedCount += character === GS ? 0 : 1;
      return before;
    }
    current.keptBack += character;
    return { ...before, isPassed: false };
  };

  /** A stuttering scanner makes one long gap, a person many. */
  const isTooLate = ({ keyCount, startedAt, lastAt, isKnown }: Burst, at: number): boolean =>
    at - lastAt > (isKnown ? pause : maximumGap) || at - startedAt > maximumGap * keyCount;

  /** Counts a key to the burst, and begins one where there is none. */
  const receive = (at: number): Burst => {
    burst ??= { ...emptyBurst, startedAt: at, isKnown: at - lastScanAt <= maximumGap };
    burst.lastAt = at;
    burst.keyCount += 1;
    return burst;
  };

  const commitAltCode = (): void => {
    if (altDigits === '') return;
    const character = String.fromCharCode(Number(altDigits) % 256);
    altDigits = '';
    // The system puts the character in itself when Alt is let go.
    if (burst !== null) append(character, burst.lastAt, true);
  };

  return {
    key(stroke) {
      const { key, at } = stroke;
      const altDigit = altDigitOf(stroke);
      if (altDigit !== null) {
        const outcome = burst !== null && isTooLate(burst, at) ? endByPause() : passed;
        receive(at);
        altDigits += altDigit;
        return { ...outcome, isPassed: true };
      }
      commitAltCode();
      if (stroke.isRepeat === true) return abandon();
      const isOver = burst !== null && isTooLate(burst, at);
      if (modifiers.has(key)) {
        if (burst !== null && !isOver) receive(at);
        return passed;
      }
      if (settings.suffixes.includes(key) && burst?.isKnown === true && !isOver) return endByKey(at);
      if (settings.endings.includes(key) || (isControlEnding(stroke) && burst?.isKnown === true)) {
        if (!isOver) return endByKey(at);
        return endByPause();
      }
      if (settings.prefixes.includes(key) && (burst === null || isOver || !burst.isKnown)) {
        const before = endByPause();
        burst = { ...emptyBurst, startedAt: at, isKnown: true, hasPrefix: true };
        receive(at);
        burst.keptBack = key.length === 1 ? key : '';
        return { ...before, isPassed: false };
      }
      const character = characterOf(stroke, settings.separatorKeys);
      return character === null ? (isOver ? endByPause() : abandon()) : append(character, at, false);
    },
    pause: endByPause,
    dueAt: () => (burst !== null && (burst.isKnown || altDigits !== '') ? burst.lastAt + pause : null),
  };
}

interface Burst {
  text: string;
  startedAt: number;
  lastAt: number;
  /** Every key, those without a character too. */
  keyCount: number;
  /** How many of its characters went to the page, and which were kept back. */
  passedCount: number;
  keptBack: string;
  /** It came too fast for a person, or with the scanner's prefix, or right after a scan. */
  isKnown: boolean;
  hasPrefix: boolean;
}

const GS = '\u001d';
const recognisedAfter = 3;
const passed: KeyOutcome = { isPassed: true, scan: null, takeBack: 0, giveBack: '' };
const emptyBurst: Burst = {
  text: '',
  startedAt: 0,
  lastAt: 0,
  keyCount: 0,
  passedCount: 0,
  keptBack: '',
  isKnown: false,
  hasPrefix: false,
};
/** Scanners press these between characters. */
const modifiers = new Set(
  'Shift Control Alt AltGraph Meta CapsLock NumLock ScrollLock Fn Dead Process Unidentified'.split(' '),
);

function altDigitOf({ isAlt, isCtrl, code = '' }: KeyStroke): string | null {
  return isAlt === true && isCtrl !== true ? (/^Numpad(\d)$/.exec(code)?.[1] ?? null) : null;
}

/** Ctrl+M and Ctrl+J, as scanners send CR and LF in their control-character mode. */
function isControlEnding({ key, isCtrl, isAlt }: KeyStroke): boolean {
  return isCtrl === true && isAlt !== true && /^[mj]$/i.test(key);
}

/** The character that a key types; null for a key that types none, such as an arrow or a shortcut. */
function characterOf(
  { key, code, isCtrl, isAlt, isMeta }: KeyStroke,
  separatorKeys: readonly string[],
): string | null {
  if (separatorKeys.includes(key) || key === GS) return GS;
  // AltGr arrives as Ctrl and Alt together.
  const isAltGr = isCtrl === true && isAlt === true;
  if (isCtrl === true && !isAltGr) return key === ']' || code === 'BracketRight' ? GS : null;
  if (isMeta === true || (isAlt === true && !isAltGr)) return null;
  return key.length === 1 ? key : null;
}
