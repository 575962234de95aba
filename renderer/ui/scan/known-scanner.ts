import { z } from 'zod';
import { learnProfile, type ScannerProfile } from '../../../shared/scanner/profile.ts';

const PLACE = 'holdpoint.scanner';
const stored = z.object({ prefix: z.array(z.string()), suffix: z.array(z.string()) });

/** The scanner that was set up at this machine; null: none was. */
export function knownScanner(): ScannerProfile | null {
  try {
    return stored.parse(JSON.parse(localStorage.getItem(PLACE) ?? ''));
  } catch {
    // None, or one of another version: it is set up again by one scan.
    return null;
  }
}

/** Of the newest keys; those of the setup code come one after the other, with what the scanner sends around it. */
const HEARD = 64;
/** Longer than a scanner that stutters, shorter than a person between two things. */
const APART_MS = 700;

/**
 * Hears every key, and tells of the setup code whatever the pace at which it came.
 * @returns the keys since the last silence
 */
export function createEar(): { hear: (key: string, at: number) => void; keys: () => string[] } {
  let heard: string[] = [];
  let last = 0;
  return {
    hear(key, at) {
      heard = [...(at - last > APART_MS ? [] : heard), key].slice(-HEARD);
      last = at;
    },
    keys: () => heard,
  };
}

/** Keeps what the keys say of the scanner that sent them; null when they are no setup code. */
export function learnScanner(keys: readonly string[]): ScannerProfile | null {
  const profile = learnProfile(keys);
  if (profile) localStorage.setItem(PLACE, JSON.stringify(profile));
  return profile;
}

export const SETTLED_MS = APART_MS;
