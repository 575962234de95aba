import { germanLotLocks, type LotLock, lotLocks } from '../../shared/lot-locks.ts';
import type { Words } from './words.ts';

const germanByReason = new Map(
  Object.entries(lotLocks).map(([lock, reason]) => [reason as string, germanLotLocks[lock as LotLock]]),
);

/** Why a lot is locked, in the language of the paper; what a person gave as the reason stays as it is. */
export function lockText({ language }: Words, reason: string): string {
  return (language === 'de' ? germanByReason.get(reason) : undefined) ?? reason;
}
