import { gunzipSync, gzipSync } from 'node:zlib';
import type { Commit } from './changes.ts';
import type { ChainHead } from './history.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';
import { readLocal, writeLocal } from './tables.ts';

/**
 * The history that an installation had before it joined this central, as its station sent it: commits in their order of arrival there,
 * beside central's own history, whose ids are others. It stands in `local`, so that every backup and every process of a central has it.
 */
export interface Archive {
  /** The station's name for itself. */
  station: string;
  parts: number;
  commits: number;
  /** The last commit of each former chain so far. */
  heads: Record<string, ChainHead>;
  /** What central found when it compared all of it with what was issued again; null: not yet. */
  checked: ArchiveCheck | null;
  /** How often that was begun. */
  tries?: number;
}

export interface ArchiveCheck {
  /** What is wrong, as a sentence; null: nothing. */
  fault: string | null;
  /** The last commit of the new chain that was compared with one of there: what comes after it was not there. */
  compared: number;
}

const STATE = 'archive:';
const PART = 'archive_part:';

/** By the chain in which it was issued again; undefined where nothing of it came yet. */
export function readArchive(sql: Pick<SqlReader, 'get'>, chain: string): Archive | undefined {
  const text = readLocal(sql, STATE + chain);
  return text === undefined ? undefined : JSON.parse(text);
}

/** All that are here, in the order of their chains' names. */
export function readArchives(sql: Pick<SqlReader, 'all'>): { chain: string; archive: Archive }[] {
  const query = 'SELECT name, value FROM local WHERE name > ? AND name < ? ORDER BY name';
  const rows = sql.all<{ name: string; value: string }>(query, STATE, `${STATE.slice(0, -1)};`);
  return rows.map(({ name, value }) => ({ chain: name.slice(STATE.length), archive: JSON.parse(value) }));
}

/** In the open transaction. */
export function keepArchive(database: Pick<Database, 'run'>, chain: string, archive: Archive): void {
  writeLocal(database, STATE + chain, JSON.stringify(archive));
}

/** In the open transaction, before `keepArchive` counts it. */
export function keepPart(
  database: Pick<Database, 'run'>,
  chain: string,
  part: number,
  commits: readonly Commit[],
): void {
  writeLocal(database, partName(chain, part), gzipSync(JSON.stringify(commits)).toString('base64url'));
}

/** The commits of an archive in the order in which they came, part by part. */
export function* archivedCommits(
  sql: Pick<SqlReader, 'get'>,
  chain: string,
  { parts }: Pick<Archive, 'parts'>,
): Generator<Commit> {
  for (let part = 0; part < parts; part += 1) {
    const packed = Buffer.from(readLocal(sql, partName(chain, part)) ?? '', 'base64url');
    yield* JSON.parse(gunzipSync(packed).toString()) as Commit[];
  }
}

function partName(chain: string, part: number): string {
  return `${PART}${chain}:${part}`;
}

/** Whether the very commit is one of before joining, issued again: its archive has it, with nothing found wrong in it, as its author had signed it there. */
export function wasSignedThere(
  sql: Pick<SqlReader, 'get'>,
  { chain, number }: Pick<Commit, 'chain' | 'number'>,
): boolean {
  const checked = readArchive(sql, chain)?.checked;
  return checked?.fault === null && number <= checked.compared;
}
