import type { LotFactsOf } from '../projections.ts';
import type { Connection } from '../sqlite/connection.ts';
import { FAMILY_SPAN } from '../subjects.ts';
import type { Findings } from './findings.ts';

/** What the parts of a verification share. */
export interface VerifyContext {
  /** One read transaction of the file; temporary tables may be written. */
  sql: Connection;
  /** The table of the records. */
  table: string;
  familyNumbers: ReadonlyMap<string, number>;
  findings: Findings;
  lotFactsOf: LotFactsOf;
  /** Whether what is derived was worked out by a version that knew what this one does; the opening works it out anew else. */
  isDerivedHere: boolean;
  /** Whether facts about all lots of a number have it as it was typed: an earlier version wrote them. */
  hasNumbersAsTyped: boolean;
  /** Whether the columns by which records are found are those of this version; the opening fills them anew else. */
  isIndexedHere: boolean;
  exchange: ExchangeVerifier;
  /** Says how far it is, and lets other work through; throws when cancelled. */
  step: (doing: string, count: number) => Promise<void>;
}

/** The number of a record in the history and search tables; undefined for a family without one. */
export function subjectOf({ familyNumbers }: Pick<VerifyContext, 'familyNumbers'>, key: string) {
  const colon = key.lastIndexOf(':');
  const number = familyNumbers.get(key.slice(0, colon));
  const id = Number(key.slice(colon + 1));
  return number === undefined || !Number.isSafeInteger(id) || id < 0 ? undefined : number * FAMILY_SPAN + id;
}

/** How a store is proved that exchanges commits with others: its records are the fold of central's log. */
export interface ExchangeVerifier {
  isUsed(context: VerifyContext): boolean;
  /** Says of which chains history need not have all: of those of others, where records came in place of the log. */
  gaps(context: VerifyContext): (chain: string) => boolean;
  /** Adds what is wrong to the findings; calls `onSound` with the key of every record that is what it should be. */
  verify(context: VerifyContext, onSound: (key: string) => void): Promise<void>;
}
