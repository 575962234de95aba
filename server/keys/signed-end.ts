import { canonicalJson } from '../../shared/contract/canonical-json.ts';
import { isSignedBy } from './ed25519.ts';

/** The end of what a station sends of one of its chains; its hash covers all before it. */
export interface ChainEnd {
  chain: string;
  number: number;
  hash: string;
}

/**
 * A station's word on its own chain, by the key that lies apart from database and backups: programs' commits are proved by it, and where
 * people's stand. A chain bears the name of its station, and no other text begins with what this one says.
 */
export interface SignedEnd extends ChainEnd {
  says: typeof SAYS;
  /** The station's public key, base64url. */
  key: string;
  /** Ed25519 by `key` over the canonical JSON of all other members, base64url. */
  signature: string;
}

const SAYS = 'holdpoint: chain';

/** What signs as an installation (`Authority`). */
export interface EndSigner {
  key: string;
  sign(text: string): string;
}

export function signEnd({ key, sign }: EndSigner, { chain, number, hash }: ChainEnd): SignedEnd {
  const content = { says: SAYS, chain, number, hash, key } as const;
  return { ...content, signature: sign(canonicalJson(content)) };
}

/** Whether the key in it has signed it. Whose key that is nobody says here. */
export function isEndSigned({ says, chain, number, hash, key, signature }: SignedEnd): boolean {
  return says === SAYS && isSignedBy(key, canonicalJson({ says, chain, number, hash, key }), signature);
}

/** The ends of commits, the last one of each chain. */
export function endsOf(commits: readonly ChainEnd[]): ChainEnd[] {
  const ends = new Map(commits.map(({ chain, number, hash }) => [chain, { chain, number, hash }]));
  return [...ends.values()];
}

/** What a station says that central's lost log held: central's own countersignature, which backups can forge, is not enough for it. */
interface Offering {
  station: string;
  /** Of the message: what was signed for another one counts for nothing. */
  request: string;
  offers: readonly { commit: Pick<ChainEnd, 'hash'> }[];
}

export interface OffersSignature {
  key: string;
  signature: string;
}

export function signOffers({ key, sign }: EndSigner, offering: Offering): OffersSignature {
  return { key, signature: sign(offersText(offering, key)) };
}

export function areOffersSigned(offering: Offering, { key, signature }: OffersSignature): boolean {
  return isSignedBy(key, offersText(offering, key), signature);
}

function offersText({ station, request, offers }: Offering, key: string): string {
  const commits = offers.map(({ commit }) => commit.hash);
  return canonicalJson({ says: 'holdpoint: offers', station, request, commits, key });
}
