import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { canonicalJson } from '../../../shared/contract/canonical-json.ts';
import type { Line } from './trail-file.ts';

/** A commit before it has its place, and before anybody signed it. */
export interface Content {
  chain: string;
  commit_id: string;
  at: string;
  user: string;
  reason: string | null;
  clock_offset: number | null;
  entries: { subject: string; changes: { path: string; old: unknown; new: unknown; over: string[] }[] }[];
  authorship?: unknown;
}

export interface Session {
  user_id: number;
  login: string;
  key: string;
  station: string;
  session_key: string;
  from: string;
  until: string;
  proof: string;
}

export interface Seen {
  epoch: string;
  sequence: number;
  hash: string;
}

type Decision = { commit_id: string; outcome: string; reason: string | null; effects: [] };

/** The Ed25519 key of a seed: 32 times the same byte. */
export function keyOf(seed: number): KeyObject {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, seed)]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

export const publicOf = (key: KeyObject) => createPublicKey(key).export({ format: 'jwk' }).x ?? '';
export const signed = (key: KeyObject, text: string) =>
  sign(null, Buffer.from(text), key).toString('base64url');
const sha256 = (value: unknown) => createHash('sha256').update(canonicalJson(value)).digest('hex');

export const EPOCH = 'e1';
export const AT = '2026-06-15T12:00:00.000Z';
export const [AUTHORITY, OLGA, IAN, SESSION, OTHER] = [1, 2, 3, 4, 5].map(keyOf) as [
  KeyObject,
  KeyObject,
  KeyObject,
  KeyObject,
  KeyObject,
];

export const change = (path: string, value: unknown) => ({ path, old: null, new: value, over: [] });

/** What the key certifies of a session; `members` in the place of what is usual. */
export function sessionOf(key: KeyObject, members: Partial<Session> = {}): Session {
  const until = '2026-06-22T12:00:00.000Z';
  const place = { station: 's', session_key: publicOf(SESSION), from: AT, until };
  const { proof, ...session } = {
    user_id: 1,
    login: 'olga',
    key: publicOf(key),
    ...place,
    ...members,
  } as Session;
  const made = signed(key, canonicalJson({ says: 'holdpoint: session', ...session }));
  return { ...session, proof: proof ?? made };
}

export const pendingSession: Session = { ...sessionOf(OLGA), key: '', proof: '' };

export function textOf(content: Content, session: Session, seen: Seen | null): string {
  const { chain: _, authorship: __, ...said } = content;
  const { station, session_key } = session;
  return canonicalJson({ says: 'holdpoint: commit', ...said, station, session_key, seen });
}

/** The commit signed by a session. */
export function authored(
  content: Content,
  session = sessionOf(OLGA),
  { seen = null, key = SESSION }: { seen?: Seen | null; key?: KeyObject } = {},
): Content {
  return { ...content, authorship: { session, seen, proof: signed(key, textOf(content, session, seen)) } };
}

let made = 0;

/** What somebody enters at the station. */
export function entered(members: Partial<Content> = {}): Content {
  made += 1;
  const entries = [{ subject: 'supplier:7', changes: [change('name', 'Acme')] }];
  const base = {
    chain: 's.1',
    commit_id: `c${made}`,
    at: AT,
    user: 'olga',
    reason: null,
    clock_offset: null,
  };
  return { ...base, entries, ...members };
}

/** The event by which the trail of a station takes a certificate to others. */
export function certified(details: unknown, kind = 'session_certified'): Content {
  const changes = [change('kind', kind), change('details', details)];
  made += 1;
  return entered({ user: 'audit-trail', entries: [{ subject: `audit-event:${made}`, changes }] });
}

/** The same under another id, as a station issues again what has to get one. */
export function moved(content: Content, to = 'supplier:9'): Content {
  const { session, seen } = content.authorship as { session: Session; seen: Seen | null };
  made += 1;
  return {
    ...content,
    commit_id: `c${made}`,
    entries: content.entries.map(entry => ({ ...entry, subject: to })),
    authorship: { ...(content.authorship as object), signed: textOf(content, session, seen) },
  };
}

/** A trail as central writes it, with two people who have keys. */
export class Trail {
  readonly lines: Line[] = [];
  readonly #heads = new Map<string, { number: number; hash: string }>();
  #log = { sequence: 0, hash: '' };

  constructor(start = { sequence: 0, hash: '' }) {
    this.#log = start;
    made = 0;
    const header = { format: 'holdpoint trail 1', installation: 'c', version: '0.2.0', made_at: AT };
    this.lines.push({ ...header, log_after: start } as Line);
    for (const [id, login, key] of [
      [1, 'olga', OLGA],
      [2, 'ian', IAN],
    ] as const)
      this.add(
        entered({
          chain: 'c.1',
          user: 'root',
          entries: [
            { subject: `user:${id}`, changes: [change('login', login), change('public_key', publicOf(key))] },
          ],
        }),
      );
  }

  /** Where the log stands. */
  get seen(): Seen {
    return { epoch: EPOCH, ...this.#log };
  }

  add(content: Content, decisions?: Partial<Decision>[]): this {
    const head = this.#heads.get(content.chain) ?? { number: 0, hash: '' };
    const placed = { ...content, number: head.number + 1, previous_hash: head.hash };
    const hash = sha256(placed);
    const commit = { ...placed, hash };
    this.#heads.set(content.chain, { number: commit.number, hash });
    const all = (decisions ?? [{}]).map(one => ({
      commit_id: content.commit_id,
      outcome: 'applied',
      reason: null,
      effects: [],
      ...one,
    }));
    const sequence = this.#log.sequence + 1;
    const entry = { before: this.#log.hash, sequence, commit: hash, decisions: all };
    this.#log = { sequence, hash: sha256(entry) };
    this.lines.push({ ...this.#log, decisions: all, commit } as unknown as Line);
    return this;
  }

  /** Holds what comes from a station, as central does. */
  hold(content: Content): this {
    return this.add(content, [{ outcome: 'held', reason: 'not_proved: …' }]);
  }

  /** A person lets in what was held. */
  release({ commit_id: id }: Content): this {
    const subject = `hold:${id}`;
    const by = entered({
      chain: 'c.1',
      user: 'root',
      reason: 'Asked.',
      entries: [{ subject, changes: [change('released', true)] }],
    });
    return this.add(by, [{}, { commit_id: id }]);
  }

  /** All lines, with the checkpoint of who has central's key. */
  end(): Line[] {
    const head = this.#heads.get('c.1');
    const content = {
      says: 'holdpoint: checkpoint',
      installation: 'c',
      key: publicOf(AUTHORITY),
      at: AT,
      log: { epoch: EPOCH, ...this.#log },
      chain: head ? { chain: 'c.1', ...head } : null,
    };
    const signature = signed(AUTHORITY, canonicalJson(content));
    return [...this.lines, { checkpoint: { ...content, signature } } as Line];
  }
}
