import { AppError } from '../../../shared/contract/errors.ts';
import { readArchives } from '../../store/archive.ts';
import { readCommit, stationOf } from '../../store/history.ts';
import { type Moved, movedIn } from '../../store/moved.ts';
import type { Database } from '../../store/sqlite/database.ts';
import { stationTables } from '../../store/station-table.ts';
import { Log } from '../log/log.ts';

/** Former chains of one installation: it begins one with each restore. */
const MOST_CHAINS = 64;
/** Characters of a name: checkpoints have no longer ones. */
const NAME_LENGTH = 100;
const HASH = /^[0-9a-f]{64}$/;

/**
 * What a station that joined had before, as the first commit of its first chain says, where it may send that: an administrator let it bring
 * records, and the chains that it names are its own and nobody else's. Their names stand in what central signs.
 * @throws AppError `conflict` where the chain has not come yet or does not begin so; `forbidden` where it may not
 */
export function admitArchive(database: Database, station: string, chain: string): Pick<Moved, 'former'> {
  const first = stationOf(chain) === station ? readCommit(database, chain, 1) : undefined;
  const moved = movedIn(first);
  if (!first || !moved) throw new AppError('conflict', NOT_JOINED);
  const log = new Log(database, database);
  const mayBring = stationTables(database).pending.bringsAlongUntil(station) !== null;
  if (!mayBring || log.outcomeOf(first) !== 'applied' || !isFirstChain(database, log, chain))
    throw new AppError('forbidden', 'This station did not join with records that it might bring.');
  const others = readArchives(database).flatMap(({ chain: of, archive }) =>
    of === chain ? [] : Object.keys(archive.heads),
  );
  const names = Object.entries(moved.former);
  const isOwn = ([name, { hash }]: (typeof names)[number]) =>
    name.startsWith(`${station}.`) &&
    name.length <= NAME_LENGTH &&
    HASH.test(hash) &&
    !others.includes(name) &&
    readCommit(database, name, 1) === undefined;
  if (names.length > MOST_CHAINS || !names.every(isOwn))
    throw new AppError(
      'forbidden',
      'The chains that this station says it had are not its own, or are too many.',
    );
  return moved;
}

/** Whether it is the first chain of its station that came to central. */
export function isFirstChain(database: Database, log: Log, chain: string): boolean {
  const place = (one: string) =>
    log.sequenceOf(readCommit(database, one, 1)?.commit_id ?? '') ?? Number.POSITIVE_INFINITY;
  const sql = "SELECT chain FROM chain_head WHERE chain > ? || '.' AND chain < ? || '/' AND chain <> ?";
  const station = stationOf(chain);
  const others = database.all<{ chain: string }>(sql, station, station, chain);
  return others.every(other => place(other.chain) > place(chain));
}

const NOT_JOINED =
  'The chain has not come yet, or does not begin as that of an installation that joined with records of its own.';
