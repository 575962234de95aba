import type { AuditKind } from '../../shared/families/audit-event.ts';
import { mapOf } from '../store/changes.ts';

/** What central writes of who signs in where. */
export const ASSIGNING = [
  'key_given',
  'person_assigned',
  'person_unassigned',
  'station_grouped',
  'station_revoked',
] as const satisfies AuditKind[];

/** Details of `person_assigned` and `person_unassigned`: a station, or a group, and which stations it had then. */
export type AssignedTo = { station: string; name: string } | { group: string; stations: string[] };

export type Assigned = 'signed_in' | 'assigned' | 'group';

interface Station {
  station: string;
  group: string | null;
}

/** Who signs in where, as central's own events say one after the other: of a station the last word counts, of a group as well. */
export class Assignments {
  /** Users by station, and by group. */
  readonly #signedIn = new Users();
  readonly #assigned = new Users();
  readonly #ofGroup = new Users();

  note({ kind, subject, details }: Readonly<Record<string, unknown>>): void {
    const { station, group, stations, before } = mapOf(details);
    if (kind === 'station_revoked') {
      // Others may have had the machine: who signs in there again says so.
      for (const users of [this.#signedIn, this.#assigned]) users.forget(station);
      return;
    }
    if (kind === 'station_grouped') {
      this.#leave(this.#ofGroup.of(before), [station]);
      return;
    }
    const user = userIn(subject);
    if (user === undefined) return;
    if (kind === 'key_given') this.#signedIn.add(station, user);
    if (kind === 'person_assigned' && group === undefined) this.#assigned.add(station, user);
    if (kind === 'person_assigned') this.#ofGroup.add(group, user);
    if (kind !== 'person_unassigned') return;
    this.#ofGroup.delete(group, user);
    this.#assigned.delete(station, user);
    this.#leave([user], group === undefined ? [station] : Array.isArray(stations) ? stations : []);
  }

  /** Whose passwords the station has, and why. */
  at({ station, group }: Station): Map<number, Assigned> {
    const people = new Map<number, Assigned>();
    for (const user of this.#ofGroup.of(group)) people.set(user, 'group');
    for (const user of this.#assigned.of(station)) people.set(user, 'assigned');
    for (const user of this.#signedIn.of(station)) people.set(user, 'signed_in');
    return people;
  }

  isOfGroup(group: string | null, user: number): boolean {
    return this.#ofGroup.of(group).has(user);
  }

  /** That they signed in there, too, counts no more: who was assigned has mostly done so. */
  #leave(users: Iterable<number>, stations: readonly unknown[]): void {
    for (const user of users) for (const station of stations) this.#signedIn.delete(station, user);
  }
}

/** Ids of users, by a name. */
class Users {
  readonly #by = new Map<string, Set<number>>();

  of(name: unknown): ReadonlySet<number> {
    return (typeof name === 'string' && this.#by.get(name)) || new Set();
  }

  add(name: unknown, user: number): void {
    if (typeof name === 'string') this.#by.set(name, new Set([...this.of(name), user]));
  }

  delete(name: unknown, user: number): void {
    if (typeof name === 'string') this.#by.get(name)?.delete(user);
  }

  forget(name: unknown): void {
    if (typeof name === 'string') this.#by.delete(name);
  }
}

/** The user that an event is about. */
export function userIn(subject: unknown): number | undefined {
  const id = /^user:(\d+)$/.exec(String(subject))?.[1];
  return id === undefined ? undefined : Number(id);
}
