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
  exchange(request: Request, signal: AbortSignal): Promise<Answered>;
}
