import { restingBetween, workingClock } from '../store/yield-to-event-loop.ts';
import { drained } from './reply.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Writes the lines of an answer that has no end to speak of and ends it: as fast as the client reads them, and while others
 * ask, a quarter of the time. A client that leaves ends it.
 */
export async function sendLines(
  { response, traffic }: Pick<RequestContext, 'response' | 'traffic'>,
  lines: Iterable<string>,
): Promise<void> {
  const clock = workingClock();
  const yieldToEventLoop = restingBetween(() => traffic.isBusy, clock.now);
  for (const line of lines) {
    const others = yieldToEventLoop();
    if (others) await others;
    if (response.destroyed) return;
    if (!response.write(line)) await clock.waitFor(drained(response));
  }
  response.end();
}
