import { hkdfSync, type KeyObject } from 'node:crypto';
import { AppError } from '../../shared/contract/errors.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import {
  type Authorship,
  authoredText,
  certificateText,
  isKeyPending,
  isWithin,
  SESSION_LIFE_MS,
  type SessionCertificate,
} from '../keys/authorship.ts';
import { newPrivateKey, publicKeyOf, signText } from '../keys/ed25519.ts';
import { openKey, sealKey } from '../keys/sealed-key.ts';
import type { SessionKeyRow } from '../store/identity-tables.ts';
import type { Author } from '../store/unit-of-work.ts';

const BACK_MS = 60_000;
const LABEL = 'holdpoint: session key';

export interface Certifying {
  user: { id: number; login: string };
  /** The person's own key, which the password has just opened; undefined where it is not here: it is pending. */
  key: KeyObject | undefined;
  /** The installation at which the session signs. */
  station: string;
  at: Date;
}

/**
 * A key for a session, certified by the person's own where that is here. It is sealed by what the cookie holds, so that it outlives the process
 * and who reads the disk has none.
 */
export function certifySession(
  secret: string,
  { user, key, station, at }: Certifying,
): Omit<SessionKeyRow, 'hash'> {
  const own = newPrivateKey();
  const certificate = {
    user_id: user.id,
    login: user.login,
    key: '',
    station,
    session_key: publicKeyOf(own),
    from: at.toISOString(),
    until: new Date(at.getTime() + SESSION_LIFE_MS).toISOString(),
  };
  const pending = { ...certificate, proof: '' };
  return {
    certificate: JSON.stringify(key ? certifiedBy(key, pending) : pending),
    sealed: sealKey(keyFrom(secret), own).join('.'),
  };
}

/** The certificate of a session whose key was pending: what it signed since its beginning is the person's. */
export function certifiedBy(key: KeyObject, pending: SessionCertificate): SessionCertificate {
  const certificate = { ...pending, key: publicKeyOf(key) };
  return { ...certificate, proof: signText(key, certificateText(certificate)) };
}

/** What signs for the session; undefined where the key does not open. */
export function openSession(
  secret: string,
  { certificate: text, sealed }: Omit<SessionKeyRow, 'hash'>,
): SessionAuthor | undefined {
  const certificate: SessionCertificate = JSON.parse(text);
  const [nonce = '', box = ''] = sealed.split('.');
  const key = openKey(keyFrom(secret), nonce, box);
  return key && { certificate, sign: authorOf(certificate, key) };
}

export interface SessionAuthor {
  certificate: SessionCertificate;
  sign: Author;
}

/** Whether the session may sign here and now. */
export function isInForce(
  { station, from, until, key, proof }: SessionCertificate,
  here: string,
  publicKey: unknown,
  at: Date,
) {
  const now = at.getTime();
  // A clock that goes back a little is no step (`ClockWatch`), and ends nothing.
  const isNow = now >= Date.parse(from) - BACK_MS && now <= Date.parse(until);
  return station === here && (key === publicKey || isKeyPending({ key, proof })) && isNow;
}

function authorOf(session: SessionCertificate, key: KeyObject): Author {
  return (commit, seen): Authorship => {
    // The clock was set between the request and its commit: no machine would take the signature for the session's.
    if (!isWithin(commit.at, session)) {
      throw new AppError(
        'unavailable',
        "The machine's clock was set while this was being saved, and nothing of it was. Save it once more.",
      );
    }
    return { session, seen, proof: signText(key, authoredText(commit, session, seen)) };
  };
}

function keyFrom(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', LABEL, 32));
}

/** Where a key was replaced, what began by a password of before may be of whoever knew that one: nobody's key stands for it. */
export function isByPresentPassword({ from }: SessionCertificate, { fields }: StoredRecord): boolean {
  const { former_keys: formers, password_changed_at: changed } = fields;
  const isFirst = !Array.isArray(formers) || formers.length === 0;
  return isFirst || typeof changed !== 'string' || from >= changed;
}
