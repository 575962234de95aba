import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, named } from '../contract/field-schemas.ts';
import { defineOperation, idParameter, jsonBody } from '../contract/operation.ts';

/** Characters of JSON of one entry: the longest scan, and why it is open, with signs that JSON writes as six. */
export const OPEN_SCAN_LIMIT = 100_000;
const CHANGED_AT_ONCE = 200;
const KEY_LIMIT = 100;

const keySchema = z.string().min(1).max(KEY_LIMIT);

/** What one request changes: all of it or nothing. */
export const openScansSchema = named('OpenScans', {
  entries: z
    .array(
      z.object({
        key: keySchema.describe('Given by who scanned: two machines at one receipt have keys of their own.'),
        data: z.unknown().describe('As the screen has it; null takes the entry away.'),
        moves_to: z.int().min(1).optional().describe('The entry goes to this receipt.'),
      }),
    )
    .max(CHANGED_AT_ONCE)
    .describe('What is put, taken away or moved.'),
  expects: z
    .array(keySchema)
    .max(CHANGED_AT_ONCE)
    .optional()
    .describe('Entries that must stand still: 409 when somebody else has settled one.'),
});

/** An entry, as it is answered. */
export const openScanSchema = z.object({
  key: keySchema,
  data: z.unknown().describe('As it was given; null when a fault of the disk has damaged it.'),
  by: z.string().nullable().describe('Who gave it.'),
  at: isoTimestampSchema(),
});

/**
 * What was scanned at a receipt and is not in a saved line: the line that is being entered, scans that wait for an answer, and
 * refused ones until somebody settles them. It is no record: it stays at this installation, for everybody who receives.
 */
export function openScanOperations() {
  const parameters = { id: idParameter('Id of the receipt') };
  const path = '/x/receiving-inspections/{id}/scans';
  const answer = () => successSchema(z.array(openScanSchema));
  return [
    defineOperation('x.open-scans.list', 'GET', path, 'Drafts', {
      summary: 'What was scanned at a receipt and is not in a saved line, oldest first',
      parameters,
      answer,
      errors: [404],
    }),
    defineOperation('x.open-scans.update', 'PUT', path, 'Drafts', {
      summary: 'Keep what was scanned, or take away what is settled; all of it or nothing',
      parameters,
      body: jsonBody(() => openScansSchema),
      answer,
      errors: [404, 409, 413, 415, 422, 507],
      scope: 'write',
    }),
  ];
}
