import type { JSHandle, Page } from 'playwright-core';

/**
 * When something is on the screen: in the task after the frame that draws it. Of one clock with `event.timeStamp` and
 * with the page's entries of performance, in milliseconds.
 */
export type AfterPaint = () => Promise<number>;

declare global {
  interface Window {
    afterPaint: AfterPaint;
    /** Waits until what the screen holds makes it true, and is painted. */
    paintedOnce(isShown: () => boolean): Promise<number>;
  }
}

/** What the screens' benchmark asks of every page that is opened from now on. */
export async function watchPaint(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.afterPaint = () =>
      new Promise(resolve => {
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now());
          port2.postMessage(null);
        });
      });
    window.paintedOnce = isShown =>
      new Promise(resolve => {
        const look = () => {
          if (!isShown()) return false;
          observer.disconnect();
          resolve(window.afterPaint());
          return true;
        };
        const observer = new MutationObserver(look);
        const all = { attributes: true, characterData: true, childList: true, subtree: true };
        if (!look()) observer.observe(document.body, all);
      });
  });
}

/** Milliseconds that the page's main thread has worked so far, however busy the machine is with other things. */
export async function workOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  };
}

/** How long something took, and how much of it the page's main thread worked, in milliseconds. */
export interface Taken {
  ms: number;
  work?: number;
}

/** A watch that was set in the page before the keys that it waits for; its promise is fulfilled when all is painted. */
export type Watch<Value> = JSHandle<{ seen: Promise<Value> }>;

export async function seenBy<Value>(watch: Watch<Value>): Promise<Value> {
  const value = await watch.evaluate(({ seen }) => seen);
  await watch.dispose();
  return value;
}
