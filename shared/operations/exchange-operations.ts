import { z } from 'zod';
import { pageMetaSchema, successSchema } from '../contract/envelope.ts';
import {
  clockAtLeastSchema,
  clockOffsetSchema,
  isoTimestampSchema,
  listOf,
  named,
} from '../contract/field-schemas.ts';
import { ARRAY_LIMIT } from '../contract/limits.ts';
import { defineOperation, jsonBody, pageQuery } from '../contract/operation.ts';
import { isSaid } from '../contract/permission.ts';
import { stationMachineSchema } from '../contract/station-machine.ts';
import { stationNamesSchema } from '../contract/station-names.ts';
import { checkpointSchema } from './checkpoint-operations.ts';
import { shownCertificatesSchema } from './renewal-operations.ts';
import { signatureInput } from './signature-input.ts';

/** A message of the exchange, unpacked: 16 MiB. */
const EXCHANGE_LIMIT = 16 * 1024 * 1024;

/** What stations and central say to each other, how that goes, and what waits for a person. */
export function exchangeOperations() {
  const commit = {
    commit_id: { schema: z.string(), description: 'Id of the held commit.', isRequired: true },
  };
  const decideHeld = <Verb extends 'release' | 'withdraw'>(verb: Verb, summary: string) =>
    defineOperation(`x.held.${verb}`, 'POST', `/x/held/{commit_id}/${verb}`, 'Sync', {
      summary,
      parameters: commit,
      body: jsonBody(() => heldDecisionSchema),
      answer: () => successSchema(heldDecidedSchema),
      errors: [404, 409, 422, 429],
      scope: 'admin',
    });
  return [
    defineOperation('x.sync.exchange', 'POST', '/x/sync/exchange', 'Sync', {
      summary: 'A message of a station to central, and its answer',
      body: { ...jsonBody(() => exchangeRequestSchema), limit: EXCHANGE_LIMIT },
      answer: () => successSchema(exchangeAnswerSchema),
      errors: [403, 409, 413, 422, 426, 429],
      scope: 'station',
    }),
    defineOperation('x.sync.pokes', 'GET', '/x/sync/pokes', 'Sync', {
      summary: 'Server-sent events for a station: central has news',
      answerType: 'text/event-stream',
      errors: [429],
      scope: 'station',
    }),
    defineOperation('x.sync.read', 'GET', '/x/sync', 'Sync', {
      summary: 'How the exchange with central stands',
      answer: () => successSchema(syncStateSchema),
    }),
    defineOperation('x.sync.comparison', 'GET', '/x/sync/comparison', 'Sync', {
      summary: 'Compare all records with those of central, at the same place of its log',
      answer: () => successSchema(comparisonSchema),
      errors: [404, 503],
    }),
    defineOperation('x.sync.digests', 'GET', '/x/sync/digests', 'Sync', {
      summary: 'Digests of all records by family, or the hash of each record of one family',
      query: { family: { schema: z.string(), description: 'Name of the family.' } },
      answer: () => successSchema(centralDigestsSchema),
      errors: [429, 503],
      scope: 'station',
    }),
    defineOperation('x.sync.history', 'POST', '/x/sync/history', 'Sync', {
      summary: 'The history of records from before a station took them in place of the log',
      body: jsonBody(() => earlierRequestSchema),
      answer: () => successSchema(earlierAnswerSchema),
      errors: [409, 422, 429, 503],
      scope: 'station',
    }),
    defineOperation('x.conflicts.list', 'GET', '/x/conflicts', 'Sync', {
      summary: "List values that stations wrote without having seen each other's",
      query: {
        status: {
          schema: z.enum(['open', 'closed']).default('open'),
          description: 'Which: `open` wait for a person, `closed` are decided.',
        },
        ...pageQuery,
      },
      answer: () => successSchema(z.array(conflictSchema), { meta: pageMetaSchema }),
      errors: [422],
    }),
    defineOperation('x.conflicts.resolve', 'POST', '/x/conflicts/{id}/resolve', 'Sync', {
      summary: 'Decide a conflict: say which value holds, and why',
      parameters: { id: { schema: z.string(), description: 'Id of the conflict.', isRequired: true } },
      body: jsonBody(() => resolutionSchema),
      answer: () => successSchema(conflictSchema),
      errors: [404, 409, 422, 429],
      scope: 'write',
    }),
    defineOperation('x.held.list', 'GET', '/x/held', 'Sync', {
      summary: 'List commits that central holds until a person decides',
      query: pageQuery,
      answer: () => successSchema(z.array(heldSchema), { meta: pageMetaSchema }),
      errors: [422],
    }),
    decideHeld('release', 'Apply a held commit after all, at central'),
    decideHeld('withdraw', 'Give a held commit up, at central or at the station that wrote it'),
  ];
}

/** The loose outline; central parses the rest by the protocol that the message names. */
export const exchangeRequestSchema = z
  .looseObject({
    kind: z.enum(['push', 'pull', 'prefix', 'snapshot']).describe('What the station asks.'),
    protocol: z
      .int({ error: 'Give the version of the sync protocol, a whole number.' })
      .min(1)
      .describe('Version of the sync protocol.'),
    about: z
      .object({
        version: z.string().max(50).describe('Version of its program.'),
        unsent: z.int().min(0).describe('Commits that it has not sent.'),
        speaks: z
          .int()
          .min(1)
          .optional()
          .describe(
            'The newest version of the sync protocol that its program speaks; 1 where it says none. From 2 on it keeps what it does not know of a commit.',
          ),
        clock: z.iso.datetime({ offset: true }).optional().describe('Its time; in a file it says none.'),
        machine: stationMachineSchema
          .optional()
          .catch(undefined)
          .describe('What it says of its machine. What cannot be read of it is left out.'),
        names: z
          .string()
          .max(100)
          .optional()
          .describe("The stamp of the stations' names that it has; left out where it wants none."),
        key: z
          .string()
          .max(43)
          .optional()
          .describe('The public key by which it signs its files: Ed25519, base64url.'),
        wants_block: z
          .boolean()
          .optional()
          .describe('In a file: few of its ids are left, and the next file is to have a block of them.'),
        certificates: z
          .array(z.string().max(64))
          .max(2)
          .optional()
          .describe(
            'SHA-256, in hex, of the certificates by which it knows central: the present one, and the one to come.',
          ),
      })
      .optional()
      .describe('What the station tells of itself.'),
  })
  .meta({ id: 'ExchangeRequest' });

export const logDigestsSchema = named('LogDigests', {
  sequence: z.int().min(0).describe("The place in central's log that they are of."),
  digests: z.record(z.string(), z.string()).describe('By family, over all its records.'),
});

/** Body of `x.sync.history`. */
export const earlierRequestSchema = named('EarlierRequest', {
  until: z
    .object({
      sequence: z.int().min(0).describe('Its sequence.'),
      hash: z.string().max(200).describe('Its hash.'),
    })
    .describe("The place in central's log at which the station took records."),
  records: z
    .array(
      z.object({
        key: z.string().min(1).max(200).describe('Family and id, such as `supplier:1048583`.'),
        before: z.int().min(1).describe('Asks for what stands before this place of the log.'),
      }),
    )
    .min(1)
    .max(100)
    .describe('Of which records, the one that is wanted most first.'),
  size: z.int().min(1).describe('About so many characters of JSON, but for a commit that alone has more.'),
});

/** Answer of `x.sync.history`; its commits are those of the sync protocol. */
export const earlierAnswerSchema = named('EarlierAnswer', {
  records: listOf({
    key: z.string().describe('Family and id.'),
    from: z.int().min(0).describe('All from this place of the log on is here; 0: there is none before.'),
  }).describe('How far each record came; those without room are left out.'),
  commits: z
    .array(z.looseObject({ sequence: z.int().min(1).describe('Its place in the log.') }))
    .describe('Commits that touch the records, each once.'),
});

/** Answer of `x.sync.digests`. */
export const centralDigestsSchema = logDigestsSchema
  .extend({
    hash: z.string().describe('The hash of the log at this place.'),
    records: z
      .record(z.string(), z.string())
      .nullable()
      .describe('The hash of each record of the family, by its key; null where no family is named.'),
  })
  .meta({ id: 'CentralDigests' });

/** Answer of `x.sync.comparison`. */
export const comparisonSchema = named('SyncComparison', {
  sequence: z.int().describe("The place in central's log."),
  is_same: z.boolean().describe('Whether all records are the same.'),
  families: listOf({
    family: z.string().describe('Name of the family.'),
    is_same: z.boolean().describe('Whether its records are the same.'),
    records: listOf({
      key: z.string().describe('Family and id of the record.'),
      is_here: z.boolean().describe('Whether this station has it.'),
      is_at_central: z.boolean().describe('Whether central has it.'),
    })
      .nullable()
      .describe('The first 100 that differ; null where the log went on before they could be compared.'),
  }).describe('Every family that has records.'),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/** The outline of central's answer; a station parses the rest by the protocol. */
export const exchangeAnswerSchema = z
  .looseObject({
    kind: z
      .enum(['push', 'page', 'cursor_unknown', 'snapshot', 'held_off'])
      .describe(
        'What the answer is. `held_off`: another machine goes on as this station; nothing was taken or sent.',
      ),
    digests: logDigestsSchema.optional(),
    pushes: z
      .int()
      .optional()
      .describe('Pushes that central takes from one station at once; a further one is refused. Absent: one.'),
    clock: isoTimestampSchema().optional().describe("Central's time."),
    clock_signature: z
      .string()
      .optional()
      .describe("By the key of central's certificate over this time and the request, base64."),
    certificates: shownCertificatesSchema
      .optional()
      .describe("Central's certificates, for a station that does not know the present or the next one."),
    body_ms: z
      .int()
      .optional()
      .describe(
        'Milliseconds that central waited for the body of the request and did nothing else. Stations size their messages by it.',
      ),
    names: stationNamesSchema.optional(),
    checkpoint: checkpointSchema.optional().describe("Where central's log stands, signed by it."),
  })
  .meta({ id: 'ExchangeAnswer' });

const REASON = { error: 'Give the reason, 1 to 1000 characters. It is kept in history.' };
export const reasonSchema = z
  .string(REASON)
  .trim()
  .min(1, REASON)
  .max(1_000, REASON)
  .refine(isSaid, REASON)
  .describe('Why; kept in history.');

const recordShape = {
  family: z.string().describe('Name of the family.'),
  id: z.int().describe('Id of the record.'),
};

export const heldSchema = named('HeldCommit', {
  commit_id: z.string().describe('Permanent id of the commit.'),
  station: z.string().describe('The installation that wrote it.'),
  station_name: z.string().nullable().describe('What people call it; null where that is not known here.'),
  user: z.string().describe('Who made the change.'),
  at: isoTimestampSchema().describe('When it was made.'),
  reason: z.string().nullable().describe('The reason that was given for the change.'),
  records: z.array(z.object(recordShape)).describe('The records that it changes.'),
  why: z.string().describe('Why it is held, in words.'),
  code: z.string().describe('The same, for programs.'),
  is_administrative: z
    .boolean()
    .describe('Whether it concerns users or settings: an administrator decides on it.'),
  is_withdrawn_here: z
    .boolean()
    .describe('Whether a person withdrew it at this station, and central has not said so yet.'),
});
export type Held = z.infer<typeof heldSchema>;

export const heldDecisionSchema = named('HeldDecision', {
  reason: reasonSchema,
  with_alike: z
    .boolean()
    .optional()
    .describe(
      'Also the others of the same person and station that are held for the same reason, where it is a lost right or a missing signature.',
    ),
  ...signatureInput,
});

const heldDecidedSchema = named('HeldDecided', {
  commit_id: z.string().describe('The commit that was held.'),
  outcome: z.enum(['released', 'withdrawn']).describe('What became of it.'),
  alike: z.int().describe('How many others were decided with it.'),
  sequence: z
    .int()
    .nullable()
    .describe("The entry of central's log that says so; null at a station, which tells central."),
});

/** How the exchange goes; the sentence beside it says it to people. */
export const syncStates = [
  'alone',
  'in_step',
  'exchanging',
  'behind',
  'offline',
  'refused',
  'outdated',
  'stuck',
  'differs',
  'doubled',
  'slowed',
] as const;

export const syncStateSchema = named('SyncState', {
  role: z.enum(['station', 'central']).describe('What this installation is.'),
  state: z.enum(syncStates).describe('How the exchange goes.'),
  says: z.string().describe('The same as a sentence, with what to do.'),
  installation: z.string().describe('This installation, as it named itself at random.'),
  name: z.string().nullable().describe('What people call this station; null while it stands alone.'),
  central: z
    .object({
      address: z.string().describe('Where it is.'),
      installation: z.string().describe('The installation that is central.'),
    })
    .nullable()
    .describe('Of a station its central; null while it stands alone.'),
  last_contact_at: isoTimestampSchema().nullable().describe('When central last answered.'),
  fault: z.string().nullable().describe('Why the last try failed; null after one that worked.'),
  unsent: z.int().describe('Own commits that central has not decided and does not hold.'),
  sequence: z.int().nullable().describe("How far central's log is known here."),
  held: z.array(heldSchema).describe('Commits that central holds: of a station its own.'),
  put_back: z
    .object({
      noticed_at: isoTimestampSchema().describe('When a station named what central does not know any more.'),
      returned: z.int().describe('How many changes that central lacked stations have given back since.'),
    })
    .nullable()
    .describe(
      'At central: that it was found to be an earlier copy of itself, an image of its machine having been put back, the last time. Null: never.',
    ),
  doubled: z
    .object({
      noticed_at: isoTimestampSchema().describe('When central noticed.'),
      machine: z.string().describe('How central calls this machine.'),
      is_held_off: z
        .boolean()
        .describe('Whether central goes on with another one, and takes nothing from this one.'),
      is_decided: z.boolean().describe('Whether a person has said which one goes on.'),
    })
    .nullable()
    .describe('Of a station: that more than one machine has its disk. Null: not that central knows.'),
  doubled_stations: z
    .array(z.string())
    .nullable()
    .describe(
      'Of a central: stations that several machines call as, and nobody has said yet which one goes on.',
    ),
  refused_offers: z
    .array(z.string())
    .describe('Commits of a lost log that central did not recognise as its own.'),
  conflicts: z.int().describe('Open conflicts.'),
  unknown_families: listOf({
    family: z.string().describe('What the later version calls it.'),
    records: z.int().describe('How many records it has here.'),
  }).describe(
    'Records of kinds that this version does not know, from a later one: kept and exchanged, and shown once the program is updated. The first 20 kinds.',
  ),
  digests_agree: z
    .boolean()
    .nullable()
    .describe("Whether all records are the same as central's at the same place of the log; null: not known."),
  unread: z
    .int()
    .nullable()
    .describe("Of a station: entries of central's log that it has not read; null: not known."),
  line: z
    .object({
      is_slow: z.boolean().describe('Whether messages are kept small because more would take long.'),
      since: isoTimestampSchema().describe('Since when it is slow, or is not.'),
      sends: z.int().nullable().describe('Bytes a second towards central, as last measured.'),
      receives: z.int().nullable().describe('Bytes a second from central, as last measured.'),
      left: z
        .int()
        .nullable()
        .describe('While it is slow, about how many bytes are to be sent and read yet; null: not known.'),
    })
    .nullable()
    .describe('Of a station: its line to central; null before a message was large enough to tell.'),
  clock_offset_ms: z
    .int()
    .nullable()
    .describe(
      "Of a station: its clock minus central's in milliseconds, to the minute; null while it is not known to be wrong by two minutes or more.",
    ),
  slowed_until: isoTimestampSchema()
    .nullable()
    .describe(
      'Of a station: until when it sends nothing, because it has used up what one station may use of central; null: it does not wait.',
    ),
  stations: z.int().nullable().describe('Of a central: its stations.'),
  stations_behind: z.int().nullable().describe('Of a central: those that have not read the whole log.'),
});
export type SyncState = z.infer<typeof syncStateSchema>;

export const conflictSchema = named('Conflict', {
  id: z.string().describe('The same on every machine.'),
  family: z.string().describe('Name of the family of the record.'),
  record_id: z.int().describe('Id of the record.'),
  path: z.string().describe('`name`, or of an item `items.5.quantity`.'),
  label: z.string().describe('What people call the field.'),
  rule: z
    .enum(['latest', 'first_verdict'])
    .describe('Which value stands meanwhile: the last to arrive, or of verdicts the first.'),
  state: z
    .enum(['open', 'resolved_here', 'closed'])
    .describe('`resolved_here`: decided on this machine, and not yet by central.'),
  values: listOf({
    value: z.unknown().describe('As it is stored; of users and settings null for all but administrators.'),
    before: z.unknown().describe('What its author had seen there; null: nothing, or withheld likewise.'),
    is_standing: z.boolean().describe('Whether it stands.'),
    commit: z.string().describe('The commit that wrote it.'),
    station: z.string().nullable().describe('The installation that wrote it.'),
    station_name: z.string().nullable().describe('What people call it, where that is known here.'),
    user: z.string().nullable().describe('Who wrote it.'),
    at: isoTimestampSchema().nullable().describe('When, by the clock of the station.'),
    clock_offset: clockOffsetSchema(),
    clock_at_least: clockAtLeastSchema(),
    reason: z.string().nullable().describe('Why, where a reason was given.'),
  }).describe('What was written, the standing value first.'),
  outcome: z
    .object({
      value: z.unknown().describe('The value that stands since.'),
      commit: z.string().nullable().describe('The commit that closed it.'),
      user: z.string().nullable().describe('Who closed it.'),
      at: isoTimestampSchema().nullable().describe('When.'),
      reason: z.string().nullable().describe('Why.'),
    })
    .nullable()
    .describe('Null while it is open.'),
});
export type ConflictAnswer = z.infer<typeof conflictSchema>;

export const resolutionSchema = named('Resolution', {
  value: z
    .union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.unknown()), z.looseObject({})], {
      error: 'Give the value that holds; null for none.',
    })
    .describe('The value that holds: one of the two, or another one.'),
  seen: z
    .array(z.string().max(100))
    .max(ARRAY_LIMIT)
    .optional()
    .describe(
      'The commits of the values that were decided on (`values[].commit`): where another value has arrived since, the decision is refused with 409. Left out: it is on whatever values there are by then.',
    ),
  reason: reasonSchema,
  ...signatureInput,
});
