import type { AuditKind } from '../../shared/families/audit-event.ts';
import type { FamilyName } from '../../shared/families/registry.ts';
import {
  authoredIn,
  proofOfAuthorship,
  readAuthorship,
  readCertificate,
  type SessionCertificate,
} from '../keys/authorship.ts';
import type { Commit } from './changes.ts';
import { stationOf } from './history.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';
import { readLocal, writeLocal } from './tables.ts';

const EVENT = `${'audit-event' satisfies FamilyName}:`;
/** With these before a station, and what was signed, what `local` keeps. */
const SIGNS = 'signs:';
const MOVED = 'moved:';
/** Before a session that was pending: its certificates. */
const CERTIFIED = 'certified:';
/** The same before one of them, while what was held for the want of it is still to be looked at. */
const LET_IN = 'let_in:';

/** A session that was pending, by what no other key can say of it. */
type Session = Pick<SessionCertificate, 'session_key' | 'user_id' | 'station'>;

/** Whether people at that station have signed commits before: from then on who has a key signs there. */
export function signsAt(sql: Pick<SqlReader, 'get'>, station: string): boolean {
  return readLocal(sql, SIGNS + station) !== undefined;
}

/** What a commit that a session has signed was let in as, under other ids: mostly nothing. */
export function movedTo(sql: Pick<SqlReader, 'get'>, sessionKey: string, commit: string): string[] {
  const text = readLocal(sql, movedName(sessionKey, commit));
  return text === undefined ? [] : JSON.parse(text);
}

/** All that the person's key has said of a session that began while it was pending. */
export function certificatesOf(sql: Pick<SqlReader, 'get'>, session: Session): SessionCertificate[] {
  const text = readLocal(sql, CERTIFIED + nameOf(session));
  return text === undefined ? [] : JSON.parse(text);
}

/** A certificate of a pending session that is to be looked at; undefined for none. */
export function certificateToLetIn(sql: Pick<SqlReader, 'get'>): SessionCertificate | undefined {
  const query = 'SELECT value FROM local WHERE name > ? AND name < ? ORDER BY name LIMIT 1';
  const row = sql.get<{ value: string }>(query, LET_IN, `${LET_IN.slice(0, -1)};`);
  return row && JSON.parse(row.value);
}

/** In the open transaction. */
export function forgetToLetIn(database: Database, session: Session): void {
  database.run('DELETE FROM local WHERE name = ?', LET_IN + nameOf(session));
}

/**
 * In the open transaction, of a commit that was applied: the certificates that the trail took along. Each stands beside the others:
 * what comes later takes nothing from what was there.
 * @param keyOf the present key of a user
 */
export function noteCertificates(
  database: Database,
  { entries }: Commit,
  keyOf: (userId: number) => unknown,
): void {
  for (const { subject, changes } of entries) {
    if (!subject.startsWith(EVENT)) continue;
    const newOf = (name: string) => changes.find(({ path }) => path === name)?.new;
    if (newOf('kind') !== ('session_certified' satisfies AuditKind)) continue;
    const certificate = readCertificate(newOf('details'));
    if (!certificate || certificate.key !== keyOf(certificate.user_id)) continue;
    const known = certificatesOf(database, certificate);
    if (known.some(one => covers(one, certificate))) continue;
    const name = nameOf(certificate);
    writeLocal(database, CERTIFIED + name, JSON.stringify([...known, certificate]));
    writeLocal(database, LET_IN + name, JSON.stringify(certificate));
  }
}

/** Whether a certificate says all that the other does. */
function covers(one: SessionCertificate, other: SessionCertificate): boolean {
  return one.key === other.key && one.from <= other.from && one.until >= other.until;
}

function nameOf({ session_key: key, user_id: user, station }: Session): string {
  return `${key} ${user} ${station}`;
}

function movedName(sessionKey: string, commit: string): string {
  return `${MOVED}${sessionKey} ${commit}`;
}

/** In the open transaction: that the station signs. One that enrols does so from the beginning. */
export function noteSigning(database: Database, station: string): void {
  if (!signsAt(database, station)) writeLocal(database, SIGNS + station, 'true');
}

/** In the open transaction, of a commit that was put into the log. Answers whether its station is known to sign by it. */
export function noteAuthorship(database: Database, { authorship, chain }: Commit): boolean {
  if (!readAuthorship(authorship)) return false;
  noteSigning(database, stationOf(chain));
  return true;
}

/**
 * In the open transaction, of a commit that counts: where it is what a session has signed under other ids, so that what was signed
 * counts once. What nobody signed says nothing of it.
 */
export function noteMoved(database: Database, commit: Commit): void {
  if (commit.authorship?.signed === undefined) return;
  const authorship = readAuthorship(commit.authorship);
  const proof = authorship ? proofOfAuthorship(commit, authorship) : 'broken';
  const original = authorship && proof !== 'broken' ? authoredIn(authorship) : undefined;
  if (!authorship || !original) return;
  const { session_key: key } = authorship.session;
  const known = movedTo(database, key, original.commit_id);
  if (known.includes(commit.commit_id)) return;
  writeLocal(database, movedName(key, original.commit_id), JSON.stringify([...known, commit.commit_id]));
}
