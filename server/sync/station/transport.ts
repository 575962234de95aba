import type { LogDigests } from '../log/digest.ts';
import type { Answer, Request } from '../protocol/wire.ts';

/** An answer, with what stands beside it. */
export type Answered = Answer & {
  digests?: LogDigests | undefined;
  /** Pushes that central takes from one station at once, the one that it works on included. */
  pushes?: number | undefined;
};

/** The way to central. */
export interface Transport {
  /** @throws an error whose message a person understands: no network, a captive portal, refused. */
  exchange(request: Request, sending: Sending): Promise<Answered>;
}

export interface Sending {
  signal: AbortSignal;
  /** Called when the last byte has left, so that no other request overtakes it. */
  onSent?: () => void;
}

/** Whether there was no more to say, or to ask, than was in a message. */
export function isWhole(request: Request, answer: Answer, limit: number): boolean {
  if (request.kind === 'push') return request.offers.length + request.commits.length < limit;
  return answer.kind === 'page' && answer.to.sequence >= answer.last;
}
