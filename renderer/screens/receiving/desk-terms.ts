import { isSameNumber } from '../../../shared/contract/typed-number.ts';
import type { ScanQueue } from '../../../shared/scanner/queue.ts';
import type { Change } from './entries.ts';
import type { Line } from './line.ts';
import { OBJECTIONS, type Objection } from './line.ts';
import type { Lookups } from './read-label.ts';
import { type Answers, type Details, QUESTIONS, type Why } from './take.ts';

export interface Scanned {
  /** Under which it stands on the board; commands do not. */
  key: string | null;
  text: string;
  /** It broke off before the scanner's end. */
  isCut: boolean;
}

/** How a scan has ended: in one of three ways (decisions/0049). */
export interface Verdict {
  outcome: 'taken' | 'question' | 'refused';
  text: string;
  why: Why | null;
  details: Details;
}

/** What a scan has done, for undoing it. */
export interface Done {
  verdict: Verdict;
  /** The line as it stood before, and as the scan has left it. */
  before: Line;
  after: Line;
  /** Items that the scan saved. */
  saved: number[];
  /** Puts the open scans back as they were. */
  undoes: Change[];
  /** It has raised a report, which stays. */
  isReported: boolean;
}

/** Why a scan is not undone. */
export class Stays extends Error {
  readonly why: Why;

  constructor(why: Why) {
    super(why);
    this.why = why;
  }
}

/**
 * Only what stands as the scan has left it is undone: else goods that were saved since would stand twice, and what was typed or
 * taken since would be gone.
 */
export function staysFor({ verdict, after, isReported }: Done, line: Line, isClosed: boolean): Why | null {
  if (isReported) return 'reported';
  if (isClosed && verdict.outcome === 'taken') return 'closed';
  const standing = (each: Line) => JSON.stringify({ ...each, key: '' });
  return standing(line) === standing(after) ? null : 'changed';
}

export type Scans = ScanQueue<Scanned, Done>;

/** The lot of the line is known with another expiry: a person says whether it is another lot. */
export interface ExpiryQuestion {
  lot: string;
  known: string[];
  given: string;
}

/** What of the line, as it was typed or grew, is otherwise than ordered. */
export interface LineObjection {
  why: Objection;
  /** What is still expected, in the line's unit; null: not said. */
  open: number | null;
  part: number | null;
}

export interface DeskState {
  line: Line;
  /** The line that a scan has begun while the one before it is being saved: it stands once that is done; null: none. */
  next: Line | null;
  /** The line is on its way, and nobody knows whether it arrived. */
  isSending: boolean;
  /** Why the line was not saved. */
  failure: unknown;
  question: ExpiryQuestion | LineObjection | null;
  bestBefore: string | null;
  /** Of the newest scan. */
  verdict: Verdict | null;
  isReady: boolean;
}

/** What YES and NO say to a question: answers, null for leaving the scan out, undefined where neither does. */
export function answersOf(why: Why, isYes: boolean, said: Answers = {}): Answers | null | undefined {
  const objection = OBJECTIONS.find(each => each === why);
  if (objection) return isYes ? { allowed: [...(said.allowed ?? []), objection] } : null;
  if (why === 'expired') return isYes ? { expired: 'accept' } : null;
  if (why === 'again') return isYes ? { again: true } : null;
  if (why === 'count') return { count: isYes ? 'all' : 'more' };
  if (why === 'blocked' || why === 'away' || why === 'moved') return isYes ? {} : null;
  return isYes || !(QUESTIONS as readonly string[]).includes(why) ? undefined : null;
}

/** HP:REJECT: the goods of a question are there, and are not accepted. Undefined where it is no answer. */
export function rejectionOf(why: Why, said: Answers): Answers | undefined {
  if (why === 'expired') return { expired: 'reject' };
  const objection = OBJECTIONS.find(each => each === why);
  if (!objection) return undefined;
  // What is rejected is not too much; what is accepted later may be.
  return { rejects: true, ...(objection !== 'over' && { allowed: [...(said.allowed ?? []), objection] }) };
}

export function plainDetails({
  message,
  code,
  lot,
  expiry,
  part,
  quantity,
  serial,
  plain,
  open,
}: Details): Details {
  return JSON.parse(JSON.stringify({ message, code, lot, expiry, part, quantity, serial, plain, open }));
}

export function messageOf(error: unknown): Details {
  return { message: error instanceof Error ? error.message : String(error) };
}

/** The same lot number with another expiry is another lot (interface decisions, 5.2): a person says so. */
export async function expiryQuestion(client: Lookups, line: Line): Promise<ExpiryQuestion | null> {
  if (line.part === null || line.lot === '') return null;
  const query = { part_id: line.part, 'filter[batch_number]': line.lot };
  const { data } = await client.call('inventory.list', { query });
  const lots = await Promise.all(data.map(({ id }) => client.read('inventory', id)));
  const known = lots
    .filter(lot => isSameNumber(lot.data.batch_number, line.lot))
    .map(lot => lot.data.nearest_expiry_date ?? '');
  if (known.length === 0 || known.includes(line.expiry)) return null;
  return { lot: line.lot, known, given: line.expiry };
}
