import { AppError } from '../contract/errors.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

export interface RepeatOptions {
  /** Milliseconds from the first try on in which another one may begin. */
  retryFor: number;
  signal?: AbortSignal | undefined;
}

/**
 * Tries again after lost answers, time limits, 429 and 503: after what `Retry-After` says, else after waits that double up to
 * 5 s, a random part of each off so that many clients do not come at once. Throws the last error when the time is over.
 */
export async function repeatUntilAnswered<Answer>(
  attempt: () => Promise<Answer>,
  { retryFor, signal }: RepeatOptions,
): Promise<Answer> {
  const deadline = Date.now() + retryFor;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isPassing(error)) throw error;
      const pause = retryAfterOf(error) ?? wait * (0.5 + Math.random() / 2);
      if (Date.now() + pause >= deadline) throw error;
      await sleep(pause, signal);
    }
  }
}

function isPassing(error: unknown): error is AppError {
  return error instanceof AppError && ['unavailable', 'timeout', 'too_many_requests'].includes(error.code);
}

/** Milliseconds; the header has seconds or a date. */
function retryAfterOf({ headers }: AppError): number | undefined {
  const text = headers['Retry-After'];
  if (text === undefined) return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Rejects with the reason of the signal. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
