import type { WebContents } from 'electron';

/** Of a page that dies as soon as it is there, a person decides. */
const MOST_RELOADS = 3;
const WITHIN_MS = 60_000;

export interface PageRecoveryOptions {
  contents: Pick<WebContents, 'reload' | 'forcefullyCrashRenderer'> & {
    on(
      event: 'render-process-gone',
      listener: (event: unknown, details: { reason: string }) => void,
    ): unknown;
    on(event: 'unresponsive' | 'responsive', listener: () => void): unknown;
  };
  /** Whether a person wants the page anew; false waits on. `signal`: the page answers again. */
  ask: (what: 'gone' | 'unresponsive', signal: AbortSignal) => Promise<boolean>;
  log: (text: string) => void;
  now?: () => number;
}

/** A page whose process has ended comes back by itself; of one that does not answer a person is asked. */
export function recoverPage({
  contents,
  ask,
  log,
  now = () => performance.now(),
}: PageRecoveryOptions): void {
  let reloads: number[] = [];
  let waiting: AbortController | undefined;

  contents.on('render-process-gone', (_event, { reason }) => {
    waiting?.abort();
    // The window is being closed.
    if (reason === 'clean-exit') return;
    log(`The page's process ended: ${reason}.\n`);
    reloads = [...reloads.filter(at => now() - at < WITHIN_MS), now()];
    if (reloads.length <= MOST_RELOADS) return contents.reload();
    reloads = [];
    void ask('gone', new AbortController().signal).then(isWanted => isWanted && contents.reload());
  });

  contents.on('unresponsive', () => {
    if (waiting) return;
    log('The page does not answer.\n');
    const own = new AbortController();
    waiting = own;
    void ask('unresponsive', own.signal).then(isWanted => {
      waiting = undefined;
      // Its end brings it back.
      if (isWanted && !own.signal.aborted) contents.forcefullyCrashRenderer();
    });
  });
  contents.on('responsive', () => waiting?.abort());
}
