import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ownChanges } from './own-changes.ts';
import { createReadAgain } from './read-again.ts';

const PATH = '/api/v2/x/events';
/** Many records can change at once (an import, a first sync); the screen follows at this pace. */
const PACE_MS = 300;

/** How the exchange and the clock stand changes without a record that does. */
const isStanding = ({ queryKey: [operation] }: Query) => /^x\.(sync|clock)\b/.test(String(operation));

/**
 * Reads everything on screen again when the server says that a record has changed, or how the exchange with central
 * stands. What this window has changed itself is on screen already (`ownChanges`). True while the server can be reached;
 * the browser itself tries again when it cannot.
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
    const told = new Set<string>();
    let last = '';
    let isOpenedAgain = false;
    const refresh = (place = '') => {
      told.add(place);
      waiting ??= setTimeout(() => {
        waiting = undefined;
        const isNews = [...told].some(each => !ownChanges.isRead(each));
        told.clear();
        if (isNews) readAgain();
      }, PACE_MS);
    };
    const change = ({ lastEventId }: MessageEvent) => {
      // Of the events of one commit the last has the place after it, and the others that of the commit before.
      if (lastEventId === last) return;
      last = lastEventId;
      refresh(last);
    };
    const open = () => {
      source = new EventSource(PATH);
      source.addEventListener('cursor', ({ lastEventId }) => {
        last = lastEventId;
        // What stood otherwise while nobody listened is not told again.
        if (isOpenedAgain || !ownChanges.isRead(last)) refresh();
        else void queries.invalidateQueries({ predicate: isStanding }, { cancelRefetch: false });
        isOpenedAgain = true;
      });
      for (const name of ['change', 'change-of-many']) source.addEventListener(name, change);
      for (const name of ['reset', 'sync']) source.addEventListener(name, () => refresh());
      source.onopen = () => setIsReached(true);
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
