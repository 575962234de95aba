import { germanLotLocks, type LotLock, lotLocks } from '../../shared/lot-locks.ts';

/** Why a lot cannot be used, by the words of the contract. */
export const germanLocks: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(lotLocks).map(([lock, reason]) => [reason, germanLotLocks[lock as LotLock]]),
);
