import { z } from 'zod';
import type { Commit } from '../../store/changes.ts';
import type { LogPlace } from './log.ts';
import { PAGE_LIMIT } from './wire.ts';
import { commitSchema } from './wire-schemas.ts';

/** Records that are asked for in one message; central takes no more. */
export const RECORD_LIMIT = 100;

/** Asks for the commits that touch records, of the log up to the place at which a station took records in its place. */
export interface EarlierRequest {
  until: LogPlace;
  /** Of each record what stands before a place of the log: the newest of it first. */
  records: { key: string; before: number }[];
  /** About so many characters of JSON, but for a commit that alone has more. */
  size: number;
}

export interface EarlierAnswer {
  /** All commits of the record from this place on are here; 0: there are none before. For those without room there is no entry. */
  records: { key: string; from: number }[];
  /** With their places in the log; one that touches several records stands here once. */
  commits: { sequence: number; commit: Commit }[];
}

const place = z.int().min(0);
const key = z.string().min(1).max(200);

/** Parsed by a station. */
export const earlierAnswerSchema = z.object({
  records: z.array(z.object({ key, from: place })).max(RECORD_LIMIT),
  commits: z.array(z.object({ sequence: z.int().min(1), commit: commitSchema })).max(PAGE_LIMIT),
}) satisfies z.ZodType<EarlierAnswer>;
