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

/** A stretch of work that a read beside it hardly notices, in milliseconds, and how many times as long the rest after it is. */
const SHORT_STRETCH = 1;
const REST = 3;

/** Milliseconds that a piece of work goes on for: what it waits for is no work. */
export function workingClock() {
  let waited = 0;
  return {
    now: () => performance.now() - waited,
    async waitFor<Result>(others: Promise<Result>): Promise<Result> {
      const begun = performance.now();
      try {
        return await others;
      } finally {
        waited += performance.now() - begun;
      }
    },
  };
}

/**
 * As `yieldingToEventLoop`, for long work that nobody waits for at once: in short stretches, and while others are busy with a long rest
 * after each, so that it holds the thread a quarter of the time.
 * @param now of a `workingClock`: after a wait that passed for work the rest would be three times as long
 */
export function restingBetween(isBusy: () => boolean, now: () => number): YieldToEventLoop {
  let since = now();
  return () => {
    const worked = now() - since;
    if (worked < SHORT_STRETCH) return undefined;
    return new Promise(resolve => {
      const goOn = () => {
        since = now();
        resolve();
      };
      if (isBusy()) setTimeout(goOn, worked * REST);
      else setImmediate(goOn);
    });
  };
}

/** Work in steps; between two of them others may have their turn. */
export type Steps<Result> = Generator<undefined, Result>;

/** Takes all steps at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Lets other work through between steps. */
export async function inTurns<Result>(
  steps: Steps<Result>,
  yieldToEventLoop: YieldToEventLoop = yieldingToEventLoop(),
): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    const others = yieldToEventLoop();
    if (others) await others;
  }
}

/** As `inTurns`; the result itself where no turn was due meanwhile, as of most commits of a push. */
export function untilOthersWait<Result>(
  steps: Steps<Result>,
  yieldToEventLoop: YieldToEventLoop,
): Result | Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    const others = yieldToEventLoop();
    if (others) return others.then(() => inTurns(steps, yieldToEventLoop));
  }
}
