import { fingerprintOfKey } from '../keys/ed25519.ts';
import type { Database } from '../store/sqlite/database.ts';
import { readLocal, writeLocal } from '../store/tables.ts';

/** In `local`: the public key by which this installation signed last. */
export const KNOWN_KEY = 'authority';

/** At a start: what people should hear where the key is another one than before; undefined where it is the same. */
export function noteKey(database: Database, key: string): string | undefined {
  const known = readLocal(database, KNOWN_KEY);
  if (known === key || database.damage !== undefined) return undefined;
  database.transaction(() => writeLocal(database, KNOWN_KEY, key));
  if (known === undefined) return undefined;
  return `This installation signs with another key than before: authority.key was replaced, or was gone and is made anew. Checkpoints bear SHA-256 ${fingerprintOfKey(key)} from now on, and bore ${fingerprintOfKey(known)}. Put the former file back from a copy, or tell those who keep checkpoints.`;
}
