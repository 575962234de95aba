import type { LogDigests } from '../log/digest.ts';
import type { Agreed, Doubled } from '../protocol/proof.ts';
import type { Answer, Request } from '../protocol/wire.ts';

import type { Passage } from './line.ts';

/** An answer, with what stands beside it. */
export type Answered = Answer & {
  digests?: LogDigests | undefined;
  /** Pushes that central takes from one station at once, the one that it works on included. */
  pushes?: number | undefined;
  /** What central says of the proof that went with the request. */
  agreed?: Agreed | undefined;
  /** That another machine calls as this station, which is held off; absent: none. */
  doubled?: Doubled | undefined;
  /** How the request went up and the answer came down, where that is measured. */
  passage?: { up: Passage; down: Passage };
};

/** The way to central. */
export interface Transport {
  /** @throws HeldOff, or an error whose message a person understands: no network, a captive portal, refused. */
  exchange(request: Request, sending: Sending): Promise<Answered>;
}

export interface Sending {
  signal: AbortSignal;
  /** Called when the last byte has left, so that no other request overtakes it. */
  onSent?: () => void;
}

/** Whether there was no more to say, or to ask, than was in a message. `isCut`: a push that more did not fit into. */
export function isWhole(request: Request, answer: Answer, limit: number, isCut: boolean): boolean {
  if (request.kind === 'push') return !isCut && request.offers.length + request.commits.length < limit;
  return answer.kind === 'page' && answer.to.sequence >= answer.last;
}
