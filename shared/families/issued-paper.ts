import { z } from 'zod';

const text = z.string();

const cell = z.union([
  text,
  z.object({ text, shape: z.enum(['up', 'down', 'cross']), words: text }).describe('What is wrong, marked.'),
]);

const block = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('heading'), text }),
  z.object({ kind: z.literal('facts'), facts: z.array(z.tuple([text, text])) }),
  z.object({ kind: z.literal('text'), label: text, text }),
  z.object({ kind: z.literal('notice'), tone: z.enum(['plain', 'wrong']), text }),
  z.object({
    kind: z.literal('table'),
    columns: z.array(
      z.object({ label: text, share: z.number().positive(), isNumber: z.boolean().exactOptional() }),
    ),
    rows: z.array(z.array(cell)),
  }),
]);

/** A document as it was said, before it was laid out: the `Paper` of `server/print/paper.ts`, kept. */
export const issuedPaperSchema = z.object({
  language: z.enum(['en', 'de']),
  company: text,
  title: text,
  number: text,
  link: text,
  identity: text,
  printed: text,
  pageOf: text,
  replaced: text,
  at: z.iso.datetime(),
  blocks: z.array(block),
});
