import type { VerifyContext } from './verify-context.ts';

/** How a store is proved that exchanges commits with others: its records are the fold of central's log. */
export interface ExchangeVerifier {
  isUsed(context: VerifyContext): boolean;
  /** Says of which chains history need not have all: of those of others, where records came in place of the log. */
  gaps(context: VerifyContext): (chain: string) => boolean;
  /** Adds what is wrong to the findings; calls `onSound` with the key of every record that is what it should be. */
  verify(context: VerifyContext, onSound: (key: string) => void): Promise<void>;
}
