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
  /** With a scan: the scanner ends its scans with a key, and this one never came. What was read is not all of it. */
  readonly isCut: boolean;
  /** The scan that the last pause ended was not over: its further keys came late. Take it back; it goes on. */
  readonly retracts?: true;
  /** With a scan: characters went into the field so shortly before it that they may be its beginning, held apart by a stutter. */
  readonly isContinued?: true;
}

export interface WedgeOptions {
  /** The longest mean gap between keys of a scanner, in milliseconds; people type slower. */
  readonly maximumGap: number;
  /** A short burst is over after this many milliseconds without a key. Longer than `maximumGap`. */
  readonly pause: number;
  /** What can only be a scanner's is over after this many: a radio that stutters holds a key back for as long. */
  readonly stutter: number;
  /** What began with the scanner's prefix is over after this many. */
  readonly patience: number;
  /** Characters of the shortest scan that ends with a key. */
  readonly minimumLength: number;
  /** Characters of the shortest scan that ends with a pause; null where a pause never ends one. */
  readonly minimumPauseLength: number | null;
  /** Keys that end a scan and are not part of it. */
  readonly endings: readonly string[];
  /** Keys that the scanner is set to send before and after each scan; none is part of it. */
  readonly prefixes: readonly string[];
  readonly suffixes: readonly string[];
  /** Every scan of this scanner ends with a key, so that a pause only ever cuts one off. */
  readonly alwaysEnds: boolean;
  /** Keys that the scanner sends for FNC1, beside Ctrl+], character 29 and Alt with 29 or 0029 on the number pad. */
  readonly separatorKeys: readonly string[];
  /** Whether nothing is typed into now: each key is then a scan's, however slow, unless few come alone. */
  readonly holdsAll: () => boolean;
}

export interface Wedge {
  /** To be called with every key that goes down, in order. */
  key(stroke: KeyStroke): KeyOutcome;
  /**
   * To be called when the time of `dueAt` has come without another key. On a busy machine keys may be on their way still:
   * the next key's own time says whether the scan goes on.
   */
  pause(): KeyOutcome;
  /** When a pause would end what is being received; null when nothing waits for that. */
  dueAt(): number | null;
}

export const defaultWedgeOptions: WedgeOptions = {
  maximumGap: 35,
  pause: 100,
  stutter: 320,
  patience: 1_000,
  minimumLength: 3,
  minimumPauseLength: 6,
  endings: ['Enter', 'Tab'],
  prefixes: [],
  suffixes: [],
  alwaysEnds: false,
  separatorKeys: ['F8'],
  holdsAll: () => false,
};

/**
 * Tells a scanner that types like a keyboard from a person. The first keys of a burst are let through, since they may
 * be a person's; from the third one on they are kept back until an ending makes them a scan, or a slow key shows that
 * somebody types. A key right after a scan belongs to the next one, so that two back to back lose nothing.
 */
export function createWedge(options: Partial<WedgeOptions> = {}): Wedge {
  const settings = { ...defaultWedgeOptions, ...options };
  const { maximumGap, minimumLength, minimumPauseLength } = settings;
  let burst: Burst | null = null;
  let lastScanAt = Number.NEGATIVE_INFINITY;
  /** When the last character came, of those after the last key that types none. */
  let lastCharacterAt = Number.NEGATIVE_INFINITY;
  let altDigits = '';
  /** What a timer has ended, as it stood: a key that was pressed in time goes on with it. */
  let ended: Ended | null = null;
  /** A scanner that has sent a key at the end of a scan does so at the next one: a pause within it is a stutter. */
  let endsByKey = settings.alwaysEnds;

  const takeScan = ({ text, passedCount, isContinued }: Burst): KeyOutcome => ({
    isPassed: false,
    scan: text,
    takeBack: passedCount,
    giveBack: '',
    isCut: false,
    ...(isContinued && { isContinued }),
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
    const { text, isKnown, hasPrefix } = burst;
    const isCut = settings.alwaysEnds && (hasPrefix || text.length >= CERTAIN_AFTER);
    const isLongEnough = minimumPauseLength !== null && text.length >= minimumPauseLength;
    if (!isKnown || !(isLongEnough || (isCut && text.length >= minimumLength))) return abandon();
    const outcome = takeScan(burst);
    burst = null;
    return { ...outcome, isPassed: true, isCut };
  };

  const endByKey = (at: number): KeyOutcome => {
    if (burst === null) {
      // The second of two endings (CR and LF, or Enter and Tab) belongs to the scan before.
      const isSecondEnding = at - lastScanAt <= maximumGap;
      return isSecondEnding ? { ...passed, isPassed: false } : passed;
    }
    const { text, isKnown, hasPrefix } = burst;
    if (!isKnown || at - burst.lastAt > patienceFor(burst) || text.length < (hasPrefix ? 1 : minimumLength))
      return abandon();
    const outcome = takeScan(burst);
    burst = null;
    lastScanAt = at;
    endsByKey = true;
    return outcome;
  };

  const endByTimer = (): KeyOutcome => {
    const before = burst && { ...burst };
    // A code of Alt that is not whole yet has put nothing in.
    const digits = altDigits;
    altDigits = '';
    const outcome = endByPause();
    if (before === null) return outcome;
    const isScan = outcome.scan !== null;
    // Of a scan nothing is left in the field; of what was given back all is.
    const passedCount = isScan ? 0 : before.passedCount + outcome.giveBack.length;
    const keptBack = isScan ? before.text : '';
    ended = { ...before, passedCount, keptBack, altDigits: digits, isScan };
    return outcome;
  };

  /** @returns whether a scan was given out that is not over */
  const rejoin = (at: number): boolean => {
    if (ended === null) return false;
    const { altDigits: digits, isScan, ...before } = ended;
    ended = null;
    if (burst !== null || isTooLate(before, at)) return false;
    burst = before;
    altDigits = digits;
    return isScan;
  };

  const append = (character: string, at: number, isInserted: boolean): KeyOutcome => {
    const before = burst !== null && isTooLate(burst, at) ? endByPause() : passed;
    const current = receive(at);
    if (current.text === '') current.isContinued = at - lastCharacterAt <= settings.stutter;
    lastCharacterAt = at;
    current.text += character;
    current.isKnown ||= current.text.length >= Math.min(recognisedAfter, Math.max(minimumLength, 2));
    if (!current.isKnown || isInserted) {
      current.passedCount += character === GS ? 0 : 1;
      return before;
    }
    current.keptBack += character;
    return { ...before, isPassed: false };
  };

  /** How long a gap within it may be. */
  const patienceFor = ({ isKnown, isHeld, hasPrefix, text }: Burst): number => {
    if (hasPrefix) return settings.patience;
    if (isKnown && text.length >= CERTAIN_AFTER) return endsByKey ? settings.patience : settings.stutter;
    if (isHeld) return settings.stutter;
    return isKnown ? settings.pause : maximumGap;
  };

  /** A stuttering scanner makes one long gap, a person many; nobody types six keys at a scanner's pace. */
  const isTooLate = (current: Burst, at: number): boolean => {
    const { keyCount, startedAt, lastAt, isHeld, isKnown, hasPrefix, text } = current;
    if (at - lastAt > patienceFor(current)) return true;
    const isCertain = isHeld || hasPrefix || (isKnown && text.length >= CERTAIN_AFTER);
    return !isCertain && at - startedAt > maximumGap * keyCount;
  };

  /** Counts a key to the burst, and begins one where there is none. */
  const receive = (at: number): Burst => {
    if (burst === null) {
      const isHeld = settings.holdsAll();
      burst = { ...emptyBurst, startedAt: at, isHeld, isKnown: isHeld || at - lastScanAt <= maximumGap };
    }
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

  const take = (stroke: KeyStroke): KeyOutcome => {
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
    const character = characterOf(stroke, settings.separatorKeys);
    if (character === null) lastCharacterAt = Number.NEGATIVE_INFINITY;
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
    // The space bar presses what has the focus.
    if (character === ' ' && burst === null && settings.holdsAll()) return passed;
    return character === null ? (isOver ? endByPause() : abandon()) : append(character, at, false);
  };

  return {
    key(stroke) {
      const isRetracted = rejoin(stroke.at);
      const outcome = take(stroke);
      return isRetracted ? { ...outcome, retracts: true } : outcome;
    },
    pause: endByTimer,
    dueAt: () =>
      burst !== null && (burst.isKnown || altDigits !== '') ? burst.lastAt + patienceFor(burst) : null,
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
  /** It began where nothing is typed. */
  isHeld: boolean;
  /** A character came shortly before it. */
  isContinued: boolean;
}

interface Ended extends Burst {
  altDigits: string;
  /** It was given out as a scan; else what was kept back was given back. */
  isScan: boolean;
}

const GS = '\u001d';
const recognisedAfter = 3;
/** So many characters at its pace can only be a scanner's. */
const CERTAIN_AFTER = 6;
const passed: KeyOutcome = { isPassed: true, scan: null, takeBack: 0, giveBack: '', isCut: false };
const emptyBurst: Burst = {
  text: '',
  startedAt: 0,
  lastAt: 0,
  keyCount: 0,
  passedCount: 0,
  keptBack: '',
  isKnown: false,
  hasPrefix: false,
  isHeld: false,
  isContinued: false,
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
