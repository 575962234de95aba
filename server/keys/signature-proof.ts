import { canonicalJson, sameJson } from '../../shared/contract/canonical-json.ts';
import { isSignedBy } from './ed25519.ts';

/** What a person signs with a key of their own: all that the signature says, and of which version of which record. */
const MEMBERS = ['subject', 'user_id', 'user_name', 'at', 'meaning', 'reason', 'version', 'state'] as const;
/** What changes when records are given other ids. */
const MOVED: readonly string[] = ['subject', 'user_id', 'state'];
const SAYS = 'holdpoint: signature';

type Fields = Readonly<Record<string, unknown>>;

/**
 * - `proved`: the key in it has signed exactly what it says.
 * - `moved`: the key has signed it of a record that was given another id since, as when an installation joined a central.
 * - `broken`: it says something else than the key has signed.
 * - `none`: it was made without a key.
 */
export type SignatureProof = 'proved' | 'moved' | 'broken' | 'none';

/** The text that is signed. */
export function signedText(fields: Fields): string {
  return canonicalJson({
    says: SAYS,
    ...Object.fromEntries(MEMBERS.map(name => [name, fields[name] ?? null])),
  });
}

/** What the fields of a signature prove by themselves. Whose key it is the user's record says. */
export function proofOf(fields: Fields): SignatureProof {
  const { key, proof, signed } = fields;
  if ([key, proof, signed].every(value => (value ?? null) === null)) return 'none';
  if (typeof key !== 'string' || typeof proof !== 'string' || typeof signed !== 'string') return 'broken';
  if (!isSignedBy(key, signed, proof)) return 'broken';
  if (signed === signedText(fields)) return 'proved';
  const said = read(signed);
  const isSame = (name: string) => sameJson(said?.[name], fields[name]);
  const others = MEMBERS.filter(name => !MOVED.includes(name));
  return said?.says === SAYS && others.every(isSame) ? 'moved' : 'broken';
}

function read(text: string): Fields | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
