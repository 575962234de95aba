import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, listOf, named } from '../contract/field-schemas.ts';
import { defineOperation, idParameter, jsonBody } from '../contract/operation.ts';

/** Bytes of a backup in one message at most: half a second on a line of 2 Mbit/s. */
export const PART_LIMIT = 128 * 1024;
/** Characters of the same in base64. */
const TEXT_LIMIT = Math.ceil(PART_LIMIT / 3) * 4;
/** Of a backup that is encrypted: when it was made, whose it is, and which key opens it. */
const FILE = /^holdpoint-\d{8}T\d{9}Z-[0-9a-f]{8}-[0-9a-z]{8}\.db\.age$/;

/** Backups of stations that central keeps. */
export function stationBackupOperations() {
  const station = { id: idParameter('Id of the station at central') };
  return [
    defineOperation('x.station-backups.send', 'POST', '/x/stations/backup', 'Stations', {
      summary: 'Send a part of an encrypted backup to central; without one, ask how much of it is there',
      body: jsonBody(() => backupPartSchema),
      answer: () => successSchema(backupReceivedSchema),
      errors: [409, 413, 422, 429, 507],
      scope: 'station',
    }),
    defineOperation('x.station-backups.list', 'GET', '/x/stations/{id}/backups', 'Stations', {
      summary: 'The backups of a station that central keeps, and who has fetched them',
      parameters: station,
      answer: () => successSchema(z.array(keptBackupSchema)),
      errors: [404],
      scope: 'admin',
    }),
    defineOperation('x.station-backups.read', 'GET', '/x/stations/{id}/backups/{file}', 'Stations', {
      summary: 'Fetch a backup of a station, encrypted as it came; the trail says who did',
      parameters: {
        ...station,
        file: { schema: z.string(), description: 'Its name, as the list has it', isRequired: true },
      },
      answerType: 'application/octet-stream',
      errors: [404],
      scope: 'admin',
    }),
  ];
}

function saying(message: string) {
  return { error: () => message };
}

const COUNT = saying('Give a whole number of bytes.');
const DATA = saying(`Give at most ${PART_LIMIT} bytes in base64.`);

/** Body of `x.station-backups.send`. */
export const backupPartSchema = named('StationBackupPart', {
  file: z
    .string(saying('Give the name of an encrypted backup of this station.'))
    // Not as a pattern: what makes values by one would seek short ones for ever.
    .refine(
      name => FILE.test(name),
      saying('This is no name of an encrypted backup: central keeps no others.'),
    )
    .describe('The name of the backup, as `holdpoint backup` gave it.')
    .meta({ examples: ['holdpoint-20260131T083000000Z-0a1b2c3d-qpzry9x8.db.age'] }),
  bytes: z
    .int(COUNT)
    .min(1, COUNT)
    .max(2 ** 44, COUNT)
    .describe('How many bytes the whole backup has.'),
  digest: z
    .string(saying('Give the SHA-256 of the backup: 64 digits in hex.'))
    .regex(/^[0-9a-f]{64}$/, saying('Give the SHA-256 of the backup: 64 digits in hex.'))
    .describe('SHA-256 of the whole backup, in hex.')
    .meta({ examples: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'] }),
  from: z
    .int(COUNT)
    .min(0, COUNT)
    .describe(
      'Where in the backup the part begins. Where central has another number of bytes, the part counts for nothing.',
    ),
  data: z
    .string(DATA)
    .regex(/^[A-Za-z0-9+/]*={0,2}$/, DATA)
    .max(TEXT_LIMIT, DATA)
    .default('')
    .describe(`At most ${PART_LIMIT} bytes of it, in base64; empty: only ask.`),
});
export type BackupPart = z.infer<typeof backupPartSchema>;

/** Answer of `x.station-backups.send`. */
export const backupReceivedSchema = named('StationBackupReceived', {
  received: z.int().describe('How many bytes of the backup central has, from its beginning.'),
  is_kept: z.boolean().describe('Whether it is there whole, and central keeps it.'),
  pause_ms: z
    .int()
    .describe('So many milliseconds later central takes the next part: stations share what it takes.'),
});
export type BackupReceived = z.infer<typeof backupReceivedSchema>;

export const keptBackupSchema = named('KeptStationBackup', {
  file: z.string().describe('Its name.'),
  at: isoTimestampSchema().describe('When it was made.'),
  bytes: z.int().describe('Its size.'),
  key: z.string().describe('The name of the recovery key that opens it, which central does not have.'),
  fetched: listOf({
    at: isoTimestampSchema().describe('When.'),
    by: z.string().nullable().describe('Who; null: a command on the machine itself.'),
  }).describe('Who has fetched it, the last first.'),
});
