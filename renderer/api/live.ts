import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { createReadAgain } from './read-again.ts';

const PATH = '/api/v2/x/events';
/** Many records can change at once (an import, a first sync); the screen follows at this pace. */
const PACE_MS = 300;

/**
 * Reads everything on screen again when the server says that a record has changed, whoever changed it, or how the exchange
 * with central stands. True while the server can be reached; the browser itself tries again when it cannot.
 */
export function useLive(isSignedIn: boolean): boolean {
  const queries = useQueryClient();
  const [isReached, setIsReached] = useState(true);

  useEffect(() => {
    if (!isSignedIn) return;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let source: EventSource;
    const readAgain = createReadAgain(queries);
    const refresh = () => {
      waiting ??= setTimeout(() => {
        waiting = undefined;
        readAgain();
      }, PACE_MS);
    };
    const open = () => {
      source = new EventSource(PATH);
      for (const name of ['change', 'change-of-many', 'reset', 'sync'])
        source.addEventListener(name, refresh);
      source.onopen = () => {
        setIsReached(true);
        // What changed while nobody listened is not told again.
        refresh();
      };
      source.onerror = () => {
        setIsReached(false);
        void queries.invalidateQueries({ queryKey: ['x.session.read'] });
        // After an answer that is not a stream (signed out, locked) the browser does not try again by itself.
        if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, 2_000);
      };
    };
    open();
    return () => {
      source.close();
      clearTimeout(waiting);
      clearTimeout(retry);
    };
  }, [isSignedIn, queries]);

  return isReached;
}
