import type { Trail } from '../../audit/trail.ts';
import type { Tokens } from '../../identity/tokens.ts';
import type { AnswerContext } from '../../rules/answers.ts';
import type { Store } from '../../store/store.ts';
import type { NameOf } from '../../sync/held-answer.ts';
import type { EarlierHistory } from '../../sync/station/earlier-history.ts';
import type { EventStreams } from '../event-stream.ts';
import type { Reply, RequestContext } from '../request-context.ts';
import type { ReadSignature } from '../signing.ts';
import type { SerializedResponse, Write } from '../write.ts';

/** What handlers work with. */
export interface Services {
  store: Store;
  /** What is missing of records' histories is asked for where somebody looks at them. */
  earlier: Pick<EarlierHistory, 'look'>;
  tokens: Tokens;
  streams: EventStreams;
  /** The system's own. */
  trail: Trail;
  write: Write;
  /** For what is signed and is no write of records: letting in what was held. */
  readSignature: ReadSignature;
  /** Whether this installation belongs to a central. */
  isAtStation: () => boolean;
  /** Of the central that this station belongs to; undefined where it stands alone or is central. */
  centralAddress: () => string | undefined;
  clock: () => Date;
  /** What people call an installation; null where it is not known here. */
  nameOf: NameOf;
  /** Reads of committed state, for an answer made now. */
  reading: () => AnswerContext;
}

/** Answers a call: with a reply to send, or having sent one itself (streams). */
export type Handler = (
  services: Services,
  context: RequestContext,
) => Reply | Promise<SerializedResponse | Reply | undefined>;
