import { useSyncExternalStore } from 'react';

/** What something that ended the session has to say, in the present language. */
export interface Word {
  title: string;
  text: string;
}

let word: Word | null = null;
const listeners = new Set<() => void>();

/** Joining a central ends all sessions: what became of it is said where the next one begins. Null: it has been read. */
export function leaveWord(next: Word | null): void {
  word = next;
  for (const listener of listeners) listener();
}

export function useWordLeft(): Word | null {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => word,
  );
}
