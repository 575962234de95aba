import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, listOf, named } from '../contract/field-schemas.ts';
import { defineOperation } from '../contract/operation.ts';

/** Families that are worked through by status, and the columns of their boards. */
export const boardColumns = {
  ncr: ['open', 'in_review', 'closed'],
  car: ['open', 'closed'],
  complaint: ['open', 'investigated', 'closed'],
} as const;
export type BoardFamily = keyof typeof boardColumns;
export const boardFamilies = ['ncr', 'car', 'complaint'] as const satisfies readonly BoardFamily[];

/** Cards of a column at most; of what is closed fewer. */
export const BOARD_LIMIT = 200;
export const BOARD_CLOSED_LIMIT = 20;

/** The boards of reports, requests and complaints: what waits for somebody, the oldest first. */
export function boardOperations() {
  return [
    defineOperation('x.boards.read', 'GET', '/x/boards/{family}', 'Non-conformance reports', {
      summary: 'Reports, requests or complaints by status, with their age: the oldest open ones first',
      parameters: {
        family: {
          schema: z.enum(boardFamilies),
          description: 'What the board is of.',
          isRequired: true,
        },
      },
      query: {
        part_id: { schema: z.int().min(1), description: 'Only those about this part.' },
        supplier_id: {
          schema: z.int().min(1),
          description: 'Only those about goods of this supplier: of the receipt, else of the part.',
        },
        source: { schema: z.string(), description: 'Only those from this source; complaints have none.' },
      },
      answer: () => successSchema(boardSchema),
      errors: [422],
    }),
  ];
}

const card = named('BoardCard', {
  id: z.int().describe('Id of the record.'),
  number: z.string().describe('What people call it.'),
  description: z.string().nullable().describe('What it is about; null where none is stored.'),
  source: z.string().nullable().describe('Where it comes from; null where none is stored.'),
  part_id: z.int().nullable().describe('Id of the part; null where none is named.'),
  part: z.string().nullable().describe('Name of the part.'),
  supplier_id: z.int().nullable().describe('Id of the supplier; null where none is known.'),
  supplier: z.string().nullable().describe('Name of the supplier.'),
  lot_number: z.string().nullable().describe('Lot number; null where none is stored.'),
  disposition: z.string().nullable().describe('Of a report: what becomes of the goods; null: undecided.'),
  ncr_id: z.int().nullable().describe('Of a request: id of the report that raised it.'),
  day: z.iso.date().describe('The day it was opened.'),
  days: z.int().min(0).describe('Its age: whole days since then.'),
  is_late: z.boolean().describe('Whether it is open for longer than `late_after_days`.'),
});

export const boardSchema = named('Board', {
  as_of: isoTimestampSchema().describe('When this was read, UTC.'),
  late_after_days: z.int().describe('What is open for longer is late.'),
  columns: listOf({
    status: z.string().describe('open, in_review or investigated, closed.'),
    total: z
      .int()
      .nullable()
      .describe('How many there are; null: not counted, because what is closed is read only in part.'),
    cards: z
      .array(card)
      .describe(`The oldest first, at most ${BOARD_LIMIT}; of closed ones the newest ${BOARD_CLOSED_LIMIT}.`),
  }).describe('In the order of the work.'),
});
export type Board = z.infer<typeof boardSchema>;
export type BoardCard = z.infer<typeof card>;
