import { type LotLock, lotLocks } from '../../shared/lot-locks.ts';
import type { TextKey } from './texts/en.ts';
import type { Words } from './words.ts';

const keys: Record<LotLock, TextKey> = {
  quarantine: 'lockedByQuarantine',
  inactive: 'lockedByLine',
  inspection_open: 'lockedByOpenInspection',
  inspection_failed: 'lockedByInspection',
  lab_failed: 'lockedByLab',
  person: 'lockedByPerson',
};
const keysByReason = new Map<string, TextKey>(
  Object.entries(keys).map(([lock, key]) => [lotLocks[lock as LotLock], key]),
);

/** Why a lot is locked, in the language of the paper; what a person gave as the reason stays as it is. */
export function lockText({ say }: Words, reason: string): string {
  const key = keysByReason.get(reason);
  return key ? say(key) : reason;
}
