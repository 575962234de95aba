import type { StoredRecord } from '../../../shared/contract/present.ts';
import { familyOfKey } from '../../../shared/families/registry.ts';
import { foldLogin } from '../../../shared/families/user.ts';
import type { Seen } from '../../keys/authorship.ts';
import { applyChanges, type Commit, type Fields } from '../../store/changes.ts';
import { readCommit, readHistory } from '../../store/history.ts';
import { locksOfBatch, locksOfLot } from '../../store/lots.ts';
import { certificatesOf, movedTo, signsAt } from '../../store/noted-authorship.ts';
import { stationTables } from '../../store/station-table.ts';
import type { Store } from '../../store/store.ts';
import { readLocal } from '../../store/tables.ts';
import { HeldCommits } from '../log/held-commits.ts';
import { Log } from '../log/log.ts';
import { isTaken as takenNow } from '../log/where-it-stands.ts';
import { isFirstChain } from './admit-archive.ts';
import type { AuthorReader } from './pushed.ts';
import { rolesAt, rolesInHistory, rolesSince } from './roles-then.ts';
import { standingFor } from './standing-for.ts';

/** Logins of which it is remembered whose they are: an altered station can name any number. */
const MOST_ASKED = 1_000;

/** Users as central has them, read once until one of them changes. */
export function createAuthors(store: Store, clock: () => Date): AuthorReader {
  const { database, gate, pending, ids } = store;
  const log = new Log(database, database);
  const heldCommits = new HeldCommits(database, database, log);
  // In history stands all that arrived: what is held or was withdrawn or lost as well, and what took another's id.
  const isTaken = (commit: Commit) => takenNow(commit, { log, held: heldCommits });
  const isOfEpoch = (seen: Seen | null): seen is Seen =>
    seen !== null && seen.epoch === readLocal(database, 'epoch');
  const rolesThen = (key: string) =>
    rolesInHistory(store, key, commit => {
      if (!isTaken(commit)) return undefined;
      // What was held took effect when somebody let it in.
      return log.outcomeOf(commit) === 'applied' ? (log.sequenceOf(commit.commit_id) ?? 'later') : 'later';
    });
  let known: Map<string, StoredRecord> | undefined;
  // By logins as commits write them.
  const asked = new Map<string, ReturnType<AuthorReader['userOf']>>();
  gate.follow(({ records }) => {
    if (!records.some(({ family }) => family === 'user')) return;
    known = undefined;
    asked.clear();
  });
  const byLogin = () => {
    known = new Map();
    for (const user of pending.all('user')) {
      const { login, former_logins: former } = user.fields;
      for (const name of Array.isArray(former) ? former : []) known.set(String(name), user);
      known.set(String(login), user);
    }
    return known;
  };
  const userOf: AuthorReader['userOf'] = login => {
    if (asked.has(login)) return asked.get(login);
    const author = authorOf(login);
    if (asked.size >= MOST_ASKED) asked.clear();
    asked.set(login, author);
    return author;
  };
  const authorOf: AuthorReader['userOf'] = login => {
    const user = (known ?? byLogin()).get(foldLogin(login));
    if (!user) return undefined;
    const { roles, is_active: isActive, public_key: publicKey, password_revoked_at: revoked } = user.fields;
    return {
      id: user.id,
      isActive: isActive === true,
      roles: Array.isArray(roles) ? roles : [],
      publicKey: typeof publicKey === 'string' ? publicKey : null,
      isRevoked: typeof revoked === 'string',
      rolesAt: place => rolesAt(place, rolesThen(user.key)),
      rolesSince: seen => rolesSince(isOfEpoch(seen) ? seen.sequence : 0, rolesThen(user.key)),
    };
  };
  const taken = (id: string) => {
    const commit = log.commit(id);
    return commit && isTaken(commit) ? commit : undefined;
  };
  return {
    userOf,
    isBy(id, user) {
      const author = log.commit(id)?.user;
      if (author === undefined) return false;
      const person = userOf(author);
      return author === user || (person !== undefined && person.id === userOf(user)?.id);
    },
    commit: id => log.commit(id),
    taken,
    standingFor: id => standingFor(id, id => log.commit(id), taken, store.station),
    formerOf: id => log.commit(log.formerOf(id) ?? ''),
    placeOf: id => log.sequenceOf(id) ?? 0,
    locksOf: lot => locksOfLot(database, lot),
    lotsOfNumber: (batch, part) =>
      pending
        .findBy('inventory', 'batch_number', batch)
        .flatMap(({ id, fields }) => (fields.part_id === part ? [id] : [])),
    isNumberLocked(lot) {
      const number = pending.get('inventory', lot)?.fields.batch_number;
      return typeof number === 'string' && locksOfBatch(database, number).length > 0;
    },
    firstOf: chain => readCommit(database, chain, 1),
    isFirstChain: chain => isFirstChain(database, log, chain),
    othersBlocks(station) {
      const { pending: stations } = stationTables(database);
      if ((stations.bringsAlongUntil(station) ?? '') < clock().toISOString()) return undefined;
      const others = stations.stations().filter(other => other.station !== station);
      return [...ids.blocks(), ...others.flatMap(({ id }) => ids.givenTo(id))];
    },
    signs: station => signsAt(database, station),
    isRevoked: station => (stationTables(database).pending.findStation(station)?.revoked_at ?? null) !== null,
    certificatesOf: session => certificatesOf(database, session),
    movedTo: (key, commit) => movedTo(database, key, commit),
    contradicts(seen) {
      if (!isOfEpoch(seen)) return false;
      return log.hashAt(seen.sequence) !== seen.hash;
    },
    mayHaveRead(seen, id) {
      if (!isOfEpoch(seen)) return true;
      return (log.sequenceOf(id) ?? 0) <= seen.sequence;
    },
    hasReadLost(seen) {
      if (seen === null || seen.epoch === readLocal(database, 'epoch')) return false;
      return database.get('SELECT 1 FROM former_epoch WHERE epoch = ?', seen.epoch) !== undefined;
    },
    statesOf: subject => statesOf(store, subject, isTaken),
  };
}

function statesOf({ database, pending }: Store, key: string, isTaken: (commit: Commit) => boolean): Fields[] {
  const { commits } = readHistory(database, pending.subjectNumberOf(key), 0, 1_000);
  const family = familyOfKey(key);
  const states: Fields[] = [];
  for (const commit of commits) {
    const { entries, at } = commit;
    const changes = entries.flatMap(entry => (entry.subject === key ? entry.changes : []));
    if (family && isTaken(commit)) states.unshift(applyChanges(states[0] ?? {}, changes, at));
  }
  return states;
}
