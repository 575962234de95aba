import { z } from 'zod';

/** The envelope of every answer: interface 2.1 and 2.2; interface decisions, 2. */

export const SUCCESS_MESSAGE = 'The request was successful';
export const INTERFACE_VERSION = '2.0.0';
export const PER_PAGE_DEFAULT = 50;
export const PER_PAGE_LIMIT = 500;

export interface PageMeta {
  current_page: number;
  from: number;
  to: number;
  total: number;
  per_page: number;
  /** Only where it is true. */
  is_beyond?: true;
}

/** `from` and `to` count from 1 and are 0 on an empty page. */
export function pageMeta(page: number, perPage: number, total: number, count: number): PageMeta {
  const before = (page - 1) * perPage;
  return {
    current_page: page,
    from: count === 0 ? 0 : before + 1,
    to: count === 0 ? 0 : before + count,
    total,
    per_page: perPage,
    ...(count === 0 && page > 1 && { is_beyond: true as const }),
  };
}

export const ignoredSchema = z.array(z.string()).meta({
  description: 'Names in the request that this operation does not know. They were not stored.',
  'x-extension': true,
});

export const pageMetaSchema = z
  .object({
    current_page: z.int().min(1).describe('The page, from 1.'),
    from: z.int().min(0).describe('Place of its first record in the list, from 1.'),
    to: z.int().min(0).describe('Place of its last record in the list.'),
    total: z.int().min(0).describe('Records in the list.'),
    per_page: z.int().min(1).max(PER_PAGE_LIMIT).describe('Records on a page, as used.'),
    is_beyond: z
      .literal(true)
      .optional()
      .meta({ description: 'The page lies beyond the last one.', 'x-extension': true }),
    not_expanded: z.array(z.string()).optional().meta({
      description: 'What `expand` asked for and the caller may not read.',
      'x-extension': true,
    }),
    ignored: ignoredSchema.optional(),
  })
  .meta({
    id: 'PageMeta',
    description: 'Where the page stands in the list. `from` and `to` are 0 on an empty page.',
  });

export const errorSchema = z
  .object({
    status: z.literal('error'),
    message: z.string().describe('What is wrong and what to do about it.'),
    code: z.string().describe('For programs: it stays the same when the message is worded better.'),
    errors: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe(
        'Messages by the path of the field in the request, such as `items.0.part_id`: all at once, in the order of the contract. With 422 only.',
      ),
    request_id: z.string().describe("Names the request in the server's log."),
  })
  .meta({
    id: 'ProblemResponse',
    description: 'What went wrong and how to put it right. `errors` names each field at fault (422 only).',
  });

/** What an answer says beside its data. */
const answerMetaSchema = z.looseObject({ ignored: ignoredSchema.optional() }).meta({ id: 'AnswerMeta' });

/** The envelope around `data`. `meta` is the schema of the members beside the additive `ignored`. */
export function successSchema<
  Data extends z.core.SomeType,
  Members extends z.ZodRawShape = Record<never, never>,
>(data: Data, members?: Members): SuccessSchema<Data, Members> {
  const schema = z.object({
    status: z.literal('success'),
    message: z.string().describe('A success text.'),
    data,
    meta: answerMetaSchema.optional(),
    ...members,
  });
  return schema as z.ZodType as SuccessSchema<Data, Members>;
}

export type SuccessSchema<
  Data extends z.core.SomeType,
  Members extends z.ZodRawShape = Record<never, never>,
> = z.ZodObject<{ data: Data } & Members>;
