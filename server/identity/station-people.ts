import { readJson } from '../../shared/contract/read-json.ts';
import { AuditReader } from '../audit/read-events.ts';
import { mapOf } from '../store/changes.ts';
import type { UserSecret } from '../store/identity-tables.ts';
import type { StationRow } from '../store/station-rows.ts';
import type { Store } from '../store/store.ts';
import { readLocal, writeLocal } from '../store/tables.ts';
import { ASSIGNING, type Assigned, Assignments, userIn } from './assignments.ts';
import { peopleAt } from './revocation.ts';
import { digestOfSecrets, type Secrets } from './secrets.ts';

/** Under which `local` has what stations had been given when central began to give each no more than it needs. */
const BEFORE = 'secrets_before';

/** Why a station has somebody's password: who proved it there to central, by an administrator's word, or by the station's from before. */
export type Why = Assigned | 'before';

type Station = Pick<StationRow, 'id' | 'station' | 'enrolled_at' | 'group'>;

/** What stations had been given before: by the id of each when it enrolled, and the version of each password. */
interface Before {
  stations: Readonly<Record<string, unknown>>;
  versions: Readonly<Record<string, unknown>>;
}

export interface StationPeopleOptions {
  store: Store;
  secrets: Secrets;
  stations: () => readonly Station[];
}

export type StationPeople = ReturnType<typeof createStationPeople>;

/**
 * At central: whose passwords a station is given. Those of who gave theirs there while central was in reach, and of who is
 * assigned to it or to its group. The trail says so, and comes back with the log where central was restored. What a station says of who signed in there
 * counts for nothing but passwords that it had been given already by a central of before: it names whom it likes.
 */
export function createStationPeople({ store, secrets, stations }: StationPeopleOptions) {
  const { database } = store;
  let known: Assignments | undefined;
  /** Of each station: how many changes of the trail, and which hashes, its digest is of. */
  const digests = new Map<string, { mark: string; digest: string }>();
  let changes = 0;
  const before: Before = readBefore() ?? { stations: {}, versions: {} };
  /** Who signed in at a station that enrolled before, by its own word. */
  const former = new Map<string, Promise<Set<number>>>();
  const stop = store.gate.follow(({ records }) => {
    for (const { family, id, isNew } of records) {
      if (family === 'audit-event' && isNew) apply(id);
      // Somebody may have left, or come back.
      if (family === 'user') changes += 1;
    }
  });

  function readBefore(): Before | undefined {
    const text = readLocal(database.reader, BEFORE);
    if (text === undefined) return undefined;
    const { stations: of, versions } = mapOf(readJson(text));
    return { stations: mapOf(of), versions: mapOf(versions) };
  }

  /** At the first start of a version that asks: what was given by then is given. */
  async function begin(): Promise<void> {
    if (readBefore() || database.damage) return;
    const of = Object.fromEntries(stations().map(({ id, enrolled_at: at }) => [id, at]));
    const versions = Object.fromEntries(secrets.all().map(({ user_id: id, version }) => [id, version]));
    await store.gate.together(async () =>
      writeLocal(database, BEFORE, JSON.stringify({ stations: of, versions })),
    );
    Object.assign(before, { stations: of, versions });
  }

  function apply(eventId: number): void {
    // Nothing was asked for yet.
    if (!known && former.size === 0) return;
    const event = store.records.get('audit-event', eventId);
    if (!event) return;
    const { kind, subject } = event.fields;
    if (event.station === store.station) {
      if (!known || !ASSIGNING.some(each => each === kind)) return;
      known.note(event.fields);
    } else {
      // Of a station that was away: who signed in there meanwhile.
      const user = userIn(subject);
      const there = former.get(event.station);
      if (!there || user === undefined || (kind !== 'signed_in' && kind !== 'session_certified')) return;
      keepFormer(
        event.station,
        there.then(people => people.add(user)),
      );
    }
    changes += 1;
  }

  /** By what central itself has written: a station's word on its people is none. */
  function read(): Assignments {
    if (known) return known;
    known = new Assignments();
    for (const { fields } of new AuditReader(store).all({ kinds: ASSIGNING, station: store.station }))
      known.note(fields);
    return known;
  }

  async function of(station: Station): Promise<Map<number, Why>> {
    const people: Map<number, Why> = read().at(station);
    if (before.stations[station.id] !== station.enrolled_at) return people;
    const there =
      former.get(station.station) ??
      keepFormer(
        station.station,
        peopleAt(store, station.station).then(ids => new Set(ids)),
      );
    for (const id of await there)
      if (!people.has(id) && isUnchanged(secrets.of(id))) people.set(id, 'before');
    return people;
  }

  /** What could not be read is read again when it is asked for next. */
  function keepFormer(station: string, people: Promise<Set<number>>): Promise<Set<number>> {
    former.set(station, people);
    people.catch(() => {
      if (former.get(station) === people) former.delete(station);
    });
    return people;
  }

  /** Whether the station was given this very password before. */
  function isUnchanged(secret: UserSecret | undefined): boolean {
    return secret !== undefined && secret.version === before.versions[secret.user_id];
  }

  /** Hashes of its people who may sign in, and their digest. */
  async function secretsFor(station: Station): Promise<{ changed: UserSecret[]; cursor: string }> {
    const people = await of(station);
    const isActive = (id: number) => store.records.get('user', id)?.fields.is_active === true;
    const changed = secrets.all().filter(({ user_id: id }) => people.has(id) && isActive(id));
    return { changed, cursor: digestOfSecrets(changed) };
  }

  /** As the answer to each of the station's questions has it. */
  async function digestFor(station: Station): Promise<string> {
    const mark = JSON.stringify([changes, station.enrolled_at, station.group, secrets.mark()]);
    const kept = digests.get(station.station);
    if (kept?.mark === mark) return kept.digest;
    const { cursor: digest } = await secretsFor(station);
    digests.set(station.station, { mark, digest });
    return digest;
  }

  const isOfGroup = (group: string | null, user: number) => read().isOfGroup(group, user);

  return { begin, of, isOfGroup, secretsFor, digestFor, close: stop };
}
