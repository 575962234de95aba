import type { Agreed, Proof } from './proof.ts';

/** What a machine keeps of its proof beside its database. */
export interface KeptProof extends Agreed {
  /** As of a `Proof`. */
  since: string[];
  /** The step that was sent, and not answered yet as far as is known. */
  next: string | null;
}

/** A machine's proof of being the newest with its disk: what it keeps, and what only this process knows. Plain data. */
export interface OwnProof {
  kept: KeptProof;
  /** The last step, which may be sent any number of times. */
  sent: Proof | null;
  /** The step that is not agreed yet stood on the disk for a while: a copy of that has it as well. */
  isCopied: boolean;
  /**
   * Whether central agreed to a step that only this process can have sent, or agrees to none: nothing is pushed before. Two
   * machines whose common disk held a step that nobody had answered both repeat it, and only one goes on from it.
   */
  isAlone: boolean;
}

export const FIRST_PROOF: KeptProof = { count: 0, proof: '', countersignature: '', since: [], next: null };

/** At a start, from what is kept; undefined where nothing is. */
export function startProof(kept: KeptProof = FIRST_PROOF): OwnProof {
  return { kept, sent: null, isCopied: kept.next !== null, isAlone: false };
}

/**
 * With the step to send. What is kept is durable before that is sent: whoever starts from there on sends the same one.
 * @param isDue whether it is time for another one than the last
 */
export function takeStep(own: OwnProof, isDue: boolean, newName: () => string): OwnProof & { sent: Proof } {
  const { kept, sent } = own;
  if (sent && (kept.next !== null || !isDue)) return { ...own, sent };
  const next = kept.next ?? newName();
  return { ...own, kept: { ...kept, next }, sent: said(kept, next) };
}

/** Central has agreed to a step; of an earlier one that says nothing new. A former central agrees to none. */
export function agreeTo(own: OwnProof, to: Agreed | undefined): OwnProof {
  if (!to) return { ...own, isAlone: true };
  const { since, next } = own.kept;
  if (to.proof === next) {
    // A step that a copy has as well is followed by another one at once.
    const sent = own.isCopied ? null : own.sent;
    return { kept: { ...to, since: [], next: null }, sent, isCopied: false, isAlone: !own.isCopied };
  }
  const place = since.indexOf(to.proof);
  return place < 0 ? own : { ...own, kept: { ...to, since: since.slice(place + 1), next }, sent: null };
}

/** A message came to nothing: what it said may wait for long now. */
export function failedStep(own: OwnProof): OwnProof {
  return own.kept.next === null ? own : { ...own, isCopied: true, isAlone: false };
}

/** What is kept, as it is said with a step. */
export function said({ since, ...last }: KeptProof, next: string): Proof {
  return { ...last, ...(since.length > 0 && { since }), next };
}
