import { claimOf } from '../../keys/authorship.ts';
import { verifyAhead } from '../../keys/ed25519.ts';
import type { Commit } from '../../store/changes.ts';
import { yieldingToEventLoop } from '../../store/yield-to-event-loop.ts';

/**
 * Verifies the signatures of commits on other threads before they are decided, while the ones before them are: in the transaction it
 * would keep everybody else from writing. What is not verified ahead is verified as it is judged. Answers how to forget it.
 */
export async function proveAhead(commits: readonly Commit[]): Promise<() => void> {
  const yieldToEventLoop = yieldingToEventLoop();
  const proving: Promise<() => void>[] = [];
  for (let from = 0; from < commits.length; from += AT_ONCE) {
    await yieldToEventLoop();
    proving.push(verifyAhead(commits.slice(from, from + AT_ONCE).flatMap(commit => claimOf(commit) ?? [])));
  }
  const forgetting = await Promise.all(proving);
  return () => {
    for (const forget of forgetting) forget();
  };
}

/** Their texts are made on this thread. */
const AT_ONCE = 50;
