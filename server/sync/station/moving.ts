import { AppError } from '../../../shared/contract/errors.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';
import type { Commit, Entry } from '../../store/changes.ts';
import type { ChainPlace, RemotePart } from '../../store/commit.ts';
import { keepFormerKeys } from '../../store/former-keys.ts';
import {
  ARCHIVED,
  CHAIN_START,
  type ChainHead,
  hashOfCommit,
  lastSequence,
  readCommitsAfter,
} from '../../store/history.ts';
import { type BlockMove, IdRemapping } from '../../store/id-remapping.ts';
import { BLOCK_SIZE } from '../../store/ids.ts';
import { blockMoves, blocksInUse, type Moved, movedSubject, writeMoved } from '../../store/moved.ts';
import { moveLocalTables } from '../../store/moved-tables.ts';
import { SignedStates } from '../../store/signed-states.ts';
import { tableOf } from '../../store/sqlite/documents.ts';
import type { Store } from '../../store/store.ts';
import { writeLocal } from '../../store/tables.ts';
import { plain } from '../log/decided-store.ts';
import { foldEffects } from '../log/fold.ts';
import type { PendingCommits } from './pending.ts';

export interface MovingOptions {
  /** The blocks that central gave, the first of them first. */
  blocks: readonly number[];
  /** The chain to go on in. */
  chain: string;
  /** Who lets the installation join, for history. */
  user: string;
  at: string;
  reason: string;
  pendingCommits: Pick<PendingCommits, 'add'>;
  put: (part: RemotePart) => Promise<void>;
}

export interface MovingReport {
  commits: number;
  records: number;
  blocks: BlockMove[];
}

/** Commits that are read at once. */
const COMMITS = 200;
/** Records that are written at once: what tells of the first writes of a transaction holds their records until its end. */
const RECORDS = 50;

/**
 * In the open transaction of `applyRemoteInParts`: moves everything that a stand-alone installation holds into the blocks that
 * central gave. What its chains hold stays as it is, and is issued again in the new chain: the same authors, times and
 * reasons, under the moved ids. The new chain's first commit says what moved where, and names the last commits of the
 * former chains; whoever has both can prove each commit by `IdRemapping`. Users are handed to central as they are.
 *
 * Memory is bounded: commits and records pass in batches.
 * @throws AppError `conflict` when there are too few blocks, or a family is not known
 */
export async function moveRecords(store: Store, options: MovingOptions): Promise<MovingReport> {
  const { database } = store;
  const { pendingCommits, put } = options;
  const moved = plan(store, options);
  const ids = new IdRemapping(moved);
  const end = lastSequence(database);
  const signed = new SignedStates(database, ids, key => store.pending.subjectNumberOf(key));
  const issue = issuer(store, moved.chain, pendingCommits);

  const said = movedEntry(moved);
  const first = issue({
    commit_id: ids.commitId('moved'),
    at: options.at,
    ...store.gate.clockSays(),
    user: options.user,
    reason: options.reason,
    entries: [said],
  });
  let commits = 0;
  let place = first;
  for (let after = 0; after < end; ) {
    const batch = readCommitsAfter(database, after, COMMITS).filter(({ sequence }) => sequence <= end);
    for (const { commit, sequence } of batch) {
      const content = ids.commit(commit, signed.at(sequence));
      if (content.entries.length === 0) continue;
      place = issue(content);
      commits += 1;
    }
    after = batch.at(-1)?.sequence ?? end;
    await breath();
  }
  for (const [chain, head] of Object.entries(moved.former)) {
    writeLocal(database, `${ARCHIVED}${chain}`, JSON.stringify(head));
  }
  for (const user of store.pending.all('user'))
    place = issue(handedUser(user, ids, options, store.gate.clockSays()));
  keepFormerKeys(database, store.pending.all('user'), options.at);
  writeMoved(database, moved);

  const records = await moveStored(store, ids, signed, { blocks: moved.blocks, put });
  moveLocalTables(database, ids, { blocks: moved.blocks, at: options.at });
  await put({ puts: [movedRecord(said, first)], place: placeOf(place) });
  return { commits, records, blocks: [...moved.blocks] };
}

function plan(store: Store, { blocks: given, chain }: MovingOptions): Moved {
  const { database, pending, collection } = store;
  const blocks = blockMoves(blocksInUse(database, tableOf(collection)), given);
  if (!blocks) {
    const message = 'This installation has begun another block of ids meanwhile. Enrol again.';
    throw new AppError('conflict', message);
  }
  const company = pending.get('company', 1);
  const heads = database.all<ChainHead & { chain: string }>(
    'SELECT chain, max(number) AS number, hash FROM history GROUP BY chain ORDER BY chain',
  );
  return {
    blocks,
    chain,
    areUsersHanded: true,
    isCompanyReplaced: company === undefined || (company.version === 1 && company.user === 'setup'),
    former: Object.fromEntries(heads.map(({ chain: former, number, hash }) => [former, { number, hash }])),
    former_settings: pending.get('setting', 1)?.fields ?? {},
  };
}

/** Puts commits into the new chain, one after the other. */
function issuer(store: Store, chain: string, pendingCommits: Pick<PendingCommits, 'add'>) {
  let head = CHAIN_START;
  return (content: ReturnType<IdRemapping['commit']>): Commit => {
    const numbered = { ...content, chain, number: head.number + 1, previous_hash: head.hash };
    const commit: Commit = { ...numbered, hash: hashOfCommit(numbered) };
    pendingCommits.add(commit, store.gate.receive(commit));
    head = { number: commit.number, hash: commit.hash };
    return commit;
  };
}

function movedEntry(moved: Moved): Entry {
  const { blocks, former, former_settings: settings, isCompanyReplaced } = moved;
  const said = {
    blocks,
    former_chains: former,
    former_settings: settings,
    is_company_replaced: isCompanyReplaced,
  };
  const changes = Object.entries(said).map(([path, value]) => ({ path, old: null, new: value, over: [] }));
  return { subject: movedSubject(moved), changes };
}

/** A user of the former installation, whole: central holds it until an administrator there decides. */
function handedUser(
  user: StoredRecord,
  ids: IdRemapping,
  { user: by, at, reason }: MovingOptions,
  clock: Pick<Commit, 'clock_offset' | 'clock_at_least'>,
): ReturnType<IdRemapping['commit']> {
  const {
    password_changed_at: _password,
    locked_out_at: _lockout,
    is_password_temporary: _temporary,
    ...fields
  } = user.fields;
  const changes = Object.entries(fields).map(([path, value]) => ({ path, old: null, new: value, over: [] }));
  return {
    commit_id: ids.commitId(user.key),
    at,
    ...clock,
    user: by,
    reason: `${reason} This user was here before.`,
    entries: [{ subject: ids.subject(user.key), changes }],
  };
}

/** As every machine folds it. */
function movedRecord({ subject, changes }: Entry, commit: Commit): StoredRecord {
  const paths = changes.map(({ path, new: value }) => ({ path, value }));
  return foldEffects(undefined, { subject, isNew: true, paths }, { commit, outcome: 'applied', sequence: 0 });
}

/** Records, with all that is derived from them, block by block: none moves to where one is that has not moved yet. */
async function moveStored(
  { pending, database, collection }: Store,
  ids: IdRemapping,
  signed: SignedStates,
  { blocks, put }: Pick<Moved, 'blocks'> & Pick<MovingOptions, 'put'>,
): Promise<number> {
  const sql = `SELECT key, f_id AS id FROM "${tableOf(collection)}"
    WHERE f_family = ? AND f_id > ? AND f_id < ? ORDER BY f_id LIMIT ${RECORDS}`;
  let count = 0;
  for (const family of Object.keys(families)) {
    for (const { from } of blocks) {
      for (let after = from * BLOCK_SIZE - 1; ; ) {
        const rows = database.all<{ key: string; id: number }>(sql, family, after, (from + 1) * BLOCK_SIZE);
        const last = rows.at(-1);
        if (!last) break;
        after = last.id;
        const records = rows.flatMap(({ key }) => pending.getByKey(key) ?? []);
        const staying = records.filter(({ id }) => !ids.isReplaced(family, id));
        const puts = staying.map(record => ids.record(plain(record), signed.of(record.key)));
        const written = new Set(puts.map(({ key }) => key));
        const removals = records.flatMap(({ key }) => (written.has(key) ? [] : [key]));
        await put({ removals });
        await put({ puts });
        count += puts.length;
        await breath();
      }
    }
  }
  return count;
}

function placeOf({ chain, number, hash }: Commit): ChainPlace {
  return { chain, head: { number, hash } };
}

/** Lets reads through between two stretches of work. */
function breath(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
