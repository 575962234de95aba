import type { UnitOfWork } from '../store/unit-of-work.ts';

/** What history names the author of a write by: the login, and those that the person had before. */
export function ownLogins(work: UnitOfWork): Set<unknown> {
  const { user, userId } = work.actor;
  const former = work.get('user', Number(userId))?.fields.former_logins;
  return new Set([user, ...(Array.isArray(former) ? former : [])]);
}
