/**
 * Runs long work in turn, so that what many ask for takes no more of the thread than one: a piece that is asked for again
 * in the same state is done once, and who asks while an older one is under way waits for the next, which everybody who
 * asks meanwhile shares.
 * @param stateOf what the answers follow from; an answer is kept until it changes
 */
export function singleFlight(stateOf: () => string) {
  const kept = new Map<string, { state: string; answer: Promise<unknown> }>();
  const waiting = new Map<string, Promise<unknown>>();
  let turn: Promise<unknown> = Promise.resolve();

  return <Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> => {
    const known = kept.get(name);
    if (known?.state === stateOf()) return known.answer as Promise<Answer>;
    const shared = waiting.get(name) as Promise<Answer> | undefined;
    if (shared) return shared;
    const next = turn.then(() => {
      waiting.delete(name);
      const answer = work();
      kept.set(name, { state: stateOf(), answer });
      answer.catch(() => kept.delete(name));
      return answer;
    });
    waiting.set(name, next);
    turn = next.catch(() => {});
    return next;
  };
}
