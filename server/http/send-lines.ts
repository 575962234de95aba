import { restingBetween } from '../store/yield-to-event-loop.ts';
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
  // While the client reads, nothing is worked.
  let waited = 0;
  const working = () => performance.now() - waited;
  const yieldToEventLoop = restingBetween(() => traffic.isBusy, working);
  for (const line of lines) {
    const others = yieldToEventLoop();
    if (others) await others;
    if (response.destroyed) return;
    if (response.write(line)) continue;
    const full = performance.now();
    await drained(response);
    waited += performance.now() - full;
  }
  response.end();
}
