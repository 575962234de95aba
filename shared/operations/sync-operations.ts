import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, listOf, named, shown } from '../contract/field-schemas.ts';
import { defineOperation, idParameter, jsonBody, noBody } from '../contract/operation.ts';
import { stationMachineSchema } from '../contract/station-machine.ts';
import { movedSchema } from './moved-operations.ts';
import { quotaStateSchema } from './quota.ts';

/** How many hours a code for enrolment is valid: by itself, at most for one station, and at most for several. */
export const CODE_HOURS_DEFAULT = 24;
export const CODE_HOURS_LIMIT = 168;
export const CODE_HOURS_LIMIT_MANY = 8_760;
/** How many stations one code lets in at most. */
export const CODE_USES_LIMIT = 1_000;
/** Characters of a station's name. */
export const NAME_LIMIT = 100;

/** Central and its stations: codes for enrolment, enrolment itself, keys and blocks of ids. */
export function syncOperations() {
  const station = { id: idParameter('Id of the station at central') };
  return [
    defineOperation('x.enrolment-codes.create', 'POST', '/x/enrolment-codes', 'Stations', {
      summary: 'Make a code with which one station or several enrol; it is in this answer only',
      body: jsonBody(() => codeRequestSchema),
      answer: () => successSchema(newCodeSchema),
      success: 201,
      errors: [409, 422],
      scope: 'admin',
    }),
    defineOperation('x.enrolment-codes.list', 'GET', '/x/enrolment-codes', 'Stations', {
      summary: 'List the codes for enrolment and what became of them',
      answer: () => successSchema(z.array(codeSchema)),
      scope: 'admin',
    }),
    defineOperation('x.enrolment-codes.revoke', 'POST', '/x/enrolment-codes/{id}/revoke', 'Stations', {
      summary: 'Revoke a code for enrolment',
      parameters: { id: idParameter('Id of the code') },
      body: noBody,
      answer: () => successSchema(codeSchema),
      errors: [404],
      scope: 'admin',
    }),
    defineOperation('x.enrolment.create', 'POST', '/x/enrolment', 'Stations', {
      summary: 'Enrol a station with a code: it gets its name, its key and its block of ids',
      body: jsonBody(() => enrolmentRequestSchema),
      answer: () => successSchema(enrolmentAnswerSchema),
      success: 201,
      errors: [403, 409, 422, 426, 429],
      scope: 'none',
    }),
    defineOperation('x.stations.list', 'GET', '/x/stations', 'Stations', {
      summary: "List central's stations and how they stand",
      answer: () => successSchema(z.array(stationSchema)),
    }),
    defineOperation('x.stations.revoke', 'POST', '/x/stations/{id}/revoke', 'Stations', {
      summary:
        "Revoke a station's key; it is refused from the next call on, and who signed in there chooses another password",
      parameters: station,
      body: { ...jsonBody(() => stationRevocationSchema), isOptional: true },
      answer: () => successSchema(revokedStationSchema),
      errors: [404, 409, 422],
      scope: 'admin',
    }),
    defineOperation('x.stations.group', 'POST', '/x/stations/{id}/group', 'Stations', {
      summary:
        'Put a station into a group, or into none: it has the passwords of who is assigned to its group, stretched, and of the former one no more',
      parameters: station,
      body: jsonBody(() => stationGroupSchema),
      answer: () => successSchema(stationSchema),
      errors: [404, 409, 422],
      scope: 'admin',
    }),
    defineOperation('x.stations.choose', 'POST', '/x/stations/{id}/choose', 'Stations', {
      summary: 'Say which of several machines with the disk of a station goes on as the station',
      parameters: station,
      body: jsonBody(() => machineChoiceSchema),
      answer: () => successSchema(stationSchema),
      errors: [404, 409, 422],
      scope: 'admin',
    }),
    defineOperation('x.stations.block', 'POST', '/x/stations/block', 'Stations', {
      summary: 'Take a further block of ids',
      body: noBody,
      answer: () => successSchema(blockAnswerSchema),
      success: 201,
      errors: [429],
      scope: 'station',
    }),
    enrolOperation(),
  ];
}

/** At a station: join a central. */
function enrolOperation() {
  return defineOperation('x.sync.enrol', 'POST', '/x/sync/enrol', 'Stations', {
    summary: 'Enrol this station at a central',
    body: jsonBody(() => enrolRequestSchema),
    answer: () => successSchema(enrolAnswerSchema),
    success: 201,
    errors: [403, 409, 422, 426, 429, 503, 507],
    scope: 'admin',
  });
}

/** A refusal that names the value and the remedy. */
function saying(remedy: string) {
  return {
    error: ({ input }: { input?: unknown }) =>
      input === undefined ? remedy : `${shown(input)} cannot be used. ${remedy}`,
  };
}

const NAME = saying('Give a name of 1 to 100 characters, such as the place where the station stands.');
const nameSchema = z
  .string(NAME)
  .trim()
  .min(1, NAME)
  .max(NAME_LIMIT, NAME)
  // Not as a pattern: not every tool that reads the document knows classes of characters.
  .refine(name => !/\p{Cc}/u.test(name), NAME);
const HOURS = saying(
  `Give a whole number of hours, 1 to ${CODE_HOURS_LIMIT}, for several stations to ${CODE_HOURS_LIMIT_MANY}.`,
);
const USES = saying(`Give how many stations it lets in, a whole number from 1 to ${CODE_USES_LIMIT}.`);
const GROUP = saying('Give a name of 1 to 100 characters, such as the plant.');
const groupSchema = z
  .string(GROUP)
  .trim()
  .min(1, GROUP)
  .max(100, GROUP)
  .refine(group => !/\p{Cc}/u.test(group), GROUP);
const MACHINE = saying("Give a machine's name of the list of stations, such as 4F2A.");
const BRINGS = saying('Give true or false.');
const CODE = saying('Give the code as central showed it.');
const ADDRESS = saying("Give central's address, such as https://central.example:4870.");
const VERSION = saying('Give a version of the sync protocol, a whole number from 1.');

/** Body of `x.stations.choose`. */
export const machineChoiceSchema = named('MachineChoice', {
  machine: z
    .string(MACHINE)
    .trim()
    .toUpperCase()
    .regex(/^[0-9A-F]{4}$/, MACHINE)
    .describe('The machine that goes on, as `machines` of the station names it.'),
});

/** Body of `x.stations.group`. */
export const stationGroupSchema = named('StationGroup', {
  group: groupSchema.nullable().describe('The group, such as the plant; null: none.'),
});

/** Body of `x.enrolment-codes.create`. */
export const codeRequestSchema = named('EnrolmentCodeCreate', {
  name: nameSchema.describe(
    'What the station will be called; of a code for several, those that give no name, with a number.',
  ),
  hours: z
    .int(HOURS)
    .min(1, HOURS)
    .max(CODE_HOURS_LIMIT_MANY, HOURS)
    .default(CODE_HOURS_DEFAULT)
    .describe(
      `How many hours the code is valid: at most ${CODE_HOURS_LIMIT} for one station, ${CODE_HOURS_LIMIT_MANY} for several.`,
    ),
  uses: z
    .int(USES)
    .min(1, USES)
    .max(CODE_USES_LIMIT, USES)
    .default(1)
    .describe('How many stations it lets in. For several they are new ones, which bring nothing along.'),
  group: groupSchema.optional().describe('The group of the stations that it lets in, such as the plant.'),
  brings_records: z
    .boolean(BRINGS)
    .default(false)
    .describe(
      'Whether the installation may bring along what it recorded so far: it is taken as it is, whoever may write such things here.',
    ),
});

export type CodeRequest = z.infer<typeof codeRequestSchema>;

const codeShape = {
  id: z.int().describe('Id of the code.'),
  name: z.string().describe('What the station will be called; of a code for several, the code.'),
  created_by: z.string().describe('Who made the code.'),
  created_at: isoTimestampSchema().describe('When it was made.'),
  expires_at: isoTimestampSchema().describe('Until when it is valid.'),
  brings_records: z.boolean().describe('Whether the installation may bring along what it recorded so far.'),
  uses: z.int().describe('How many stations it lets in.'),
  used: z.int().describe('How many stations it has let in.'),
  group: z.string().nullable().describe('The group of the stations that it lets in.'),
  state: z
    .enum(['open', 'used', 'expired', 'revoked'])
    .describe('What became of it; `used`: it has let in as many as it may.'),
};

export const codeSchema = named('EnrolmentCode', codeShape);

export const newCodeSchema = named('NewEnrolmentCode', {
  ...codeShape,
  code: z.string().describe("What the station is given, with the fingerprint of central's certificate."),
});

/** Versions of the sync protocol that a program speaks. */
const protocolRangeSchema = named('ProtocolRange', {
  min: z.int(VERSION).min(1, VERSION).describe('The oldest version.'),
  max: z.int(VERSION).min(1, VERSION).describe('The newest version.'),
});

/** Body of `x.enrolment.create`. */
export const enrolmentRequestSchema = named('Enrolment', {
  code: z.string(CODE).max(200, CODE).describe('The code, as central showed it.'),
  name: nameSchema.optional().describe('Another name than the code gives.'),
  station: z
    .uuid(saying('Give the id of the installation, a UUID.'))
    .describe('The installation, named at random when it was set up.'),
  protocol: protocolRangeSchema.describe('What the station speaks.'),
  version: z
    .string()
    .max(50, saying('Give at most 50 characters.'))
    .optional()
    .describe('Version of its program.'),
  brings_records: z
    .boolean(BRINGS)
    .optional()
    .describe('Whether it has records of its own, which the code must allow.'),
  key: z
    .string()
    .regex(/^[\w-]{43}$/, 'This is no Ed25519 public key in base64url.')
    .optional()
    .describe('With which it signs what it sends: Ed25519, 32 bytes, base64url.')
    .meta({ examples: ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'] }),
  separated_from: z
    .object({
      station: z.uuid(saying('Give the id of the station, a UUID.')).describe('The station that it was.'),
      proof: z.looseObject({}).optional().describe('Which of its machines this is.'),
    })
    .optional()
    .describe('Of a copy of a station that becomes a station of its own.'),
  clock: z.iso
    .datetime({ offset: true, ...saying('Give a time as 2026-06-15T12:00:00.000Z.') })
    .describe("The station's time."),
});
export type EnrolmentRequest = z.infer<typeof enrolmentRequestSchema>;

const blockShape = {
  block: z.int().min(0).describe('The block that is given: its ids are block × 2^20 + n.'),
  blocks: z.array(z.int().min(0)).describe('All blocks of the station.'),
};

/** Answer of `x.stations.block`. */
export const blockAnswerSchema = named('StationBlock', blockShape);

/** Answer of `x.enrolment.create`. */
export const enrolmentAnswerSchema = named('EnrolmentAnswer', {
  central: z.string().describe('The installation that is central.'),
  station: z.string().describe('The installation that is enrolled.'),
  name: z.string().describe('What it is called from now on.'),
  key: z.string().describe('What it sends after `Bearer`; in this answer only.'),
  ...blockShape,
  protocol: z.int().describe('The newest version of the sync protocol that both speak.'),
  clock: isoTimestampSchema().describe("Central's time."),
});
export type EnrolmentAnswer = z.infer<typeof enrolmentAnswerSchema>;

/** Why a person should look after a station, the worst first. */
export const STATION_NEEDS = [
  'doubled',
  'held',
  'silent',
  'disk',
  'backup',
  'crash',
  'start',
  'clock',
  'update',
  'version',
] as const;
export type StationNeed = (typeof STATION_NEEDS)[number];

/** So many days without a word of a station are worth asking why. */
export const SILENT_DAYS = 3;
/** So much of a disk should be free: a share of it, and bytes. */
export const DISK_LEFT = { share: 0.05, bytes: 2_000_000_000 };
/** A daily backup that is so many hours old when the station calls was not made. */
export const BACKUP_HOURS = 49;

/** So many days a crash of a station's server, or a start that came to nothing, is worth asking why. */
export const CRASH_DAYS = 7;

const machinesSchema = listOf({
  machine: z.string().describe('How central calls it; the machine itself says it too.'),
  goes_on: z
    .boolean()
    .describe('Whether it is the one that goes on as the station; the others are held off.'),
  first_seen_at: isoTimestampSchema().describe('When it was told apart first.'),
  last_seen_at: isoTimestampSchema().describe('When it last called.'),
  unsent: z.int().nullable().describe('Changes that it had not sent then.'),
  version: z.string().nullable().describe('Version of its program.'),
});

export const stationSchema = named('Station', {
  id: z.int().describe('Id of the station at central.'),
  station: z.string().describe('The installation, named at random when it was set up.'),
  name: z.string().describe('What people call it.'),
  group: z
    .string()
    .nullable()
    .describe('Its group, such as the plant, as its code said or an administrator since; null: none.'),
  blocks: z.array(z.int()).describe('Its blocks of ids.'),
  enrolled_at: isoTimestampSchema().describe('When it was enrolled last.'),
  revoked_at: isoTimestampSchema().nullable().describe('Null while its key is valid.'),
  last_seen_at: isoTimestampSchema().nullable().describe('When it last called.'),
  protocol: z.int().nullable().describe('The version of the sync protocol that it speaks.'),
  version: z.string().nullable().describe('Version of its program.'),
  clock_offset_ms: z.int().nullable().describe("Its clock minus central's, in milliseconds."),
  unsent: z.int().nullable().describe('Commits that it has not sent yet, as it last said.'),
  sequence: z.int().nullable().describe("How far it has read central's log."),
  behind: z.int().nullable().describe("How many entries of central's log it has not read."),
  held: z.int().describe('Its commits that central holds.'),
  machine: stationMachineSchema
    .nullable()
    .describe('What it last said of its machine; null: nothing yet, as earlier versions do.'),
  offered_version: z
    .string()
    .nullable()
    .describe(
      'The version that its ring offers, as the publisher signed it; null: none, it takes none, or it has not said its ring.',
    ),
  kept_backup: z
    .object({
      at: isoTimestampSchema().describe('When it was made.'),
      bytes: z.int().describe('Its size.'),
      count: z.int().describe('How many of the station are kept.'),
    })
    .nullable()
    .describe('The newest backup of it that central keeps, encrypted; null: none.'),
  needs: z
    .array(z.enum(STATION_NEEDS))
    .describe(
      `Why a person should look after it, the worst first; empty: all is well. \`doubled\`: several machines call as it, and nobody has said which goes on. \`held\`: central holds changes of it. \`silent\`: it has not called for ${SILENT_DAYS} days. \`disk\`: less than ${DISK_LEFT.share * 100} % of its disk and less than ${DISK_LEFT.bytes / 1_000_000_000} GB are free. \`backup\`: its last backup was more than ${BACKUP_HOURS} hours old when it called, or something about its backups is to be put right. \`crash\`: its server has ended by a fault within ${CRASH_DAYS} days. \`clock\`: its clock is wrong by two minutes or more. \`update\`: its ring offers a later version. \`version\`: no version is known to be offered to it, and its program is another one than central's.`,
    ),
  doubled_at: isoTimestampSchema()
    .nullable()
    .describe('When more than one machine was noticed that calls as this station; null: one only.'),
  chosen_at: isoTimestampSchema()
    .nullable()
    .describe('When a person said which of them goes on; null: nobody did.'),
  machines: machinesSchema.describe('The machines that call as this station, where there are several.'),
  forgotten: z
    .object({
      machine: z.string().describe('How central called it.'),
      at: isoTimestampSchema().describe('When another one took its place.'),
    })
    .nullable()
    .describe(
      'Of more machines than are listed, the last one that had to be left out, because it was not seen for longest; when it calls again it gets another name. Null: none.',
    ),
  has_heard: z
    .boolean()
    .nullable()
    .describe("Whether it has heard of central's next certificate; null while none is announced."),
  quota: quotaStateSchema
    .nullable()
    .describe('What it has used up of what one station may use of central; null: nothing.'),
});

export const stationRevocationSchema = named('StationRevocation', {
  keeps_passwords: z
    .boolean()
    .optional()
    .describe(
      'True: nobody else had the machine, so that people keep their passwords and keys. Unless it is said, those of all who signed in there are revoked.',
    ),
  reason: z.string().max(1_000).optional().describe('Why, for the history.'),
});

export const revokedStationSchema = stationSchema.extend({
  people: z
    .array(z.string())
    .describe('Logins of those whose passwords were revoked with it: they choose another one at central.'),
});

/** Body of `x.sync.enrol`. */
export const enrolRequestSchema = named('Enrol', {
  address: z
    .string(ADDRESS)
    .min(1, ADDRESS)
    .max(300, ADDRESS)
    .describe("Central's address: https://central.example:4870."),
  code: z.string(CODE).min(1, CODE).max(200, CODE).describe('The code that central made for this station.'),
  name: nameSchema.optional().describe('Another name than the code gives.'),
  separate: z
    .boolean(BRINGS)
    .optional()
    .describe(
      'Of a copy of a station: it becomes a station of its own, keeps all its records, and goes on under another id.',
    ),
});
export type EnrolRequest = z.infer<typeof enrolRequestSchema>;

/** Answer of `x.sync.enrol`. */
export const enrolAnswerSchema = named('EnrolAnswer', {
  address: z.string().describe("Central's address."),
  central: z.string().describe('The installation that is central.'),
  name: z.string().describe('What this station is called from now on.'),
  block: z.int().describe('Its block of ids.'),
  moved: movedSchema
    .nullable()
    .describe('What became of the records that it had; null for a fresh installation.'),
});
