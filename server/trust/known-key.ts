import { fingerprintOfKey } from '../keys/ed25519.ts';
import type { Database } from '../store/sqlite/database.ts';
import { readLocal, writeLocal } from '../store/tables.ts';

/** In `local`: the public key by which this installation signed last. */
export const KNOWN_KEY = 'authority';

/** At a start: the key that was there before, where it is another one. */
export function noteKey(database: Database, key: string): string | undefined {
  const known = readLocal(database, KNOWN_KEY);
  if (known === key || database.damage !== undefined) return undefined;
  database.transaction(() => writeLocal(database, KNOWN_KEY, key));
  return known;
}

/** What people should hear at that start. */
export function saysReplaced(former: string, key: string): string {
  return `This installation signs with another key than before: authority.key was replaced, or was gone and is made anew. Checkpoints bear SHA-256 ${fingerprintOfKey(key)} from now on, and bore ${fingerprintOfKey(former)}. Put the former file back from a copy, or have two administrators certify the new key (holdpoint authority certify) and tell those who keep checkpoints.`;
}
