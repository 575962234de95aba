import { expect, it, onTestFinished } from 'vitest';
import { type AuditEvent, putEvent } from '../../../server/audit/event.ts';
import { groupsOf, peopleAt } from '../../../server/identity/revocation.ts';
import { createSecrets } from '../../../server/identity/secrets.ts';
import { createStationPeople, type StationPeople } from '../../../server/identity/station-people.ts';
import { identityTables } from '../../../server/store/identity-tables.ts';
import type { Store } from '../../../server/store/store.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import { update } from '../store/temporary-store.ts';
import { type Story, story } from '../sync/exchange/push-story.ts';

const AT = '2026-06-15T12:00:00.000Z';
const LOGINS = ['olga', 'ian', 'vera', 'quinn'] as const;
type Login = (typeof LOGINS)[number];

interface Site extends Story {
  people: StationPeople;
  /** The station of `a`. */
  dock: { id: number; station: string; enrolled_at: string; group: string | null };
  idOf: (login: Login) => number;
  setPassword: (login: Login, hash: string) => Promise<void>;
  /** As central's program starts anew. */
  restart: () => StationPeople;
}

/** @param had whether the station had enrolled before central gave each no more than it needs */
async function site(had = false): Promise<Site> {
  const made = await story();
  const { store } = made.central;
  const secrets = createSecrets(identityTables(store.database));
  const idOf = (login: Login) => store.records.findBy('user', 'login', login)[0]?.id ?? 0;
  const setPassword: Site['setPassword'] = (login, hash) =>
    store.gate.together(async () => secrets.put(idOf(login), hash, AT));
  for (const login of LOGINS) await setPassword(login, `first of ${login}`);
  const dock = { id: 1, station: made.a.store.station, enrolled_at: AT, group: null };
  const restart = () => {
    const people = createStationPeople({ store, secrets, stations: () => (had ? [dock] : []) });
    onTestFinished(people.close);
    return people;
  };
  const people = restart();
  await people.begin();
  return { ...made, people, dock, idOf, setPassword, restart };
}

const note = ({ store }: { store: Store }, event: AuditEvent) =>
  store.gate.commit({
    actor: { rights: BY_SERVER, user: 'audit-trail' },
    reason: null,
    work: work => putEvent(work, event),
    answer: () => undefined,
  });

/** The hashes that the station is given. */
async function given({ people, dock }: Pick<Site, 'people' | 'dock'>): Promise<string[]> {
  const { changed, cursor } = await people.secretsFor(dock);
  expect(await people.digestFor(dock)).toBe(cursor);
  return changed.map(({ hash }) => hash);
}

it('a station is given the passwords of who proved theirs there to central or is assigned, as long as that is so', async () => {
  const made = await site();
  const { central, a, dock, idOf } = made;
  const about = (login: Login, kind: AuditEvent['kind'], station = dock.station): AuditEvent => ({
    kind,
    subject: `user:${idOf(login)}`,
    details: { station },
  });
  expect(await given(made)).toEqual([]);
  await note(central, about('olga', 'key_given'));
  expect(await given(made)).toEqual(['first of olga']);
  await note(central, about('ian', 'person_assigned'));
  await note(central, about('vera', 'person_assigned', 'another'));
  expect(await given(made)).toEqual(['first of olga', 'first of ian']);
  await made.setPassword('ian', 'second of ian');
  expect(await given(made)).toEqual(['first of olga', 'second of ian']);

  // What stations say of it is not central's word.
  await note(a, about('quinn', 'key_given'));
  await note(a, about('quinn', 'person_assigned'));
  await note(a, { kind: 'signed_in', subject: `user:${idOf('quinn')}` });
  await made.settle();
  expect(await given(made)).toEqual(['first of olga', 'second of ian']);
  const again = { ...made, people: made.restart() };
  expect(await given(again)).toEqual(['first of olga', 'second of ian']);

  const setActive = (isActive: boolean) =>
    update(central.store, 'user', idOf('olga'), { is_active: isActive });
  await setActive(false);
  expect(await given(made)).toEqual(['second of ian']);
  await setActive(true);
  expect(await given(made)).toEqual(['first of olga', 'second of ian']);

  await note(central, about('ian', 'person_unassigned'));
  expect(await given(made)).toEqual(['first of olga']);
  await note(central, { kind: 'station_revoked', details: { station: dock.station } });
  for (const people of [made.people, again.people, made.restart()])
    expect(await given({ ...made, people })).toEqual([]);
});

it('the stations of a group have the passwords of who is assigned to it, as long as both are so', async () => {
  const made = await site();
  const { central, a, dock, idOf } = made;
  const plant = { ...dock, group: 'Plant 1' };
  const other = { ...plant, id: 2, station: 'another' };
  const of = (login: Login, kind: AuditEvent['kind'], details: AuditEvent['details']): AuditEvent => ({
    kind,
    subject: `user:${idOf(login)}`,
    details,
  });
  const at = (station: Site['dock']) => given({ ...made, dock: station });
  expect(await at(plant)).toEqual([]);
  await note(central, of('olga', 'person_assigned', { group: 'Plant 1', stations: [dock.station] }));
  // A station's word gives nothing.
  await note(a, of('quinn', 'person_assigned', { group: 'Plant 1', stations: [dock.station] }));
  await made.settle();
  for (const station of [plant, other]) expect(await at(station)).toEqual(['first of olga']);
  for (const group of [null, 'Plant 2', 'plant 1']) expect(await at({ ...plant, group })).toEqual([]);

  // Who signed in there as well: that goes with the group, and what an administrator said of the station itself does not.
  await note(central, of('olga', 'key_given', { station: dock.station }));
  await note(central, of('ian', 'person_assigned', { group: 'Plant 1', stations: [dock.station] }));
  await note(central, of('ian', 'person_assigned', { station: dock.station }));
  await note(central, of('vera', 'key_given', { station: dock.station }));
  expect(await at(plant)).toEqual(['first of olga', 'first of ian', 'first of vera']);
  await note(central, {
    kind: 'station_grouped',
    details: { station: dock.station, before: 'Plant 1', group: 'Plant 2' },
  });
  const moved = { ...plant, group: 'Plant 2' };
  expect(await at(moved)).toEqual(['first of ian', 'first of vera']);
  expect(await at(other)).toEqual(['first of olga', 'first of ian']);

  await note(central, of('olga', 'key_given', { station: 'another' }));
  await note(central, of('olga', 'person_unassigned', { group: 'Plant 1', stations: ['another'] }));
  expect(await at(other)).toEqual(['first of ian']);
  const again = { ...made, people: made.restart() };
  expect(await given({ ...again, dock: other })).toEqual(['first of ian']);
  expect(await given({ ...again, dock: moved })).toEqual(['first of ian', 'first of vera']);

  // Whoever revokes the station asks all to renew what ever lay there, and whom the station names itself.
  const groups = groupsOf(central.store, moved);
  const due = await peopleAt(central.store, dock.station, groups);
  expect(due.toSorted()).toEqual(LOGINS.map(idOf).toSorted());
});

it('one that had been given all keeps those of its people by its own word, and gets no other password by it', async () => {
  const made = await site(true);
  const { a, idOf } = made;
  expect(await given(made)).toEqual([]);
  // Who signed in while it was away is told of later.
  await note(a, { kind: 'signed_in', subject: `user:${idOf('olga')}` });
  await made.settle();
  expect(await given(made)).toEqual(['first of olga']);
  await note(a, { kind: 'signed_in', subject: `user:${idOf('ian')}` });
  await made.settle();
  expect(await given(made)).toEqual(['first of olga', 'first of ian']);
  expect(await given({ ...made, people: made.restart() })).toEqual(['first of olga', 'first of ian']);
  // Whatever it says, a password that it was not given is none of it.
  await made.setPassword('ian', 'second of ian');
  expect(await given(made)).toEqual(['first of olga']);
  // Nor is any once it was let in anew.
  const anew = { ...made, dock: { ...made.dock, enrolled_at: '2026-06-16T12:00:00.000Z' } };
  expect(await given(anew)).toEqual([]);
});

it('who signed in at a station that could not be read is read again when it is asked for next', async () => {
  const made = await site(true);
  const { a, central, people, dock, idOf } = made;
  const { database } = central.store;
  await note(a, { kind: 'signed_in', subject: `user:${idOf('olga')}` });
  await made.settle();
  // What central itself wrote is known by now.
  await people.of({ ...dock, id: 2 });
  const index = database.get<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND name LIKE '%audit'",
  );
  if (!index) throw new Error('The trail has no index.');
  await central.store.gate.briefly(() => database.exec(`DROP INDEX "${index.name}"`));
  await expect(people.secretsFor(dock)).rejects.toThrow(/no such index/);
  await central.store.gate.briefly(() => database.exec(index.sql));
  expect(await given(made)).toEqual(['first of olga']);
});
