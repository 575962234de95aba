import { hash } from 'node:crypto';
import { AppError, invalid } from '../../shared/contract/errors.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import type { AnswerContext } from '../rules/answers.ts';
import type { CommitRequest } from '../store/commit.ts';
import type { RememberedAnswer } from '../store/remembered-answers.ts';
import type { Store } from '../store/store.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';
import { isOfRecord } from './answer-tags.ts';
import { bodyText, etagOf } from './reply.ts';
import { actorOf, type Reply, type RequestContext } from './request-context.ts';
import type { ReadSignature } from './signing.ts';
import { refuseUnknown } from './strictness.ts';

/** What a write does: put records into the unit of work, then answer from what is written. */
export interface WritePlan<Work, Data = unknown> {
  reason: string | null;
  work: (work: UnitOfWork) => Work;
  answer: (reads: AnswerContext, work: Work) => Reply<Data>;
  /** Commits that come before it in its transaction: all of them or none. */
  before?: (commit: CommitOfCaller) => Promise<void>;
}

/** A commit in a transaction that has others of the same caller. */
export type CommitOfCaller = <Work, Answer>(
  request: Omit<CommitRequest<Work, Answer>, 'actor'>,
) => Promise<Answer>;

export type Write = <Work, Data>(
  context: RequestContext,
  plan: WritePlan<Work, Data>,
) => Promise<SerializedResponse<Data>>;

/** A reply as it goes out and as it is remembered: the body is text already. */
export interface SerializedResponse<Data = unknown> {
  /** Of which answer it is the text: for the types alone. */
  readonly of?: Data;
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Never part of what is kept or hashed for a replay, but for whether they came: who signs nothing gets no signed answer. */
const SECRETS = new Set(['esignature_password', 'password', 'current_password']);
const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Runs a write through the gate, once for an `Idempotency-Key` (interface decisions, 2): the answer is kept in the
 * transaction of the write, so a crash between the two leaves both or neither.
 * @param isShared whether other processes write to the same installation: the same request may run at one of them just now,
 * so that its answer is looked for again in the transaction
 */
export function createWrite(
  store: Store,
  clock: () => Date,
  readSignature: ReadSignature,
  isShared = false,
): Write {
  const running = new Set<string>();
  return async <Work, Data>(
    context: RequestContext,
    plan: WritePlan<Work, Data>,
  ): Promise<SerializedResponse<Data>> => {
    const signing = await readSignature(context);
    const key = keyOf(context);
    const requestHash = key === undefined ? '' : hashOf(context);
    const slot = `${context.tokenId} ${key}`;
    if (key !== undefined) {
      if (running.has(slot)) {
        throw new AppError(
          'conflict',
          'A request with this Idempotency-Key is still running. Wait for its answer.',
        );
      }
      const known = store.answers.find(context.tokenId, key);
      // A replay is asked for by what was accepted once; anything else hears what is at fault.
      if (known && Object.keys(context.faults).length === 0) return replayed(known, requestHash);
      running.add(slot);
    }
    // What another process has answered meanwhile is here once the transaction has begun.
    const refuseAnswered = () => {
      const known =
        isShared && key !== undefined ? store.answers.find(context.tokenId, key, store.database) : undefined;
      // As above: what is at fault, such as a wrong password, is refused by what comes next.
      if (known && Object.keys(context.faults).length === 0) throw new AlreadyAnswered(known);
    };
    try {
      const actor = actorOf(context);
      const last: CommitRequest<Work, SerializedResponse<Data>> = {
        actor,
        reason: plan.reason,
        ...(signing && { signing }),
        faults: context.faults,
        work: isShared
          ? work => {
              refuseAnswered();
              return plan.work(work);
            }
          : plan.work,
        answer: work => {
          const reads = { records: store.pending, sql: store.database, now: clock().toISOString() };
          const reply = plan.answer(reads, work);
          if (context.isStrict) refuseUnknown(context.operation, reply);
          const sent: SerializedResponse<Data> = { ...reply, body: bodyText(reply, context.query.ignored) };
          if (key !== undefined)
            store.answers.keep(context.tokenId, key, { ...sent, request_hash: requestHash });
          return sent;
        },
      };
      const { before } = plan;
      if (!before) return await store.gate.commit(last);
      return await store.gate.together(async commit => {
        refuseAnswered();
        await before(request => commit({ ...request, actor }));
        return commit(last);
      });
    } catch (error) {
      if (error instanceof AlreadyAnswered) return replayed(error.answer, requestHash);
      throw error;
    } finally {
      running.delete(slot);
    }
  };
}

/** Undoes a write that another process has made already, and answered. */
class AlreadyAnswered extends Error {
  readonly answer: RememberedAnswer;

  constructor(answer: RememberedAnswer) {
    super('Another process has answered the request.');
    this.answer = answer;
  }
}

/** Refuses a write that was made against another version of the record (`If-Match`). */
export function checkIfMatch(context: RequestContext, record: StoredRecord | undefined): void {
  const wanted = context.request.headers['if-match'];
  if (wanted === undefined || (wanted === '*' && record)) return;
  if (!record)
    throw new AppError('stale', 'There is no such record yet. Repeat the request without If-Match.');
  const current = etagOf(record);
  if (isOfRecord(wanted, current)) return;
  throw new AppError(
    'stale',
    `The record has changed meanwhile; it is now ${current}. Read it again and repeat the change.`,
  );
}

function keyOf({ request, faults, part }: RequestContext): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  // No key has a space: one of a part is never that of another request.
  if (typeof key === 'string' && KEY.test(key)) return part ? `${key} ${part.name}` : key;
  faults['Idempotency-Key'] = ['The key must be 1 to 255 visible ASCII characters.'];
  return undefined;
}

function hashOf({ request, body, part }: RequestContext): string {
  const withoutSecrets = JSON.stringify((part ? part.body : body) ?? null, (name, value) =>
    SECRETS.has(name) ? typeof value === 'string' && value !== '' : value,
  );
  return hash('sha256', `${request.method} ${request.originalUrl} ${withoutSecrets}`);
}

function replayed(known: RememberedAnswer, requestHash: string): SerializedResponse<never> {
  if (known.request_hash !== requestHash) {
    const message = 'The key was used for another request. Take a new key for a new request.';
    throw invalid({ 'Idempotency-Key': [message] });
  }
  if (known.body === '') {
    const message =
      'This was done when the key came first; its answer is no longer kept. Read the records, and take a new key for a new request.';
    throw new AppError('conflict', message);
  }
  return {
    status: known.status,
    headers: { ...known.headers, 'Idempotent-Replayed': 'true' },
    body: known.body,
  };
}
