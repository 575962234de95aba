import { z } from 'zod';
import { listOf, named } from './field-schemas.ts';

/** What people call central's stations: sent to a station that has others, or fewer. */
export const stationNamesSchema = named('StationNames', {
  after: z
    .string()
    .max(100)
    .nullable()
    .describe('The stamp of the names that these follow; null: they take the place of all.'),
  stamp: z.string().max(100).describe('The stamp of the names with these.'),
  stations: listOf({
    station: z.string().max(200).describe('The installation.'),
    name: z.string().max(200).describe('What people call it.'),
  })
    .max(1_000)
    .describe('In the order of their enrolment.'),
});
export type StationNames = z.infer<typeof stationNamesSchema>;
