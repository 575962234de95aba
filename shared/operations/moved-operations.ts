import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { listOf, named } from '../contract/field-schemas.ts';
import { defineOperation, idParameter } from '../contract/operation.ts';

/** Where the records of an installation are that stood alone and joined a central. */
export function movedOperations() {
  return [
    defineOperation('x.moved.read', 'GET', '/x/moved/{family}/{old_id}', 'Stations', {
      summary: 'Read which id a record has since this installation joined a central',
      parameters: {
        family: {
          schema: z.string(),
          description: 'Family, as `supplier` or `suppliers`.',
          isRequired: true,
        },
        old_id: idParameter('Id that the record had here before'),
      },
      answer: () => successSchema(movedIdSchema),
      errors: [404],
    }),
  ];
}

/** Answer of `x.moved.read`. */
export const movedIdSchema = named('MovedId', {
  family: z.string().describe('Name of the family.'),
  old_id: z.int().describe('The id that the record had.'),
  id: z.int().describe('The id that it has.'),
});

/** What was moved when an installation joined that had records of its own. */
export const movedSchema = named('Moved', {
  records: z.int().describe('How many records moved.'),
  commits: z.int().describe('How many commits of history were issued again under the new ids.'),
  blocks: listOf({
    from: z.int().min(0).describe('The block that ids had: from × 2^20 + n.'),
    to: z.int().min(0).describe('The block that they have: to × 2^20 + n.'),
  }).describe('Where each block of ids went.'),
  backup: z.string().describe('The backup that was made and checked before.'),
});
export type MovedAnswer = z.infer<typeof movedSchema>;
