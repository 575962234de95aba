import { timingSafeEqual } from 'node:crypto';
import { AppError } from '../../shared/contract/errors.ts';
import type { Contact, StationBlocks, StationRow, StationTable } from '../store/station-rows.ts';
import { NamedStations, sha256 } from './named-stations.ts';

const BEARER = /^Bearer +(hps_[\w-]{43})$/i;

/** A station that calls with its key. */
export interface StationIdentity {
  /** Its place among the callers of the interface: below -1, where no token is. */
  tokenId: number;
  /** What people call it. */
  name: string;
  scopes: readonly ['station'];
  /** Id of the station at central. */
  stationId: number;
  /** The installation, as it names itself. */
  station: string;
}

/** How a station stands, for people. */
export type StationSummary = Omit<StationRow, 'hash' | 'is_key_used'> & {
  blocks: number[];
  behind: number | null;
};

export interface StationsOptions {
  /** As the open transaction of the write gate sees it. */
  pending: StationTable;
  committed: StationTable;
  blocks: StationBlocks;
  /** The same, of what is committed. */
  blocksOf: (station: number) => number[];
  now: () => Date;
  random: (size: number) => Buffer;
  /** The last sequence of central's log; null where it has none. */
  endOfLog: () => number | null;
}

export type Stations = ReturnType<typeof createStations>;

/**
 * Central's stations and their keys. A key has 256 random bits and is stored as a plain hash, like a token. What writes
 * (`admit`, `revoke`, `setGroup`, `takeBlock`, `noteContact`) runs in a transaction of the write gate.
 */
export function createStations(options: StationsOptions) {
  const { pending, committed, blocks, blocksOf, now, random, endOfLog } = options;
  /** Valid keys that have been used, by hash. Whoever else writes the table says so: `reread`. */
  const known = new Map<string, StationIdentity>();
  const revokeListeners = new Set<(callerId: number) => void>();
  let named: NamedStations | undefined;

  /** Who an `Authorization` header stands for, or null. Secrets are never compared, only their hashes. */
  function authenticate(authorization: string | undefined): StationIdentity | null {
    const key = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
    if (key === undefined) return null;
    const keyHash = sha256(key);
    return known.get(keyHash) ?? lookUp(keyHash);
  }

  function lookUp(keyHash: string): StationIdentity | null {
    const row = committed.findKey(keyHash);
    if (row === undefined || row.revoked_at !== null || !areEqual(row.hash, keyHash)) return null;
    const { id, name, station } = row;
    const identity: StationIdentity = {
      tokenId: callerIdOf(id),
      name,
      scopes: ['station'],
      stationId: id,
      station,
    };
    known.set(keyHash, identity);
    return identity;
  }

  /** A new key for a station, new or known; an earlier key of it is void once the transaction is durable. */
  function admit(
    newcomer: Pick<StationRow, 'station' | 'name' | 'protocol' | 'version' | 'clock_offset_ms'> & {
      group?: string | null;
    },
  ): { key: string; id: number } {
    const key = `hps_${random(32).toString('base64url')}`;
    const former = pending.findStation(newcomer.station);
    pending.admit({ ...newcomer, hash: sha256(key), at: now().toISOString() });
    pending.afterCommit(() => {
      named = undefined;
    });
    if (former) forgetAfterCommit(former);
    const row = pending.findStation(newcomer.station);
    if (!row) throw new Error(`The station ${newcomer.station} was not stored.`);
    return { key, id: row.id };
  }

  /** Ends a station's key. Again does nothing. @throws AppError 404 */
  function revoke(id: number): void {
    const row = rowOf(pending, id);
    if (row.revoked_at !== null) return;
    pending.revokeStation(id, now().toISOString());
    forgetAfterCommit(row);
  }

  /** @throws AppError 404 */
  function setGroup(id: number, group: string | null): void {
    pending.setGroup(rowOf(pending, id).station, group);
  }

  function forgetAfterCommit(row: StationRow): void {
    pending.afterCommit(() => {
      known.delete(row.hash);
      for (const listener of revokeListeners) listener(callerIdOf(row.id));
    });
  }

  /** Another process has written these stations, by their ids: keys that are void there are void here. */
  function reread(ids: ReadonlySet<unknown>): void {
    if (ids.size > 0) named = undefined;
    for (const [keyHash, { stationId, tokenId }] of [...known]) {
      if (!ids.has(stationId)) continue;
      known.delete(keyHash);
      if (!lookUp(keyHash)) for (const listener of revokeListeners) listener(tokenId);
    }
  }

  /** Calls `listener` with the caller's id (`tokenId`) of every station whose key is void. Answers how to stop that. */
  function onRevoke(listener: (callerId: number) => void): () => void {
    revokeListeners.add(listener);
    return () => revokeListeners.delete(listener);
  }

  /** A further block of ids for a station. */
  function takeBlock(id: number): { block: number; blocks: number[] } {
    // Its key may have become void between the request and its turn.
    if (rowOf(pending, id).revoked_at !== null) throw new AppError('unauthenticated', 'The key is revoked.');
    noteContact(id, {});
    const block = blocks.give(id);
    return { block, blocks: blocks.givenTo(id) };
  }

  /** Notes that a station called, and what it told of itself. */
  function noteContact(id: number, contact: Contact): void {
    pending.noteContact(id, { ...contact, last_seen_at: now().toISOString() });
  }

  function list(): StationSummary[] {
    return committed.stations().map(summarize);
  }

  /** What people call them. */
  function names(): NamedStations {
    named ??= new NamedStations(committed.stations());
    return named;
  }

  /** Whether an installation is, or was, a station. */
  function isKnown(station: string): boolean {
    return committed.findStation(station) !== undefined;
  }

  /** @throws AppError 404 */
  function get(id: number): StationSummary {
    return summarize(rowOf(committed, id));
  }

  /** Which installation it is, and since when with this key. @throws AppError 404 */
  function enrolled(id: number): Pick<StationRow, 'id' | 'station' | 'name' | 'group' | 'enrolled_at'> {
    return rowOf(committed, id);
  }

  /** As the open transaction sees it. @throws AppError 404 */
  function getPending(id: number): StationSummary {
    return summarize(rowOf(pending, id));
  }

  /**
   * What central and the station both know of its key: files that are carried are sealed with it. 32 bytes.
   * @throws AppError 404; `conflict` where the key is void
   */
  function secretOf(id: number): Buffer {
    const row = rowOf(committed, id);
    if (row.revoked_at === null) return Buffer.from(row.hash, 'hex');
    const message = `The key of the station "${row.name}" was revoked: files for it and of it count no more. Enrol it again with a new code, and write new files.`;
    throw new AppError('conflict', message);
  }

  function summarize({ hash: _hash, is_key_used: _isKeyUsed, ...row }: StationRow): StationSummary {
    const end = endOfLog();
    const behind = end === null || row.sequence === null ? null : Math.max(0, end - row.sequence);
    return { ...row, blocks: blocksOf(row.id), behind };
  }

  return {
    authenticate,
    admit,
    revoke,
    setGroup,
    reread,
    onRevoke,
    takeBlock,
    noteContact,
    list,
    names,
    isKnown,
    get,
    enrolled,
    pending: getPending,
    secretOf,
  };
}

function rowOf(table: StationTable, id: number): StationRow {
  const row = table.findById(id);
  if (row === undefined) throw new AppError('not_found', `There is no station ${id}.`);
  return row;
}

/** Tokens count from 0, and -1 is nobody. */
function callerIdOf(id: number): number {
  return -1 - id;
}

/** Byte by byte: a table's lookup may be looser than that. */
export function areEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
