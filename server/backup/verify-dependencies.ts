import { lotFactsOf } from '../rules/lot-facts.ts';
import type { VerifyOptions } from '../store/verify/verify.ts';
import { exchangeVerifier } from '../sync/log/verify-log.ts';

/** What a verification has to know of the rules and of sync, which the store itself does not. */
export const verifyDependencies: Pick<VerifyOptions, 'lotFactsOf' | 'exchange'> = {
  lotFactsOf,
  exchange: exchangeVerifier,
};
