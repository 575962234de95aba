import { z } from 'zod';
import { answerSchema } from '../contract/answer-schema.ts';
import type { Answer, Family } from '../contract/define-family.ts';
import { oncePerObject } from '../contract/once-per.ts';
import { correction } from './correction.ts';

/** Corrections that one answer lists at most; `GET /x/corrections` has all of them. */
export const LISTED_CORRECTIONS = 100;

/** What the answer of a record says of each of its corrections. */
export const LISTED_FIELDS = [
  'id',
  'path',
  'old_value',
  'new_value',
  'author',
  'at',
  'reason',
  'status',
] as const;

/** Whether what was saved of the family's records is kept when it is replaced, so that their answers tell of it. */
export function isCorrected({ may }: Pick<Family, 'may'>): boolean {
  return needsReasons(may);
}

const needsReasons = oncePerObject(({ rules }: Family['may']) =>
  Object.values(rules ?? {}).some(each => each.some(({ needsReason }) => needsReason)),
);

/** The answer of a single record of the family, with its corrections where its records have some. */
export function withCorrections<Shape extends z.ZodRawShape>(
  family: Pick<Family, 'may'>,
  record: z.ZodObject<Shape>,
): z.ZodObject<Shape> {
  if (!isCorrected(family)) return record;
  const { id = '', description = '' } = record.meta() ?? {};
  return record
    .extend(members())
    .meta({ id: `${id}WithCorrections`, description }) as z.ZodObject as z.ZodObject<Shape>;
}

/** What the answer of a record says of its corrections, as a type; not of every family. */
export interface ListedCorrections {
  corrections_count?: number;
  corrections?: Pick<Answer<typeof correction>, (typeof LISTED_FIELDS)[number]>[];
}

function members() {
  const isAdditive = { 'x-extension': true };
  const listed = answerSchema(correction, { fields: LISTED_FIELDS, name: 'RecordCorrection' });
  return {
    corrections_count: z
      .int()
      .min(0)
      .meta({ description: 'How often saved values of the record were replaced.', ...isAdditive }),
    corrections: z.array(listed).meta({
      description: `What stood before, by whom and why it was replaced: the first ${LISTED_CORRECTIONS}, oldest first.`,
      ...isAdditive,
    }),
  };
}
