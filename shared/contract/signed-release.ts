import { z } from 'zod';
import { readJson } from './read-json.ts';

/** Beside the feeds that it covers. */
export const RELEASE_NAME = 'release.json';
/** In characters. */
export const RELEASE_LIMIT = 16 * 1024;
/** The ring of who is in no other one. */
export const STABLE = 'stable';
/** What a ring is called: it is a folder, and a part of an address. */
export const RING_NAME = /^[a-z][a-z0-9-]{0,31}$/;

const PAYLOAD_TYPE = 'application/vnd.holdpoint.release+json';
/** By how much the publisher's clock may be ahead: a statement far in the future would hide all later ones. */
const AHEAD_MS = 86_400_000;

const base64 = z.base64().max(RELEASE_LIMIT);

/** A DSSE envelope (secure-systems-lab/dsse): the statement in base64, and who signed it. */
export const envelopeSchema = z.object({
  payloadType: z.literal(PAYLOAD_TYPE),
  payload: base64,
  signatures: z
    .array(z.object({ keyid: z.string().max(100).optional(), sig: base64 }))
    .min(1)
    .max(4),
});

/** What a publisher says of one release in one ring. */
export const releaseSchema = z.object({
  product: z.literal('holdpoint'),
  ring: z.string().regex(RING_NAME),
  /** Of the program. */
  version: z.string().regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/),
  /** What is signed later takes the place of what was signed before. */
  signed_at: z.iso.datetime(),
  /** It is believed until then, so that a central which withholds newer ones is noticed. */
  expires_at: z.iso.datetime(),
  /** The feeds of all systems. `sha512` in base64. */
  feeds: z
    .array(z.object({ name: z.string().max(100), sha512: z.base64().max(100) }))
    .min(1)
    .max(20),
});

export type Release = z.infer<typeof releaseSchema>;

/**
 * Why a release is not taken. `unsigned`: there is no statement, or it cannot be read. `foreign`: none of the publisher's keys signed
 * it. `mixed`: the feed, its version or its ring is not the one of the statement. `older`: a later one was seen here. `early`: it
 * is said to be signed in the future. `expired`: nobody has signed a later one in time.
 */
export type ReleaseFault = 'unsigned' | 'foreign' | 'mixed' | 'older' | 'early' | 'expired';

export class ReleaseRefused extends Error {
  readonly fault: ReleaseFault;

  constructor(fault: ReleaseFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** What the publisher's signature covers: the type and the statement, each by its length (DSSE's pre-authentication encoding). */
export function signedBytes(payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder();
  const head = text.encode(`DSSEv1 ${text.encode(PAYLOAD_TYPE).length} ${PAYLOAD_TYPE} ${payload.length} `);
  const bytes = new Uint8Array(head.length + payload.length);
  bytes.set(head);
  bytes.set(payload, head.length);
  return bytes;
}

/** The envelope of a statement, as text. `sign`: Ed25519 over what it is given. */
export function writeRelease(release: Release, sign: (bytes: Uint8Array) => Uint8Array): string {
  const payload = new TextEncoder().encode(JSON.stringify(release));
  const signatures = [{ sig: toBase64(sign(signedBytes(payload))) }];
  return `${JSON.stringify({ payloadType: PAYLOAD_TYPE, payload: toBase64(payload), signatures })}\n`;
}

export interface Expected {
  /** The publisher's keys; none: nothing is taken. */
  keys: readonly string[];
  now: Date;
  /** Undefined: whichever it names. */
  ring?: string | undefined;
  /** The last one that was believed here. */
  last?: Pick<Release, 'signed_at'> | undefined;
}

/**
 * The statement of an envelope, if the publisher has signed it and it is the one to go by now. Stations and the app ask this same
 * function; central, which hands it on, is believed nothing.
 * @throws ReleaseRefused
 */
export async function readRelease(envelope: string, expected: Expected): Promise<Release> {
  const { keys, now, ring, last } = expected;
  const parsed = envelopeSchema.safeParse(readJson(envelope.slice(0, RELEASE_LIMIT))).data;
  if (!parsed) throw new ReleaseRefused('unsigned', `The release has no ${RELEASE_NAME} that can be read.`);
  const payload = fromBase64(parsed.payload);
  if (!(await isSigned(payload, parsed.signatures, keys)))
    throw new ReleaseRefused(
      'foreign',
      "None of the publisher's keys of this program has signed the release.",
    );
  const release = releaseSchema.safeParse(readJson(new TextDecoder().decode(payload))).data;
  if (!release) throw new ReleaseRefused('unsigned', 'What was signed is no statement of a release.');
  if (ring !== undefined && release.ring !== ring)
    throw new ReleaseRefused('mixed', `The release is one of the ring ${release.ring}, not of ${ring}.`);
  const signed = Date.parse(release.signed_at);
  if (last !== undefined && signed < Date.parse(last.signed_at))
    throw new ReleaseRefused(
      'older',
      `The release was signed at ${release.signed_at}; one of ${last.signed_at} was seen here.`,
    );
  if (signed > now.getTime() + AHEAD_MS)
    throw new ReleaseRefused('early', `The release is signed in the future, at ${release.signed_at}.`);
  requireFresh(release, now);
  return release;
}

/** @throws ReleaseRefused `expired` */
export function requireFresh({ expires_at: until }: Pick<Release, 'expires_at'>, now: Date): void {
  if (Date.parse(until) < now.getTime())
    throw new ReleaseRefused(
      'expired',
      `The release is believed until ${until}. Its publisher signs it anew.`,
    );
}

/** @throws ReleaseRefused `mixed` where the statement has no such feed: one of another release, or of another system */
export async function requireFeed(release: Release, name: string, feed: string): Promise<void> {
  const digest = await crypto.subtle.digest('SHA-512', new TextEncoder().encode(feed));
  const named = release.feeds.find(each => each.name === name);
  if (named?.sha512 === toBase64(new Uint8Array(digest))) return;
  throw new ReleaseRefused('mixed', `${name} is not the feed of the release ${release.version}.`);
}

async function isSigned(
  payload: Uint8Array,
  signatures: readonly { sig: string }[],
  keys: readonly string[],
): Promise<boolean> {
  const bytes = signedBytes(payload);
  for (const text of keys) {
    const raw = fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
    const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
    for (const { sig } of signatures)
      if (await crypto.subtle.verify('Ed25519', key, fromBase64(sig), bytes)) return true;
  }
  return false;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), character => character.charCodeAt(0));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
