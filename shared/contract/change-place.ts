/**
 * A place among what has changed on a machine, as clients keep it: the epoch, the last commit, the last change without one, so
 * many entries of the next commit, and the beginning of the hash of the last one. Only the machine that gave it reads it.
 */
export const CHANGE_PLACE = /^(\w{1,64})-(\d{1,15})-(\d{1,15})-(\d{1,7})-([0-9a-f]{8}|0)$/;
/** What version 0.1.0 gave: the number of the last commit. */
export const CHANGE_NUMBER = /^\d{1,15}$/;
/**
 * Names, in the answer to a write of a session, the place after it: what is read from then on has all that is told up to
 * there.
 */
export const CHANGE_CURSOR = 'X-Change-Cursor';
/** Either. */
export const ANY_CHANGE_PLACE = /^(\w{1,64}-\d{1,15}-\d{1,15}-\d{1,7}-([0-9a-f]{8}|0)|\d{1,15})$/;
