import type { RecordAnswer } from '../../../shared/contract/present.ts';
import type { AnswerOf, CustomOperation, OperationId } from '../../../shared/operations/operation-types.ts';
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
export type Handler<Id extends string = string, Data = unknown> = (
  services: Services,
  context: RequestContext<Id>,
) => Reply<Data> | Promise<SerializedResponse<Data> | Reply<Data> | undefined>;

/** What the table says that the operation answers; of a record what `present` makes of it. */
type Answering<Id extends OperationId> = Kept<AnswerOf<Id>> | RecordAnswer | RecordAnswer[];
/** Lists that nobody changes are answered as well. */
type Kept<Data> = Data extends readonly (infer Row)[] ? readonly Members<Row>[] : Members<Data>;
type Members<Row> = Row extends object ? { [Name in keyof Row]: Row[Name] | ReadonlyList<Row[Name]> } : Row;
type ReadonlyList<Value> = Value extends readonly (infer Entry)[] ? readonly Entry[] : never;

/**
 * The handlers of all operations that do not follow from a family, by their ids: an operation without one, one of no
 * operation, one that answers something else and one that takes what a body has not do not compile. Of a family's operations only those that differ.
 */
export type Handlers = { [Id in CustomOperation['id']]: Handler<Id, Answering<Id>> } & {
  [Id in Exclude<OperationId, CustomOperation['id']>]?: Handler<Id, Answering<Id>>;
};
