import { canonicalJson } from '../../shared/contract/canonical-json.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { MESSAGE_DEPTH } from '../../shared/contract/limits.ts';
import { parseStrictJson } from '../../shared/contract/strict-json.ts';
import { type Claim, isSignedBy, KEY_TEXT, SIGNATURE_TEXT } from './ed25519.ts';

/** For how long a session may sign. What a key certifies for longer counts for nothing. */
export const SESSION_LIFE_MS = 7 * 24 * 3_600_000;

/** That a person lets a session sign at a station: made at signing in, by the person's own key. */
export interface SessionCertificate {
  user_id: number;
  login: string;
  /** The person's public key; empty while the key is pending. */
  key: string;
  /** The installation, as its chains are named. */
  station: string;
  /** The session's public key. */
  session_key: string;
  /** ISO 8601 UTC. */
  from: string;
  until: string;
  /**
   * The person's signature over `certificateText`. Empty while the key is pending: the session began at a station that did not have
   * the person's key, and signs all the same. The person's key certifies it once it is there, from its beginning.
   */
  proof: string;
}

/** How far the author's machine had read central's log; at central, how far it had written it. */
export interface Seen {
  epoch: string;
  sequence: number;
  hash: string;
}

/** By whom a commit was made, as anybody can check it. */
export interface Authorship {
  session: SessionCertificate;
  /** Null at an installation that belongs to no central. */
  seen: Seen | null;
  /** The session's signature over `authoredText`. */
  proof: string;
  /** What the session has signed, where the commit was issued again under other ids since. */
  signed?: string;
}

/** What a person signs of a commit. Its place in a chain is the station's, which may have to issue it again elsewhere. */
export interface Authored {
  commit_id: string;
  at: string;
  clock_offset: number | null;
  clock_at_least?: string | undefined;
  user: string;
  reason: string | null;
  entries: readonly unknown[];
}

/**
 * - `proved`: the session has signed exactly what it says, and the person the session.
 * - `moved`: the session has signed it under other ids, which `signed` tells.
 * - `pending`: the session has signed it, and the person the session not yet.
 * - `broken`: the session or the person has signed something else, or nothing.
 */
export type AuthorshipProof = 'proved' | 'moved' | 'pending' | 'broken';

const CERTIFIED = ['user_id', 'login', 'key', 'station', 'session_key', 'from', 'until'] as const;

export function certificateText(certificate: Omit<SessionCertificate, 'proof'>): string {
  return canonicalJson({
    says: 'holdpoint: session',
    ...Object.fromEntries(CERTIFIED.map(name => [name, certificate[name]])),
  });
}

export function authoredText(
  { commit_id, at, clock_offset, clock_at_least, user, reason, entries }: Authored,
  { station, session_key }: Pick<SessionCertificate, 'station' | 'session_key'>,
  seen: Seen | null,
): string {
  const said = { commit_id, at, clock_offset, clock_at_least, user, reason, entries };
  return canonicalJson({ says: 'holdpoint: commit', ...said, station, session_key, seen });
}

/** What an authorship proves by itself. Whose key it is the user's record says, and what may have moved central. */
export function proofOfAuthorship(commit: Authored, authorship: Authorship): AuthorshipProof {
  const { session, seen, proof, signed } = authorship;
  if (!(isKeyPending(session) || isCertified(session)) || !isWithin(commit.at, session)) return 'broken';
  const text = authoredText(commit, session, seen);
  const isMoved = signed !== undefined && signed !== text;
  if (isMoved && isTooLong(signed, text)) return 'broken';
  if (!isSignedBy(session.session_key, signed ?? text, proof)) return 'broken';
  if (isMoved && !authoredIn(authorship)) return 'broken';
  if (isKeyPending(session)) return 'pending';
  return isMoved ? 'moved' : 'proved';
}

/** Ids are all in which two texts of one commit differ: what is longer by more is none, and is not read. */
function isTooLong(signed: string, text: string): boolean {
  return signed.length > 4 * text.length + 4_000;
}

/** What has to be verified of a commit, so that it can be done ahead; undefined where nothing has. */
export function claimOf(commit: Authored & { authorship?: unknown }): Claim | undefined {
  const authorship = readAuthorship(commit.authorship);
  if (!authorship) return undefined;
  const { session, seen, proof, signed } = authorship;
  const text = authoredText(commit, session, seen);
  if (signed !== undefined && isTooLong(signed, text)) return undefined;
  return { key: session.session_key, text: signed ?? text, signature: proof };
}

/**
 * The same with the certificates that a session got since whose key was pending: any number, from anybody. One is enough that is in
 * force when the commit was made, and none takes anything from another.
 * @returns the authorship with the certificate that proves it
 */
export function proofWith(
  commit: Authored,
  authorship: Authorship,
  certificatesOf: (session: SessionCertificate) => readonly SessionCertificate[],
): { proof: AuthorshipProof; authorship: Authorship } {
  const proof = proofOfAuthorship(commit, authorship);
  if (proof !== 'pending') return { proof, authorship };
  for (const session of certificatesOf(authorship.session)) {
    if (!isOfSession(session, authorship.session)) continue;
    const certified = { ...authorship, session };
    const found = proofOfAuthorship(commit, certified);
    if (found === 'proved' || found === 'moved') return { proof: found, authorship: certified };
  }
  return { proof, authorship };
}

/** Nobody's key speaks for the session of another, and none for one of another station. */
function isOfSession(one: SessionCertificate, session: SessionCertificate): boolean {
  return (
    one.session_key === session.session_key &&
    one.user_id === session.user_id &&
    one.station === session.station
  );
}

/** Whether the session is without the person's word yet. */
export function isKeyPending({ key, proof }: Pick<SessionCertificate, 'key' | 'proof'>): boolean {
  return key === '' && proof === '';
}

/** What a certificate is that came from elsewhere: only whole, and signed by the key that it names. */
export function readCertificate(value: unknown): SessionCertificate | undefined {
  return isCertificate(value) && isCertified(value) ? value : undefined;
}

/** What a commit was, by the text that its author has signed; undefined where that is none of a commit of this session. */
export function authoredIn({ session, seen, signed }: Authorship): Authored | undefined {
  const said = signed === undefined ? undefined : readObject(signed);
  if (!said || !Array.isArray(said.entries) || !said.entries.every(isEntry)) return undefined;
  if (!['commit_id', 'at', 'user'].every(name => typeof said[name] === 'string')) return undefined;
  // A member that is null is left out of the text.
  const commit = { clock_offset: null, reason: null, ...said } as unknown as Authored;
  return authoredText(commit, session, seen) === signed ? commit : undefined;
}

function isEntry(value: unknown): boolean {
  const { subject, changes } = mapOf(value);
  return typeof subject === 'string' && Array.isArray(changes) && changes.every(isChange);
}

function isChange(value: unknown): boolean {
  const { path, over } = mapOf(value);
  return typeof path === 'string' && Array.isArray(over) && over.every(id => typeof id === 'string');
}

/** Whether a commit says what was signed, apart from what it does: only there ids can be others. */
export function saidAlike(signed: Said, sent: Said): boolean {
  return (['at', 'clock_offset', 'clock_at_least', 'user', 'reason'] as const).every(
    name => (signed[name] ?? null) === (sent[name] ?? null),
  );
}

type Said = Omit<Authored, 'entries'>;

/** Whether what is said to have been moved says so itself, as far as it can be told without what moved it. */
export function isMovedAlike(commit: Authored, authorship: Authorship): boolean {
  const original = authoredIn(authorship);
  return original !== undefined && saidAlike(original, commit);
}

/** The authorship of a commit that is issued again under other ids: with it goes what was signed. */
export function movedAuthorship<Each extends Authored & { authorship?: Authorship }>(
  commit: Each,
): Pick<Each, 'authorship'> {
  const authorship = readAuthorship(commit.authorship);
  if (!authorship) return {};
  const signed = authorship.signed ?? authoredText(commit, authorship.session, authorship.seen);
  return { authorship: { ...authorship, signed } };
}

/** The authorship of a commit that came from elsewhere; undefined where it has none, or nothing that can be one. */
export function readAuthorship(value: unknown): Authorship | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (wellFormed.has(value)) return value as Authorship;
  const isOne = isAuthorship(value);
  if (isOne) wellFormed.add(value);
  return isOne ? value : undefined;
}

/** Those that were read: of one commit it is asked for several times, and nobody changes it. */
const wellFormed = new WeakSet<object>();

function isAuthorship(value: object): value is Authorship {
  const { session, seen, proof, signed } = mapOf(value);
  const { epoch, sequence, hash } = mapOf(seen);
  const isSeen = (seen ?? null) === null || (isName(epoch) && Number.isSafeInteger(sequence) && isName(hash));
  const isRest = matches(SIGNATURE_TEXT, proof) && ['string', 'undefined'].includes(typeof signed);
  return isSeen && isRest && isCertificate(session);
}

const NAME_LENGTH = 200;

function isCertificate(value: unknown): value is SessionCertificate {
  const { user_id: id, login, key, station, session_key: own, from, until, proof } = mapOf(value);
  const isPending = key === '' && proof === '';
  return (
    Number.isSafeInteger(id) &&
    [login, station].every(isName) &&
    [from, until].every(isMoment) &&
    matches(KEY_TEXT, own) &&
    (isPending || (matches(KEY_TEXT, key) && matches(SIGNATURE_TEXT, proof)))
  );
}

function matches(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value);
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.length <= NAME_LENGTH;
}

function isMoment(value: unknown): boolean {
  if (typeof value !== 'string' || value.length !== MOMENT_LENGTH) return false;
  if (moments.has(value)) return true;
  const moment = Date.parse(value);
  if (Number.isNaN(moment) || new Date(moment).toISOString() !== value) return false;
  if (moments.size >= MOST_CERTIFIED) moments.clear();
  moments.add(value);
  return true;
}

const MOMENT_LENGTH = '2026-06-30T12:00:00.000Z'.length;
/** Those that were read: each commit of a session bears the same. */
const moments = new Set<string>();

/** Certificates that were found right: each commit of a session bears the same. */
const certified = new Set<string>();
const MOST_CERTIFIED = 1_000;

function isCertified(certificate: SessionCertificate): boolean {
  const text = certificateText(certificate);
  const known = `${certificate.proof} ${text}`;
  if (certified.has(known)) return true;
  if (!isSignedBy(certificate.key, text, certificate.proof)) return false;
  if (certified.size >= MOST_CERTIFIED) certified.clear();
  certified.add(known);
  return true;
}

/** A commit gets its time a moment after the session was found to be in force. */
const SLACK_MS = 120_000;

/** Whether a commit of this time can be the session's. */
export function isWithin(at: string, { from, until }: SessionCertificate): boolean {
  const [moment, begin, end] = [at, from, until].map(Date.parse) as [number, number, number];
  return moment >= begin - SLACK_MS && moment <= end + SLACK_MS && end - begin <= SESSION_LIFE_MS;
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    return mapOf(parseStrictJson(text, MESSAGE_DEPTH));
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function mapOf(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
}
