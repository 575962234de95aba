import { applyChanges, type Commit, type Fields } from '../../store/changes.ts';
import { readHistory } from '../../store/history.ts';
import type { Store } from '../../store/store.ts';

/** The roles that a person has from a place of the log on; `later`: from some place after that of the commit. */
export interface RolesFrom {
  place: number | 'later';
  roles: readonly string[];
}

/** Changes of one person that are looked at. */
const MOST = 1_000;

/**
 * What roles a person had, the oldest first, as history tells: none while the account was not active.
 * @param placeOf where a commit began to count; undefined for what does not count
 */
export function rolesInHistory(
  { database, pending }: Store,
  key: string,
  placeOf: (commit: Commit) => RolesFrom['place'] | undefined,
): RolesFrom[] {
  const { commits } = readHistory(database, pending.subjectNumberOf(key), 0, MOST);
  const steps: RolesFrom[] = [];
  let fields: Fields = {};
  for (const commit of commits) {
    const place = placeOf(commit);
    if (place === undefined) continue;
    const changes = commit.entries.flatMap(entry => (entry.subject === key ? entry.changes : []));
    fields = applyChanges(fields, changes, commit.at);
    const { roles, is_active: isActive } = fields;
    steps.push({ place, roles: isActive !== false && Array.isArray(roles) ? roles : [] });
  }
  return steps;
}

/** Those at a place of the log. None where something was let in later than it came: since when that counts is not looked up. */
export function rolesAt(place: number, steps: readonly RolesFrom[]): readonly string[] {
  if (steps.some(step => step.place === 'later')) return [];
  return steps.findLast(step => step.place !== 'later' && step.place <= place)?.roles ?? [];
}

/** All that somebody had at that place or later. */
export function rolesSince(place: number, steps: readonly RolesFrom[]): readonly string[] {
  const next = steps.findIndex(step => step.place === 'later' || step.place > place);
  const from = next < 0 ? steps.length - 1 : Math.max(0, next - 1);
  return steps.slice(Math.max(0, from)).flatMap(({ roles }) => roles);
}
