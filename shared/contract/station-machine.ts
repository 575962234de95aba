import { z } from 'zod';
import { isoTimestampSchema, named } from './field-schemas.ts';

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
});
export type StationMachine = z.infer<typeof stationMachineSchema>;
