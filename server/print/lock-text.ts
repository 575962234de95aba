import { germanLotLock } from '../../shared/families/lot-locks.ts';
import type { Words } from './words.ts';

/** Why a lot is locked, in the language of the paper; what a person gave as the reason stays as it is. */
export function lockText({ language }: Words, reason: string): string {
  return language === 'de' ? germanLotLock(reason) : reason;
}
