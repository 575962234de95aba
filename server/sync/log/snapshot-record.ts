import { z } from 'zod';
import { listOf } from '../../../shared/contract/field-schemas.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import type { Commit } from '../../store/changes.ts';
import { stateOf } from '../../store/unit-of-work.ts';
import { commitHash } from '../protocol/log.ts';
import { commitSchema, siblingSchema } from '../protocol/wire-schemas.ts';
import type { Conflict } from './conflicts.ts';
import { sha256 } from './log.ts';

/** A record as a page of a snapshot has it. */
export interface SnapshotRecord {
  record: StoredRecord;
  /** All that it ever had. */
  conflicts: Conflict[];
  /** Those that its conflicts name, so that both actors are known, and as what its creator was issued again. */
  commits: Commit[];
}

const time = z.iso.datetime();
const count = z.int().min(0);

const schema = z.object({
  record: z.object({
    key: z.string().max(200),
    family: z.string().max(200),
    id: z.int().min(1),
    version: count,
    state: z.string().max(200),
    fields: z.record(z.string(), z.unknown()),
    field_set: count,
    created_at: time,
    updated_at: time,
    station: z.string().max(200),
    user: z.string().max(200),
    creator: z.string().max(200),
    writers: z.record(z.string(), z.union([z.string(), z.array(siblingSchema)])),
    folded: count,
  }),
  conflicts: listOf({
    id: z.string().max(200),
    subject: z.string().max(200),
    path: z.string().max(500),
    siblings: z.array(siblingSchema),
    opened: count,
    closed: count.nullable(),
    closed_by: z.string().nullable(),
    outcome: z.unknown(),
  }),
  commits: z.array(commitSchema),
}) satisfies z.ZodType<SnapshotRecord>;

/** @throws Error for what is no record, or is not what its hash says */
export function parseSnapshotRecord(input: unknown): SnapshotRecord {
  const parsed = schema.safeParse(input);
  if (!parsed.success)
    throw new Error('Central sends a record that cannot be read.', { cause: parsed.error });
  const { record, commits } = parsed.data;
  const isWhole = record.key === `${record.family}:${record.id}` && stateOf(record.fields) === record.state;
  if (!isWhole || commits.some(commit => commitHash(commit, sha256) !== commit.hash)) {
    throw new Error(`Central sends the record ${record.key} otherwise than its hash says.`);
  }
  return parsed.data;
}
