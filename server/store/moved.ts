import { z } from 'zod';
import { type Commit, mapOf } from './changes.ts';
import { ARCHIVED, type ChainHead, readCommit } from './history.ts';
import type { BlockMove, Moving } from './id-remapping.ts';
import { BLOCK_SIZE } from './ids.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';
import { MOVED_SUBJECT } from './subjects.ts';
import { readLocal, writeLocal } from './tables.ts';

/** What a stand-alone installation wrote down when it joined a central and its records moved. */
export interface Moved extends Moving {
  /** The chains that it had before, each with its last commit. They stay as they were. */
  former: Record<string, ChainHead>;
  /** Settings that central's took the place of; empty where none was changed. */
  former_settings: Record<string, unknown>;
}

const NAME = 'moved';

/** Undefined where nothing was moved. */
export function readMoved(sql: Pick<SqlReader, 'get'>): Moved | undefined {
  const text = readLocal(sql, NAME);
  return text === undefined ? undefined : JSON.parse(text);
}

export function writeMoved(database: Pick<Database, 'run'>, moved: Moved): void {
  writeLocal(database, NAME, JSON.stringify(moved));
}

/** The record that says it on every machine: of no family, in the first block that records moved to. */
export function movedSubject({ blocks }: Pick<Moved, 'blocks'>): string {
  return `${MOVED_SUBJECT}${Math.min(...blocks.map(({ to }) => to)) * BLOCK_SIZE + 1}`;
}

/** What the first commit of a station's chain says of the installation that joined; undefined where it says nothing that can be read. */
export function movedIn(first: Commit | undefined): (Moving & Pick<Moved, 'former'>) | undefined {
  const said = first?.entries.find(({ subject }) => subject.startsWith(MOVED_SUBJECT));
  const value = (path: string) => said?.changes.find(change => change.path === path)?.new;
  const parsed = movedSchema.safeParse({
    blocks: value('blocks'),
    former: value('former_chains'),
    isCompanyReplaced: value('is_company_replaced'),
  });
  return first && parsed.success ? { ...parsed.data, chain: first.chain, areUsersHanded: true } : undefined;
}

const block = z.int().min(0);
const movedSchema = z.object({
  blocks: z.array(z.object({ from: block, to: block })).min(1),
  former: z.record(z.string(), z.object({ number: z.int().min(1), hash: z.string() })),
  isCompanyReplaced: z.boolean(),
});

/** Whether a commit is one that its installation had before it joined, as the beginning of its chain says, and was issued again. */
export function wasIssuedAtJoining(
  sql: SqlReader,
  { chain, number }: Pick<Commit, 'chain' | 'number'>,
): boolean {
  const said = readCommit(sql, chain, 1)?.entries.find(({ subject }) => subject.startsWith(MOVED_SUBJECT));
  const former = mapOf(said?.changes.find(({ path }) => path === 'former_chains')?.new);
  const count = Object.values(former).reduce<number>((sum, head) => sum + Number(mapOf(head).number ?? 0), 0);
  return number <= count + 1 && said !== undefined;
}

/** Whether a record (a number by `subjectNumber`) was here before the installation joined, under that id. */
export function stoodHere(sql: Pick<SqlReader, 'get'>, subject: number): boolean {
  const at = `SELECT 1 FROM history_subject AS s JOIN history USING (sequence)
    JOIN local ON local.name = '${ARCHIVED}' || history.chain WHERE s.subject = ? LIMIT 1`;
  return sql.get(at, subject) !== undefined;
}

/** Blocks that records, items or counters of this installation have ids of, ascending. */
export function blocksInUse(sql: SqlReader, table: string): number[] {
  const rows = sql.all<{ block: number }>(
    `SELECT DISTINCT block FROM allocation WHERE counter NOT LIKE 'number:%'
     UNION SELECT DISTINCT f_id / ${BLOCK_SIZE} FROM "${table}" ORDER BY block`,
  );
  return rows.map(({ block }) => block);
}

/**
 * Where each block goes. One that central has given by chance to this very station stays where it is, so that no block
 * moves to where another one still is. Undefined when there are too few new ones.
 */
export function blockMoves(used: readonly number[], given: readonly number[]): BlockMove[] | undefined {
  const free = given.filter(block => !used.includes(block));
  const moves = used.map(from => ({ from, to: given.includes(from) ? from : (free.shift() ?? -1) }));
  return moves.some(({ to }) => to < 0) ? undefined : moves;
}
