import { isSameNumber } from '../../../shared/contract/typed-number.ts';
import { withoutSymbology } from '../../ui/scan/commands.ts';
import { type Expected, objectionTo } from './expected.ts';
import {
  emptyLine,
  isBegun,
  isComplete,
  isRejected,
  isSameGoods,
  type Label,
  type Line,
  type Objection,
  withFewer,
  withLabel,
  withRejection,
} from './line.ts';
import type { Reading } from './read-label.ts';

/** What a person must say before a scan is taken. */
export const QUESTIONS = [
  /** Of which part is this code? */
  'unknown',
  /** A label without a part, and no line that it belongs to. */
  'part',
  /** Its last day is past. */
  'expired',
  /** The same label with a count was taken already. */
  'again',
  /** Pieces were counted one by one, then came a label that says how many. */
  'count',
  /** Its part is not on the receipt's purchase order. */
  'unordered',
  /** Its lot is not written as the supplier writes them. */
  'format',
  /** More than the purchase order still expects. */
  'over',
  /** The line before it is not finished, or could not be saved. */
  'blocked',
  /** The server did not answer. */
  'away',
  /** Of the line: its lot is known with another expiry. */
  'lot',
  /** Another receipt has sent it here. */
  'moved',
  /** It is being read: one that a crash has left so is read again. */
  'waiting',
] as const;

/** Why a scan is not taken, whatever is said. */
export const REFUSALS = [
  'unreadable',
  'broken',
  'cut',
  'serial',
  /** A pallet with several goods: each is scanned by itself. */
  'mixed',
  'closed',
  'nothing',
  'damaged',
  /** The server said no. */
  'failed',
  /** Somebody else has settled it. */
  'settled',
  /** Of command codes: there is nothing that they are about. */
  'no-line',
  'no-report',
  'no-question',
  'no-undo',
  /** Something else is open, to which the code is no answer. */
  'asked',
  'rejected',
  /** Of undoing: the line is another one by now, or a report was raised. */
  'changed',
  'reported',
  /** Nobody knows whether the line has arrived. */
  'sending',
] as const;

export type Why = (typeof QUESTIONS)[number] | (typeof REFUSALS)[number];

/** What has been said of a scan. It is decided anew with it, as if it was scanned then. */
export interface Answers {
  part?: number | null | undefined;
  unit?: string | null | undefined;
  expired?: 'accept' | 'reject' | undefined;
  /** Its goods are not accepted. */
  rejects?: boolean | undefined;
  /** What is otherwise than ordered, and to be taken all the same. */
  allowed?: Objection[] | undefined;
  again?: boolean | undefined;
  count?: 'all' | 'more' | undefined;
  /** Pieces that were counted one by one and went from the line into the question. */
  plain?: number | undefined;
  /** False: it says more of goods that are counted already. */
  adds?: boolean | undefined;
}

/** Says why in words. */
export interface Details {
  message?: string | undefined;
  code?: string | undefined;
  lot?: string | null | undefined;
  expiry?: string | null | undefined;
  part?: number | null | undefined;
  quantity?: number | null | undefined;
  serial?: string | null | undefined;
  /** Pieces that were counted one by one. */
  plain?: number | undefined;
  /** What the purchase order still expects of it. */
  open?: number | null | undefined;
}

export interface Standing {
  line: Line;
  /** Of the other lines of the receipt, saved or not. */
  labels: ReadonlySet<string>;
  serials: ReadonlySet<string>;
  /** What the receipt's purchase order expects; null: it has none. */
  expected: Expected | null;
  isClosed: boolean;
  /** The line is on its way to the server, and nobody knows whether it arrived. */
  isSending: boolean;
  /** What was scanned last is not in the line: a code without a part is perhaps of that. */
  isInterrupted: boolean;
  /** `YYYY-MM-DD` */
  today: string;
  /** For a line that begins. */
  newKey: string;
}

export type Decision =
  /** The line after it; where `savesFirst`, `before` is saved first. */
  | {
      outcome: 'taken';
      line: Line;
      savesFirst: boolean;
      before: Line;
      label: Label | null;
      keeps: Answers;
      bestBefore: string | null;
    }
  /** The line without what is in the question now, and what goes with the question until it is answered. */
  | { outcome: 'question'; why: Why; details: Details; line: Line; keeps: Answers }
  | { outcome: 'refused'; why: Why; details: Details; line: Line };

/** One name for the same label, however it was scanned. */
export function identityOf(text: string): string {
  return withoutSymbology(text).trim();
}

/** What a scan does to the line that is being entered: taken, a question, or refused. */
export function decide(standing: Standing, text: string, reading: Reading, answers: Answers = {}): Decision {
  const { line } = standing;
  const refuse = (why: Why, details: Details): Decision => ({ outcome: 'refused', why, details, line });
  const ask = (why: Why, details: Details): Decision => ({
    outcome: 'question',
    why,
    details,
    line,
    keeps: answers,
  });
  if (reading.kind === 'unreadable')
    return refuse('unreadable', { message: reading.scan.message, code: reading.scan.text });
  if (reading.kind === 'broken') return refuse('broken', { code: reading.text });
  if (reading.kind === 'mixed') return refuse('mixed', { message: reading.goods.join(', ') });
  if (standing.isClosed) return refuse('closed', reading.kind === 'location' ? {} : says(reading.label));
  if (standing.isSending) return ask('away', {});
  if (reading.kind === 'location') {
    const { location } = reading;
    return {
      outcome: 'taken',
      line: { ...line, location },
      savesFirst: false,
      before: line,
      label: null,
      keeps: answers,
      bestBefore: null,
    };
  }
  const { part = null, unit = null } = answers;
  if (reading.kind === 'unknown' && part === null)
    return ask('unknown', { ...says(reading.label), code: reading.code });
  const label = part === null ? reading.label : { ...reading.label, part, unit };
  const decision = decideLabel(standing, identityOf(text), label, answers);
  return decision.outcome === 'taken' ? { ...decision, bestBefore: reading.bestBefore } : decision;
}

function decideLabel(standing: Standing, identity: string, label: Label, answers: Answers): Decision {
  const { line, today } = standing;
  const { scanned } = line;
  // A pallet's number alone is of the goods that were scanned before it.
  const isPallet = label.sscc != null && line.part !== null;
  if (saysNothing(label) && !isPallet)
    return { outcome: 'refused', why: 'nothing', details: says(label), line };

  // A second code of the label whose first one was the last scan: that piece is of the goods of this one.
  const isSecondCode = label.part === null && line.part !== null && scanned.isPlainLast;
  const counts = label.quantity !== null || label.weight !== null;
  // Goods that are accepted and goods that are rejected are two lines.
  const rejects = answers.rejects === true || answers.expired === 'reject';
  const isOtherwise = isComplete(line) && isRejected(line) !== rejects;
  const isOfGoods = answers.adds ?? (label.part !== null || counts);
  const fits = fitsInto(line, label) && !(isOfGoods && isOtherwise);
  const isOfLine = line.part !== null && !standing.isInterrupted && (fits || isSecondCode);
  if (label.part === null && !isOfLine)
    return { outcome: 'question', why: 'part', details: says(label), line, keeps: {} };

  const whole: Label = label.part === null ? { ...label, part: line.part, unit: line.unit } : label;
  const serial = label.serial === null ? null : `${whole.part} ${label.serial}`;
  if (serial !== null && (scanned.serials.includes(serial) || standing.serials.has(serial)))
    return { outcome: 'refused', why: 'serial', details: says(whole), line };

  const plain = answers.plain ?? plainOf(line, label, fits, isSecondCode);
  const rest = answers.plain === undefined && plain > 0 ? withoutPlain(line, plain) : line;
  // The lot and the day of pieces that are counted already.
  const isAddition = answers.adds ?? (label.part !== null || counts || plain > 0);
  const keeps: Answers = { part: whole.part, unit: whole.unit, plain, adds: isAddition };
  const ask = (why: Why, details: Details): Decision => ({
    outcome: 'question',
    why,
    details: { ...says(whole), ...(plain > 0 && { plain }), ...details },
    line: rest,
    keeps: { ...answers, ...keeps },
  });

  const isKnown = scanned.labels.includes(identity) || standing.labels.has(identity);
  if (counts && serial === null && isKnown && !answers.again) return ask('again', {});
  if (!fits && isBegun(rest) && !isComplete(rest)) return ask('blocked', {});
  if (plain > 1 && answers.count === undefined) return ask('count', {});

  const base = fits ? rest : emptyLine(standing.newKey, { location: line.location });
  const expiry = label.expiry ?? (base.expiry || null);
  const isExpired = expiry !== null && expiry < today;
  const expired = answers.expired ?? (base.scanned.expired === 'accept' ? 'accept' : null);
  if (isExpired && expired === null) return ask('expired', { expiry });

  const more = answers.count === 'more' && label.quantity !== null ? plain : 0;
  const quantity =
    !isAddition || label.isToCount ? 0 : label.quantity === null ? null : label.quantity + more;
  const isPlain = isAddition && !counts && serial === null;
  const labelled = withLabel(base, { ...whole, quantity }, rejects);
  // A label of pieces that are counted already is about all of them.
  const filled = rejects && !isAddition ? withRejection(labelled) : labelled;
  const allowed = [...new Set([...base.scanned.allowed, ...(answers.allowed ?? [])])];
  const objection = objectionTo(standing.expected, filled, allowed, fits ? null : rest);
  if (objection) return ask(objection.why, { open: objection.open });
  return {
    outcome: 'taken',
    line: {
      ...filled,
      scanned: {
        labels: counts ? [...new Set([...base.scanned.labels, identity])] : base.scanned.labels,
        serials: serial === null ? base.scanned.serials : [...base.scanned.serials, serial],
        plain: counts ? 0 : base.scanned.plain + (isPlain ? 1 : 0),
        isPlainLast: isPlain && label.part !== null && label.lot === null,
        expired: isExpired ? expired : base.scanned.expired,
        allowed,
      },
    },
    savesFirst: !fits && isComplete(rest),
    // As it stands without what goes on with this scan.
    before: rest,
    label: whole,
    keeps: { ...answers, ...keeps },
    bestBefore: null,
  };
}

/** How many pieces that were counted one by one the label is about, too. */
function plainOf({ scanned, lot }: Line, label: Label, fits: boolean, isSecondCode: boolean): number {
  if (isSecondCode && !fits) return 1;
  const isFirstCount = fits && scanned.isPlainLast && lot === '' && scanned.labels.length === 0;
  if (!isSecondCode && !isFirstCount) return 0;
  if (label.quantity !== null) return scanned.plain;
  return label.weight !== null && isSecondCode ? 1 : 0;
}

/** One that has nothing else in it is no line. */
function withoutPlain(line: Line, pieces: number): Line {
  const left = withFewer(line, pieces);
  const isLine = isComplete(left) || left.lot !== '';
  if (!isLine) return emptyLine(line.key, { location: line.location });
  const plain = Math.max(0, line.scanned.plain - pieces);
  return { ...left, scanned: { ...line.scanned, plain, isPlainLast: false } };
}

function fitsInto(line: Line, label: Label): boolean {
  if (!isBegun(line)) return true;
  // Goods of two pallets are two lines: each stands on its own.
  const counts = label.part !== null || label.quantity !== null || label.weight !== null;
  const isOtherPallet = line.sscc === null ? counts && isComplete(line) : label.sscc !== line.sscc;
  if (label.sscc != null && isOtherPallet) return false;
  if (line.part !== null) return isSameGoods(line, label);
  // What was typed before the part is of the goods that come now, where they do not say otherwise.
  return (
    label.part !== null &&
    (line.lot === '' || label.lot === null || isSameNumber(label.lot, line.lot)) &&
    (line.expiry === '' || label.expiry === null || label.expiry === line.expiry)
  );
}

function saysNothing({ part, lot, expiry, quantity, weight }: Label): boolean {
  return (
    quantity === 0 ||
    (part === null && lot === null && expiry === null && quantity === null && weight === null)
  );
}

function says({ part, lot, expiry, quantity, serial }: Label): Details {
  return { part, lot, expiry, quantity, serial };
}
