import { randomUUID } from 'node:crypto';
import { createRxDatabase, type RxCollection, type RxDatabase } from 'rxdb';
import type { Family } from '../../shared/contract/define-family.ts';
import type { AppError } from '../../shared/contract/errors.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { families } from '../../shared/families/registry.ts';
import { ChangedIds } from './changed-ids.ts';
import { ClockWatch } from './clock-watch.ts';
import { WriteGate } from './commit.ts';
import { noteDerived, underivedFamilies } from './derived-from.ts';
import { indexedValues, recordIndexes } from './family-index.ts';
import { startingThread } from './gc-tuning.ts';
import { HeadMark } from './head-mark.ts';
import { History, newChain } from './history.ts';
import { Ids } from './ids.ts';
import { highestBlock, markBlock } from './marks.ts';
import { mergeWhenIdle } from './merge-when-idle.ts';
import { migrate, noteProgram } from './migrations.ts';
import { type LotFactsOf, Projections } from './projections.ts';
import { type RebuildReport, rebuild } from './rebuild.ts';
import { recordSchema } from './record-schema.ts';
import { Records } from './records.ts';
import { RememberedAnswers } from './remembered-answers.ts';
import { backUpBefore } from './restore/backup.ts';
import { refuseUnfinishedRestore } from './restore/restore-mark.ts';
import { refuseShared } from './shared-folder.ts';
import { Buckets } from './sqlite/buckets.ts';
import { Database } from './sqlite/database.ts';
import { tableOf } from './sqlite/documents.ts';
import { SearchIndex } from './sqlite/search.ts';
import { getRxStorageSqlite } from './sqlite/storage.ts';
import type { CollectionOptions } from './sqlite/storage-instance.ts';
import { damaged } from './sqlite/store-errors.ts';
import {
  createTables,
  derivedTables,
  hasEntries,
  lostTables,
  noteTables,
  noteUnfilled,
  readLocal,
  writeLocal,
} from './tables.ts';
import type { Permit, Rule, Seal } from './unit-of-work.ts';
import { type SelfCheck, selfCheck } from './verify/self-check.ts';
import type { VerifyOptions } from './verify/verify.ts';

export interface StoreOptions {
  folder: string;
  rules: Readonly<Record<string, Rule>>;
  permit: Permit;
  seal: Seal;
  lotFactsOf: LotFactsOf;
  clock: () => Date;
  /** As `ClockWatchOptions.steady` says. */
  steady?: (() => number) | undefined;
  onFail: (error: unknown) => void;
  /** Told once, when something stored turns out not to be what was written. */
  onDamage?: (damage: AppError) => void;
  /** What checks the backup of a file of an earlier version, which is loaded only then. */
  proof: () => Promise<Pick<VerifyOptions, 'exchange'>>;
  /** It is opened by one who keeps it in step with the journal that it belongs to; else such a folder is refused. */
  isShared?: boolean;
  /** Told what takes long before the store is open, a sentence each. */
  onPreparing?: (doing: string) => void;
}

const PROGRESS_MS = 10_000;

/** Everything that one data folder holds, open. */
export interface Store {
  database: Database;
  rx: RxDatabase;
  /** The one collection, for those who want RxDB's own queries and observables. Written by the gate only. */
  collection: RxCollection<StoredRecord>;
  gate: WriteGate;
  /** Committed records. */
  records: Records;
  /** Records as the open transaction sees them. */
  pending: Records;
  ids: Ids;
  answers: RememberedAnswers;
  /** Whether this machine's clock is believed. */
  clockWatch: ClockWatch;
  /** This installation, as it named itself: another from when it becomes a station of its own. */
  readonly station: string;
  /** What was looked at before the store opened; with findings, it is open for reading only. */
  selfCheck: SelfCheck;
  /** The version of the program that used the folder last; undefined for a new one. */
  usedBy: string | undefined;
  /** Works stock, search and counters out anew; the result is compared with what was there. */
  rebuild(): Promise<RebuildReport>;
  close(): Promise<void>;
}

/**
 * @throws AppError `unavailable` when another process uses the folder, the file cannot be opened or a later version has
 *   written it; as `migrate` does
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { folder, onFail, onDamage } = options;
  const checked: { check?: SelfCheck } = {};
  const inspect = () => {
    refuseUnfinishedRestore(folder);
    checked.check = selfCheck(folder);
    const [first] = checked.check.findings;
    return first && damaged(folder, `${first.what} (${first.where})`);
  };
  const database = Database.open({
    folder,
    onFail,
    ...(onDamage && { onDamage }),
    inspect,
    startingThread,
  });
  try {
    return await openIn(database, options, checked.check ?? selfCheck(folder));
  } catch (error) {
    database.close();
    throw error;
  }
}

async function openIn(database: Database, options: StoreOptions, check: SelfCheck): Promise<Store> {
  const { clock } = options;
  if (!options.isShared) refuseShared(database, options.folder);
  await bringUp(database, options);
  const all = Object.values<Family>(families);
  const isFilled = hasEntries(database);
  const lost =
    database.damage === undefined ? lostTables(database).filter(table => derivedTables.has(table)) : [];
  const isLost = lost.length > 0;
  if (isLost) noteUnfilled(database, lost);
  createTables(database);
  const { chain, usedBy, familyNumbers, ids } = database.transaction(() => ({
    ...identityOf(database),
    usedBy: noteProgram(database),
    familyNumbers: numberFamilies(database, all),
    ids: new Ids(database, {
      highest: () => highestBlock(options.folder),
      mark: block => markBlock(options.folder, block),
    }),
  }));
  const search = new SearchIndex(database);
  const buckets = new Buckets(database);

  const gateOf: { gate?: WriteGate } = {};
  const rx = await createRxDatabase({
    name: 'holdpoint',
    storage: getRxStorageSqlite(database),
    multiInstance: false,
    eventReduce: false,
    closeDuplicates: true,
  });
  const creation: CollectionOptions<StoredRecord> = {
    columns: ['family', 'id'],
    computed: indexedValues,
    indexes: recordIndexes(),
    afterWrite: (_writes, context) => gateOf.gate?.afterWrite(context),
  };
  const { records: collection } = await rx.addCollections<{ records: RxCollection<StoredRecord> }>({
    records: { schema: recordSchema, instanceCreationOptions: creation },
  });
  const table = tableOf(collection);
  const parts = { table, buckets, search, familyNumbers };
  const changes = new ChangedIds(database);
  const records = new Records(database.reader, { ...parts, changes });
  const pending = new Records(database, parts);
  const projections = new Projections({
    database,
    search,
    buckets,
    familyNumbers,
    lotFactsOf: options.lotFactsOf,
    changes,
  });
  if (!isFilled) database.transaction(() => projections.fillIndex(pending, all));
  const history = new History(database);
  const headMark =
    database.damage === undefined ? new HeadMark(options.folder, chain, history.head(chain)) : undefined;
  const gate = new WriteGate({
    database,
    collection,
    records: pending,
    history,
    projections,
    ids,
    rules: options.rules,
    permit: options.permit,
    seal: options.seal,
    chain,
    clock,
    moment: () => clockWatch.moment(),
    onHead: (chain, head) => headMark?.note(chain, head),
  });
  gateOf.gate = gate;
  const rebuildAll = () =>
    gate.together(async () => rebuild({ database, projections, records: pending, families: all }));
  // An empty table in the place of one that is gone would answer for it, and one of a version that knew less for what
  // that version did not know.
  const isSound = database.damage === undefined;
  if (isLost || (isSound && underivedFamilies(database).length > 0)) {
    // Over a long history it takes minutes, in which this process says nothing else.
    options.onPreparing?.('What is worked out from the records is worked out anew.');
    await rebuildAll();
    noteUnfilled(database, []);
  }
  if (isSound) {
    database.transaction(() => noteDerived(database));
    noteTables(database);
  }
  let isOpening = true;
  const clockWatch = new ClockWatch({
    database,
    clock,
    steady: options.steady,
    chain: () => gate.chain,
    // Nobody else writes while the store opens.
    write: async work => (isOpening ? database.transaction(work) : gate.briefly(work)),
  });
  isOpening = false;
  const stopMerging = mergeWhenIdle(gate, search);
  return {
    database,
    rx,
    collection,
    gate,
    records,
    pending,
    ids,
    answers: new RememberedAnswers(database, clock),
    clockWatch,
    get station() {
      return gate.station;
    },
    selfCheck: check,
    usedBy,
    rebuild: rebuildAll,
    async close() {
      stopMerging();
      clockWatch.close();
      await rx.close();
      const isSound = database.failure === undefined && database.damage === undefined;
      database.close();
      headMark?.close(isSound);
    },
  };
}

/** To this program's version of the file. */
async function bringUp(database: Database, options: StoreOptions): Promise<void> {
  const { folder, lotFactsOf, clock, proof, onPreparing: tell = () => {} } = options;
  let told = performance.now();
  const onProgress = (doing: string, count: number) => {
    if (performance.now() - told < PROGRESS_MS) return;
    told = performance.now();
    tell(`The backup is being checked: ${count} ${doing}.`);
  };
  await migrate({
    database,
    tell,
    async backUp() {
      const at = clock().toISOString();
      return backUpBefore({ data: folder, at }, { lotFactsOf, ...(await proof()), onProgress });
    },
  });
}

/** The station's name and its chain: station and incarnation, named at random and never counted (architecture, Sync). */
function identityOf(database: Database): { chain: string } {
  const known = (name: string, make: () => string) => {
    const value = readLocal(database, name) ?? make();
    if (readLocal(database, name) === undefined) writeLocal(database, name, value);
    return value;
  };
  const station = known('station', randomUUID);
  return { chain: known('chain', () => newChain(station)) };
}

/** A family's number is part of every row of the search index, so it is given once and kept. */
function numberFamilies(database: Database, all: readonly Family[]): Map<string, number> {
  for (const { name } of all) numberFamily(database, name);
  const rows = database.all<{ family: string; number: number }>('SELECT family, number FROM family_number');
  return new Map(rows.map(row => [row.family, row.number]));
}

function numberFamily(database: Database, family: string): number {
  const known = () =>
    database.get<{ number: number }>('SELECT number FROM family_number WHERE family = ?', family)?.number;
  const number = known();
  if (number !== undefined) return number;
  database.run(
    'INSERT INTO family_number (family, number) SELECT ?, coalesce(max(number), 0) + 1 FROM family_number',
    family,
  );
  return known() ?? 0;
}
