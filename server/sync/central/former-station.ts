import { AppError } from '../../../shared/contract/errors.ts';
import { type Answer, type PullRequest, type Request, SPEAKS } from '../protocol/wire.ts';

/**
 * A program that speaks 1 (0.1.0) drops what it does not know of a commit, such as who signed it, and is damaged once it
 * reads such a commit again: it is given nothing of the log. What it has to send, it sends.
 */

/** What a station tells of itself with a message. */
interface Told {
  unsent: number;
  speaks?: number | undefined;
}

/** Whether a station says of itself that it speaks 1; of one that says nothing at all it is not known. */
export function isOfFormer(about: Told | undefined): boolean {
  return about !== undefined && (about.speaks ?? 1) < SPEAKS;
}

/** The answer to a question for the log, with the heads of the station's chains and nothing of the log. */
export async function headsAlone(
  request: Exclude<Request, { kind: 'push' }>,
  answer: (asked: PullRequest) => Promise<Answer>,
): Promise<Answer> {
  const { request: name, station, protocol, cursor } = request;
  const answered = await answer({ request: name, station, protocol, cursor, kind: 'pull', limit: 1 });
  if (answered.kind !== 'page') return answered;
  const { packed: _, ...page } = answered;
  return { ...page, entries: [], to: cursor, last: cursor.sequence };
}

/**
 * @throws AppError `upgrade_required` unless the station, after a start, has to hear of the heads of its chains to send what it
 * has
 */
export function refuseFormer(request: Request, about: Told | undefined): void {
  const knowsHeads = request.kind !== 'pull' || request.packed === undefined || request.packed.length > 0;
  if (!knowsHeads && about && about.unsent > 0) return;
  throw new AppError(
    'upgrade_required',
    "The station's program is of a version that cannot keep what people sign: it gets nothing new from central until it is updated. What is recorded there is sent to central all the same.",
  );
}
