/** A stretch of work that nobody notices. In milliseconds. */
const STRETCH = 8;

/** Lets other work through when this one has held the thread for a while; awaited between two steps of it. */
export type YieldToEventLoop = () => Promise<void> | undefined;

/** For one piece of work: many records that are read on the thread that answers everybody. */
export function yieldingToEventLoop(): YieldToEventLoop {
  let since = performance.now();
  return () => {
    if (performance.now() - since < STRETCH) return undefined;
    return new Promise(resolve => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
