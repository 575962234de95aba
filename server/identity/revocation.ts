import type { AuditKind } from '../../shared/families/audit-event.ts';
import { families } from '../../shared/families/registry.ts';
import { foldLogin } from '../../shared/families/user.ts';
import { AuditReader } from '../audit/read-events.ts';
import type { Trail } from '../audit/trail.ts';
import { type Fields, mapOf } from '../store/changes.ts';
import type { Store } from '../store/store.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';
import { yieldingToEventLoop } from '../store/yield-to-event-loop.ts';

/** Whether somebody else may know the password of the user, who has not chosen another one since. */
export function isRevoked({ password_revoked_at: at }: Fields): boolean {
  return typeof at === 'string';
}

/**
 * In a unit of work: ends the user's key, and lets the password do nothing but choose another one. What the key signed before
 * stands; what comes of it later is held. Sessions end on each machine as it hears of it.
 */
export function revokePassword(work: UnitOfWork, userId: number): void {
  const { fields } = work.require('user', userId);
  work.byServer(() => work.set(families.user, userId, revoked(fields, work.at)));
}

function revoked(fields: Fields, at: string): Fields {
  const { public_key: key, former_keys: formers, revoked_keys: ended } = fields;
  const after = { ...fields, public_key: null, password_revoked_at: at };
  if (typeof key !== 'string') return after;
  return { ...after, former_keys: [...listOf(formers), key], revoked_keys: [...listOf(ended), key] };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What says that a person gave the password at a station: the station's own word, and that central gave it a key. */
const THERE = ['signed_in', 'session_certified'] as const satisfies AuditKind[];
const GIVEN = 'key_given' satisfies AuditKind;
/** Whose key or password, stretched, has lain there by central's doing. */
const LAIN = [GIVEN, 'person_assigned'] as const satisfies AuditKind[];
/** Commits whose authors are looked up at once. */
const PART = 2_000;

type Read = Pick<Store, 'database' | 'collection' | 'records'>;

/**
 * Ids of the users who signed in at a station of this central, and may have given their passwords to whoever has it; of a station
 * that noted no sign-ins, as version 0.1.0, of those who wrote there; and of those who were ever assigned to it, or to one of these
 * groups. An altered station can name
 * others beside them, and hide nobody of whom central has given it anything.
 */
export async function peopleAt(
  store: Read,
  station: string,
  groups: ReadonlySet<unknown> = new Set(),
): Promise<number[]> {
  const reader = new AuditReader(store);
  const yieldToEventLoop = yieldingToEventLoop();
  const people = new Set<number>();
  const add = (subject: unknown) => {
    const id = typeof subject === 'string' ? /^user:(\d+)$/.exec(subject)?.[1] : undefined;
    if (id !== undefined && store.records.get('user', Number(id))) people.add(Number(id));
  };
  for (const { fields } of reader.all({ kinds: THERE, station })) {
    await yieldToEventLoop();
    add(fields.subject);
  }
  if (people.size === 0) for await (const user of writersAt(store, station)) people.add(user);
  for (const { fields } of reader.all({ kinds: LAIN })) {
    await yieldToEventLoop();
    const to = mapOf(fields.details);
    if (to.station === station || (typeof to.group === 'string' && groups.has(to.group))) add(fields.subject);
  }
  return [...people];
}

/** The groups that a station is and was in, by its present one and the trail. */
export function groupsOf(
  store: Read,
  { station, group }: { station: string; group: string | null },
): ReadonlySet<unknown> {
  const moves = [...new AuditReader(store).all({ kinds: ['station_grouped'] })].map(({ fields }) =>
    mapOf(fields.details),
  );
  const said = moves.flatMap(details => (details.station === station ? [details.group, details.before] : []));
  return new Set([group, ...said]);
}

async function* writersAt({ database, records }: Read, station: string): AsyncGenerator<number> {
  const { reader } = database;
  const yieldToEventLoop = yieldingToEventLoop();
  const chains = reader.all<{ chain: string }>(
    "SELECT chain FROM chain_head WHERE chain > ? || '.' AND chain < ? || '/'",
    station,
    station,
  );
  for (const { chain } of chains) {
    for (let last = 0; ; ) {
      await yieldToEventLoop();
      const rows = reader.all<{ user: string; number: number }>(
        'SELECT user, number FROM history WHERE chain = ? AND number > ? ORDER BY number LIMIT ?',
        chain,
        last,
        PART,
      );
      for (const login of new Set(rows.map(({ user }) => foldLogin(user))))
        for (const { id } of records.findBy('user', 'login', login)) yield id;
      if (rows.length < PART) break;
      last = rows.at(-1)?.number ?? last;
    }
  }
}

/**
 * In the trail, once for each key and station: to whom a station may be, since central has given it what the password opens.
 * @param isThere whether the trail says of the person that they signed in there, and nothing since that they do no more
 */
export async function noteKeyGiven(
  store: Read,
  trail: Pick<Trail, 'note'>,
  given: { userId: number; station: string; name: string; key: string },
  isThere: boolean,
): Promise<void> {
  const { userId, station, name, key } = given;
  const subject = `user:${userId}`;
  if (isThere) {
    for (const { fields } of new AuditReader(store).all({ kinds: [GIVEN], subject })) {
      const known = mapOf(fields.details);
      if (known.station === station && known.key === key) return;
    }
  }
  await trail.note({ kind: GIVEN, subject, details: { station, name, key } });
}
