import type { QueryClient } from '@tanstack/react-query';
import { CHANGE_CURSOR } from '../../shared/contract/change-place.ts';
import { readOnceMore } from './read-again.ts';

/** A place is told within moments of its answer. */
const KEPT = 100;

/**
 * The changes that this window has made itself: a screen that has been read again since their answer need not be read
 * once more when the server tells of them.
 */
export function createOwnChanges() {
  let answered: string[] = [];
  let read: string[] = [];
  let hasBegun = false;
  return {
    /** `fetch`, which takes note of the place that the answer to a write names. */
    async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
      const response = await fetch(input, init);
      const place = response.headers.get(CHANGE_CURSOR);
      if (place === null) return response;
      const isWrite = init?.method !== undefined && init.method !== 'GET';
      if (isWrite) answered.push(place);
      // Of a session: nothing else has been read before it.
      else if (!hasBegun) read.push(place);
      hasBegun = true;
      return response;
    },
    /** Reads everything on screen again. */
    readAgain(queries: QueryClient): Promise<void> {
      read = [...read, ...answered].slice(-KEPT);
      answered = [];
      // What is read for the first time is not begun anew, and may have been read before the change.
      const first = queries.getQueryCache().findAll({
        type: 'active',
        fetchStatus: 'fetching',
        predicate: ({ state }) => state.data === undefined,
      });
      const done = queries.invalidateQueries();
      for (const query of first) void readOnceMore(queries, query);
      return done;
    },
    /** Whether everything on screen has been read since the change at this place. */
    isRead: (place: string): boolean => read.includes(place),
  };
}

export const ownChanges = createOwnChanges();
