import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, listOf, named } from '../contract/field-schemas.ts';
import { BODY_LIMIT, defineOperation } from '../contract/operation.ts';

/** Of a file that is read in: 16 GiB. */
const FILE_LIMIT = 16 * 1024 * 1024 * 1024;
const FILE_TYPE = 'application/octet-stream';

/** The exchange by files, where there is no line. */
export function carryOperations() {
  return [
    defineOperation('x.carry.read', 'GET', '/x/carry', 'Sync', {
      summary: 'When files were carried last, and what waits for the next one',
      answer: () => successSchema(carryStateSchema),
      errors: [503],
    }),
    defineOperation('x.carry.out', 'POST', '/x/carry/out', 'Sync', {
      summary: 'Write a file for central, or at central for a station: what it is not known to have',
      body: {
        schema: () => carryOutSchema,
        isOptional: true,
        limit: BODY_LIMIT,
        type: 'application/json',
      },
      answerType: FILE_TYPE,
      errors: [404, 409, 422, 503],
      scope: 'write',
    }),
    defineOperation('x.carry.in', 'POST', '/x/carry/in', 'Sync', {
      summary: 'Read in a file of central, or at central of a station',
      query: {
        key: {
          schema: z
            .string()
            .regex(/^[0-9A-Fa-f]{64}$/, { error: 'Give the SHA-256 of the key: 64 digits in hex.' }),
          description:
            'SHA-256, in hex, of the key that the file may be signed with, where that is another one than before: as somebody there has said it.',
        },
      },
      body: { schema: () => z.string(), isOptional: false, limit: FILE_LIMIT, type: FILE_TYPE },
      answer: () => successSchema(carriedSchema),
      errors: [400, 409, 413, 415, 422, 429, 503],
      scope: 'write',
    }),
  ];
}

const STATION = {
  error: 'Give the id of the station, as the list of stations has it; at a station leave it out.',
};

/** Body of `x.carry.out`. */
export const carryOutSchema = named('CarryOut', {
  station: z
    .int(STATION)
    .min(1, STATION)
    .optional()
    .describe('At central: the id of the station that the file is for.'),
});

const dates = {
  out_at: isoTimestampSchema().nullable().describe('When a file was written for it last; null: never.'),
  in_at: isoTimestampSchema().nullable().describe('When a file of it was read in last; null: never.'),
};

/** Answer of `x.carry.read`. */
export const carryStateSchema = named('CarryState', {
  role: z.enum(['station', 'central']).describe('What this installation is.'),
  others: listOf({
    id: z.int().nullable().describe('Of a station its id at central; null for central.'),
    name: z.string().describe('What people call it; of central its address.'),
    ...dates,
    waiting: z
      .int()
      .describe(
        'At a station: its changes that central is not known to have. At central: entries of the log that the station is not known to have.',
      ),
  }).describe(
    'Those that files are carried to: of a station its central, of central its stations; none while a station stands alone.',
  ),
  running: z
    .object({
      done: z.int().describe('Messages of the file that were taken.'),
      of: z.int().describe('Messages that it has; 0 while it is still looked at.'),
    })
    .nullable()
    .describe('How far a file is that is being read in now; null: none is.'),
});
export type CarryState = z.infer<typeof carryStateSchema>;

/** Answer of `x.carry.in`. */
export const carriedSchema = named('Carried', {
  name: z.string().nullable().describe('Of which station the file was; null: of central.'),
  written_at: isoTimestampSchema().describe('When it was written, by the clock of its writer.'),
  changes: z.int().describe('Changes in it that were new here.'),
  known: z.int().describe('Those that were here already.'),
});
export type CarriedAnswer = z.infer<typeof carriedSchema>;
