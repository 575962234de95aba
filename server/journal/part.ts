import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../shared/contract/errors.ts';
import { removeHeadMark } from '../store/head-mark.ts';
import { isItsHash } from '../store/history.ts';
import { syncFolder } from '../store/marks.ts';
import { openReadOnly } from '../store/open-read-only.ts';
import { JOURNAL, JOURNAL_PLACE } from '../store/shared-folder.ts';
import type { Connection } from '../store/sqlite/connection.ts';
import { FolderLock } from '../store/sqlite/lock.ts';
import type { Store } from '../store/store.ts';
import { readLocal } from '../store/tables.ts';
import { DATABASE_FILE } from '../store/verify/verify.ts';
import { beginEpoch, createCentralExchange } from '../sync/central/exchange.ts';
import { Log } from '../sync/log/log.ts';
import type { SignedEntry } from '../sync/protocol/packed-entries.ts';
import { commitText, notedText, PROTOCOL } from '../sync/protocol/wire.ts';
import { Journal } from './journal.ts';
import { type OpenSharedOptions, openShared } from './open-shared.ts';
import { keepRows, lackedRows } from './parted-rows.ts';
import type { JournalPlace } from './turn.ts';

/** Where a folder is made that has what the journal has; it takes the place of the parted one. */
const FRESH = 'parting';
const WAIT_MS = 3_000;
const AT_ONCE = 500;

export interface PartOptions extends Omit<OpenSharedOptions, 'open' | 'onAway'> {
  /** The data folder that has what the journal lacks; no process may use it. */
  folder: string;
  open: (folder: string) => Promise<Store>;
  /** What nobody can give back is given up. */
  givesUp: boolean;
}

export interface PartReport {
  /** Entries of the log that the journal lacked and got back. */
  entries: number;
  /** What it did not get back, in words. */
  givenUp: string[];
  /** Where the parted database is now. */
  aside: string;
}

/**
 * After a journal lost its end: what a folder has beyond it is given to the journal as a station gives back what its central has
 * lost, in another epoch, and the folder goes on as a copy of the journal. Where it is cut off it is done again.
 * @throws AppError `conflict` for a folder that has not parted, is of another journal or not whole, and where something would be
 * lost that nobody can give back, unless it is given up; nothing is changed then. `unavailable`
 */
export async function part({ folder, open, givesUp, ...options }: PartOptions): Promise<PartReport> {
  const lock = new FolderLock(folder, WAIT_MS);
  const file = join(folder, DATABASE_FILE);
  const fresh = join(folder, FRESH);
  try {
    const parted = openReadOnly(file);
    let given: Omit<PartReport, 'aside'>;
    try {
      await refuseUnparted(parted, folder, options.url);
      rmSync(fresh, { recursive: true, force: true });
      mkdirSync(fresh, { mode: 0o700 });
      const shared = await openShared({ ...options, open: () => open(fresh) });
      try {
        given = await giveBack(parted, shared.store, { ...options, folder, givesUp });
      } finally {
        await shared.close();
      }
    } finally {
      parted.close();
    }
    const stamp = options.clock().toISOString().replace(/[-:.]/g, '');
    const aside = join(folder, `holdpoint-set-aside-${stamp}.db`);
    move(file, aside);
    // Cut off here, the next start makes the folder anew of the journal.
    removeHeadMark(folder);
    move(join(fresh, DATABASE_FILE), file);
    syncFolder(folder);
    return { ...given, aside };
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    lock.release();
  }
}

/** @throws AppError `conflict` */
async function refuseUnparted(parted: Connection, folder: string, url: string): Promise<void> {
  const id = readLocal(parted, JOURNAL);
  if (id === undefined) throw new AppError('conflict', `The data folder ${folder} is no copy of a journal.`);
  const place: JournalPlace = JSON.parse(readLocal(parted, JOURNAL_PLACE) ?? '{"position":0,"turn":""}');
  const journal = new Journal({ url, onNews: () => {} });
  try {
    const head = await journal.head();
    if (head.journal !== id) {
      const message = `The data folder ${folder} belongs to the journal ${id}, and HOLDPOINT_JOURNAL names another one.`;
      throw new AppError('conflict', message);
    }
    const { at } = await journal.after(place.position, 1);
    if (at.turn !== place.turn) return;
    const message = `The journal has all that ${folder} has: there is nothing to part. Start its process.`;
    throw new AppError('conflict', message);
  } finally {
    journal.close();
  }
}

type GiveOptions = Pick<PartOptions, 'clock' | 'folder' | 'givesUp'>;

/** What the parted folder has beyond what both share is written to the store, and so to the journal. */
async function giveBack(
  parted: Connection,
  store: Store,
  { clock, folder, givesUp }: GiveOptions,
): Promise<Omit<PartReport, 'aside'>> {
  const { database } = store;
  const exchange = await createCentralExchange(store, clock);
  const log = new Log(database, parted);
  const common = lastShared(log, exchange.reader().log);
  refuseForeign(log, common, exchange.signing, folder);
  const givenUp = lackedRows(parted, database.reader);
  if (givenUp.length > 0 && !givesUp) throw wouldLose(folder, givenUp);
  const epoch = readLocal(parted, 'epoch') ?? '';
  await beginEpoch(store, clock(), () => {
    keepRows(parted, database);
    return [epoch];
  });
  let entries = 0;
  for (const offers of pagesAfter(log, common)) {
    const read = exchange.reader();
    const answer = await exchange.answer({
      kind: 'push',
      request: randomUUID(),
      protocol: PROTOCOL.newest,
      station: store.station,
      cursor: { epoch: read.epoch(), ...read.place(), countersignature: '' },
      offers: offers.map(({ commit, countersignature }) => ({ commit, countersignature })),
      commits: [],
    });
    if (answer.kind !== 'push' || answer.refused || answer.unverified.length > 0) throw notWhole(folder);
    entries += offers.length;
  }
  return { entries, givenUp };
}

/** The last sequence up to which two logs are the same: each entry's hash is over those before it. */
function lastShared(one: Log, other: Log): number {
  let [low, high] = [0, Math.min(one.place().sequence, other.place().sequence)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (one.hashAt(middle) === other.hashAt(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Before anything is written: all of it is this central's own word. @throws AppError `conflict` */
function refuseForeign(
  log: Log,
  after: number,
  { verify }: Awaited<ReturnType<typeof createCentralExchange>>['signing'],
  folder: string,
): void {
  for (const { commit, countersignature } of [...pagesAfter(log, after)].flat()) {
    const isSound = isItsHash(commit);
    const isOwn = [commitText, notedText].some(text => verify(text(commit.hash), countersignature));
    if (!isSound || !isOwn) throw notWhole(folder);
  }
}

function* pagesAfter(log: Log, after: number): Generator<SignedEntry[]> {
  for (let sequence = after; ; ) {
    const page = log.after(sequence, AT_ONCE);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    sequence = last.sequence;
  }
}

/** The database goes with its log. */
function move(from: string, to: string): void {
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
}

function notWhole(folder: string): AppError {
  const message = `What the data folder ${folder} has beyond its journal is not whole, and was not given to it. Look at it: holdpoint verify ${folder}`;
  return new AppError('conflict', message);
}

function wouldLose(folder: string, what: readonly string[]): AppError {
  const message = `The data folder ${folder} has what the journal lacks and what nobody can give back: ${what.join(', ')}. Nothing is changed. To go on without it: holdpoint journal part --give-up`;
  return new AppError('conflict', message);
}
