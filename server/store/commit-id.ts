import { randomUUID } from 'node:crypto';

/**
 * A name for a commit that nobody has used: UUID version 7 (RFC 9562, 5.7), the time before the random part. Names made
 * one after the other stand beside each other in an index, so that a transaction of many commits writes few of its
 * pages. Nothing but that follows from the time in it.
 */
export function newCommitId(): string {
  const time = Math.max(0, Date.now()).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
