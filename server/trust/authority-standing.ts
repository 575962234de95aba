import { fingerprintOfKey } from '../keys/ed25519.ts';
import type { Store } from '../store/store.ts';
import { CERTIFIERS_DUE, certifiersOf, isCertified, type KeyChange } from './certified-keys.ts';
import { hasLog } from './trail.ts';

/** That an installation signs by a key which nobody, or not enough, have certified. */
export interface OtherKey extends KeyChange {
  /** ISO 8601 UTC. */
  since: string;
  /** Logins. */
  certifiers: string[];
}

/** How the key of this installation stands; undefined where it is the first one, or certified. */
export function otherOwnKey(
  store: Pick<Store, 'records' | 'database' | 'station'>,
  key: string,
): OtherKey | undefined {
  const { station: installation } = store;
  const changes = store.records
    .findBy('audit-event', 'kind', 'authority_changed')
    .filter(({ station }) => station === installation)
    .toSorted((one, other) => one.id - other.id)
    .map(({ fields, creator }) => {
      const { former, key: next } = fields.details as Readonly<Record<string, unknown>>;
      const until = placeOf(store, creator);
      return { installation, former: String(former), key: String(next), since: String(fields.at), until };
    });
  let [trusted] = changes.map(({ former }) => former);
  let open: Omit<OtherKey, 'certifiers'> | undefined;
  for (const change of changes) {
    if (trusted === undefined) break;
    const whole = { ...change, former: trusted };
    if (change.key === trusted) open = undefined;
    else if (isCertified(store, whole)) [trusted, open] = [change.key, undefined];
    else open = whole;
  }
  if (!open || open.key !== key) return undefined;
  return { ...open, certifiers: certifiersOf(store, open) };
}

/** The entry of the log before the one that says so. */
function placeOf({ database }: Pick<Store, 'database'>, commit: string): number | undefined {
  if (!hasLog(database.reader)) return undefined;
  const sql = 'SELECT sequence FROM log WHERE commit_id = ?';
  return database.reader.get<{ sequence: number }>(sql, commit)?.sequence;
}

/** What people should hear of this installation's key. */
export function saysOwnKey({ former, key, certifiers }: OtherKey): string {
  return `This installation signs with another key than before: SHA-256 ${fingerprintOfKey(key)} in the place of ${fingerprintOfKey(former)}. Put the former authority.key back, or have two administrators certify the new one: holdpoint authority certify. ${saysCertifiers(certifiers)}`;
}

/** What people at a station should hear of central's. */
export function saysCentralKey({ former, key, certifiers }: OtherKey): string {
  return `Central signs with another key than before: SHA-256 ${fingerprintOfKey(key)} in the place of ${fingerprintOfKey(former)}. Either authority.key was lost there and two administrators have not certified the new one yet, or somebody else answers in its place. Ask them. ${saysCertifiers(certifiers)}`;
}

function saysCertifiers(certifiers: readonly string[]): string {
  const by = certifiers.length === 0 ? '' : ` (${certifiers.join(', ')})`;
  return `Certified by ${certifiers.length} of ${CERTIFIERS_DUE}${by}.`;
}
