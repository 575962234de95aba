import { z } from 'zod';

const KEY = 'holdpoint.users';
const MOST = 8;
const schema = z.array(z.object({ login: z.string(), name: z.string() })).catch([]);

export type KnownUser = z.infer<typeof schema>[number];

/** Who signed in on this browser lately, newest first: for switching at a shared station. */
export function knownUsers(): KnownUser[] {
  const stored = localStorage.getItem(KEY);
  if (stored === null) return [];
  try {
    return schema.parse(JSON.parse(stored));
  } catch {
    // Not ours, or cut off: the list is a convenience.
    return [];
  }
}

export function rememberUser({ login, name }: KnownUser): void {
  const others = knownUsers().filter(user => user.login !== login);
  localStorage.setItem(KEY, JSON.stringify([{ login, name }, ...others].slice(0, MOST)));
}
