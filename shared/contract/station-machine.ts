import { z } from 'zod';
import { isoTimestampSchema, named } from './field-schemas.ts';
import { RING_NAME } from './signed-release.ts';
import { updateWindowSchema } from './update-window.ts';

/** What a station says of its machine with its messages. */
export const stationMachineSchema = named('StationMachine', {
  disk_free: z.int().min(0).nullable().describe('Bytes that are free where its data is; null: not known.'),
  disk_size: z.int().min(0).nullable().describe('Bytes of that disk; null: not known.'),
  backup_at: isoTimestampSchema()
    .nullable()
    .describe('When its last backup was made and read again; null: there is none.'),
  is_backup_well: z.boolean().describe('False: something about its backups is to be put right, there.'),
  practised_at: isoTimestampSchema()
    .nullable()
    .describe('When a restore was last practised there; null: it never was.'),
  crashed_at: isoTimestampSchema()
    .nullable()
    .default(null)
    .describe(
      'When its server last ended by a fault of the program, by the reports that it keeps; null: not known of any.',
    ),
  start_failed_at: isoTimestampSchema()
    .nullable()
    .default(null)
    .describe('When its server last could not start; null: not known of any time.'),
  updates: z
    .enum(['on', 'off'])
    .nullable()
    .default(null)
    .describe('Whether it gets updates by its central; null: not known, as earlier versions do not say it.'),
  update_ring: z
    .string()
    .regex(RING_NAME)
    .nullable()
    .default(null)
    .describe('Whose updates it follows, `stable` unless its policy names another ring; null: not known.'),
  update_window: updateWindowSchema
    .nullable()
    .default(null)
    .describe(
      'When it offers and installs them, by its own clock, such as `22:00-05:00`; null: always, or not known.',
    ),
});
export type StationMachine = z.infer<typeof stationMachineSchema>;
