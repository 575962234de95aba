import { useCallback, useRef } from 'react';

/**
 * `Idempotency-Key` for a write that may have to be repeated because its answer was lost: the same for the same body, so
 * that it counts once, and another as soon as the body is another one. `done` begins anew after an answer.
 */
export function useWriteKey(): { headersFor: (body: unknown) => Record<string, string>; done: () => void } {
  const last = useRef<{ text: string; key: string }>(undefined);
  const headersFor = useCallback((body: unknown) => {
    const text = JSON.stringify(body) ?? '';
    if (last.current?.text !== text) last.current = { text, key: crypto.randomUUID() };
    return { 'Idempotency-Key': last.current.key };
  }, []);
  const done = useCallback(() => {
    last.current = undefined;
  }, []);
  return { headersFor, done };
}
