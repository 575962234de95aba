import { z } from 'zod';
import { pageMetaSchema } from '../contract/envelope.ts';
import {
  clockAtLeastSchema,
  clockOffsetSchema,
  isoTimestampSchema,
  listOf,
  named,
} from '../contract/field-schemas.ts';
import { deviationsSchema } from '../families/signature-policy.ts';

export const wholeRecordSchema = named('WholeRecord', {
  family: z.string().describe('Name of the family.'),
  id: z.int().describe('Id of the record.'),
  version: z.int().describe('One more with every change.'),
  state: z.string().describe('Hash of the fields; with `version` the ETag.'),
  fields: z.looseObject({}).describe('Every stored field, items by their ids.'),
  created_at: isoTimestampSchema(),
  updated_at: isoTimestampSchema(),
  station: z.string().describe('The station that changed it last.'),
  user: z.string().describe('Who changed it last.'),
});

export const historyEntrySchema = named('HistoryEntry', {
  commit: z.string().describe('Permanent id of the commit.'),
  chain: z.string().describe('The station that wrote it, and its incarnation.'),
  station: z.string().describe('The installation that wrote it.'),
  station_name: z.string().nullable().describe('What people call it, where that is known here.'),
  number: z.int().describe("Place in that station's chain, without gaps."),
  at: isoTimestampSchema().describe('When, by the clock of the station.'),
  clock_offset: clockOffsetSchema(),
  clock_at_least: clockAtLeastSchema(),
  user: z.string().describe('Who changed the record: login of a user, or name of a token.'),
  user_name: z.string().nullable().describe("The user's name, where the author is a known user."),
  author_proof: z
    .enum(['proved', 'moved', 'revoked', 'pending', 'broken', 'unsigned', 'without', 'brought', 'program'])
    .describe(
      "What proves who wrote it. proved: signed by the author's own key; moved: the same, under other ids that it had then; revoked: with a key that somebody else may have had by then, and let in by a person; pending: signed at a station that did not have the author's key, which has not said so yet; broken: not what was signed; unsigned: of a person, from before keys; without: of a person without a key, and let in by another; brought: an installation had it before it joined, and whom it names is its word; program: by an integration, or by the installation itself.",
    ),
  reason: z.string().nullable().describe('Why, where a reason was given.'),
  changes: listOf({
    path: z.string().describe('`name`, `items.5.quantity`; `items.5` is an added item.'),
    old: z.unknown().describe('The value before.'),
    new: z.unknown().describe('The value after.'),
    over: z.array(z.string()).describe('The commits that wrote what the author saw.'),
  }).describe('What changed.'),
  unknown: z
    .array(z.string())
    .describe(
      'What of it this version does not know, since a later one wrote it: paths of values, and names of members. It is kept, and shown once the program is updated.',
    ),
  hash: z.string().describe('Hash of the commit and of the one before it in the chain.'),
});

/** Where a station took records in place of the log, earlier changes are asked for when somebody looks. */
export const missingHistorySchema = z.object({
  reason: z
    .enum(['loading', 'unreachable', 'refused'])
    .describe(
      '`loading`: they are on their way. `unreachable`: central could not be asked. `refused`: its answer cannot be taken.',
    ),
  message: z.string().describe('What is missing, and what to do.'),
  known_since: isoTimestampSchema()
    .nullable()
    .describe('From this change on nothing is missing; null: it is not known from when on.'),
});

export const historyMetaSchema = pageMetaSchema
  .extend({
    missing: missingHistorySchema
      .optional()
      .describe('Only where changes are missing here that central has; `total` does not count them.'),
  })
  .meta({ id: 'HistoryMeta' });

export const lotFactsSchema = named('LotFacts', {
  unit: z.string().nullable().describe('The unit of the lot, in which the quantities are.'),
  quantity: z.number().describe('Over all places.'),
  locations: listOf({
    location_id: z.int().nullable().describe('Null: no place was named.'),
    name: z.string().nullable().describe('What people call the place.'),
    within: z.string().nullable().describe('Of a handling unit: the place where it stands; else null.'),
    quantity: z.number().describe('What stands there.'),
  }).describe('Where the lot stands.'),
  locks: listOf({
    reason: z.string().describe('In words.'),
    family: z.string().describe('Of the record that locks it.'),
    id: z.int().describe('Of the record that locks it.'),
  }).describe('Why it cannot ship; empty: it is not locked.'),
  facts: listOf({
    family: z.string().describe('Of the record that says so.'),
    id: z.int().describe('Of the record that says so.'),
    item_id: z.int().nullable().describe('The line of the record; null: the record itself.'),
    location_id: z.int().nullable().describe('Null: no place was named.'),
    quantity: z.number().describe('Negative: taken away.'),
  }).describe('What the quantity is the sum of.'),
});

/** Lots of one call of `GET /x/inventory/states`. */
export const LOT_STATES_LIMIT = 200;

export const lotStateSchema = named('LotState', {
  id: z.int().describe('Of the lot.'),
  expiry_date: z.iso.date().nullable().describe('The last usable day; null: none is known.'),
  is_expired: z.boolean().describe('Whether that day is over.'),
  locks: z.array(z.string()).describe('Why it cannot ship, in words; empty: it is not locked.'),
  locations: z
    .array(z.string().nullable())
    .describe('What people call the places where some of it stands; null: no place was named.'),
});
export type LotState = z.infer<typeof lotStateSchema>;

export const settingsSchema = named('Settings', {
  time_zone: z.string().describe('What "today" is: an IANA name such as Europe/Berlin.'),
  expiry_soon_days: z.int().min(0).max(3_650).describe('A lot expires soon within these days.'),
  backup_folder: z
    .string()
    .nullable()
    .describe(
      "This machine's own: where its backups go, on another disk or machine; null: the data folder, with a warning.",
    ),
  backup_keep: z.int().min(1).max(10_000).describe("This machine's own: how many of its backups stay."),
  backup_drill_days: z
    .int()
    .min(0)
    .max(3_660)
    .describe("This machine's own: so many days after a restore was practised it is due again; 0: never."),
  is_backup_plain: z
    .boolean()
    .describe("This machine's own: its backups stay plain on purpose, and nobody is reminded of it."),
  sends_backups: z.boolean().describe("This machine's own: its encrypted backups are sent to central too."),
  station_backups_keep: z
    .int()
    .min(0)
    .max(1_000)
    .describe("Central's own: how many backups of each station stay; 0: none is taken."),
  station_backups_days: z
    .int()
    .min(0)
    .max(3_660)
    .describe("Central's own: so many days after it was made a station's backup is removed; 0: never."),
  web_origins: z
    .array(z.string())
    .describe(
      "This machine's own: origins such as https://mes.example:8443 whose pages may call it with a token (CORS).",
    ),
  idle_lock_minutes: z
    .int()
    .min(0)
    .max(1_440)
    .describe('A signed-in session locks after so many minutes without use; 0: never.'),
  esignature_policy: z
    .enum(['none', 'gxp'])
    .describe('Which acts are signed: none beyond the two switches, or all that GxP asks for.'),
  esignature_deviations: deviationsSchema,
  audit_review_days: z
    .int()
    .min(0)
    .max(366)
    .describe(
      'So many days after what was reviewed last the next review of the audit trail is due; 0: never.',
    ),
  is_receiving_blind: z
    .boolean()
    .describe('The dock is not told how much of an order is expected, so that everything is counted.'),
  is_strict: z
    .boolean()
    .describe(
      'Whether operations under /x/ refuse names that they do not know to programs that say nothing of it (Prefer: handling).',
    ),
  password_max_days: z
    .int()
    .min(0)
    .max(3_650)
    .describe('So many days after it was set a password is changed at the next sign-in; 0: never.'),
  is_esignature_required: z.boolean().describe("Whether an NCR's update needs the signer's password."),
  is_esignature_reason_required: z.boolean().describe('Whether a signature needs a reason.'),
});

export const tokenShape = {
  name: z.string().describe('Who or what uses the token; the name stands in history.'),
  scopes: z
    .array(z.enum(['read', 'write', 'admin']))
    .describe(
      'What it may do. `read`: read records, as a viewer. `write`: as operator and inspector, and raise or change NCRs, CARs and complaints without deciding them. `admin`: everything, as an administrator: a risk, since whoever has its secret administers the installation.',
    ),
};

const tokenBoundsShape = {
  ends_at: isoTimestampSchema().nullable().describe('From then on it counts no more; null: it has no end.'),
  families: z
    .array(z.string())
    .nullable()
    .describe(
      'Families that it reaches, such as `part`; null: all. What the answers of these records carry of others is told with them.',
    ),
  networks: z
    .array(z.string())
    .nullable()
    .describe(
      'Addresses and networks that it counts from, such as `10.2.0.0/16`; null: anywhere. Behind a proxy every call comes from the proxy.',
    ),
};

export const tokenCreateSchema = named('TokenCreate', {
  ...tokenShape,
  ends_at: tokenBoundsShape.ends_at.optional(),
  families: tokenBoundsShape.families.optional(),
  networks: tokenBoundsShape.networks.optional(),
});

export const tokenSchema = named('Token', {
  id: z.int().describe('Id of the token.'),
  ...tokenShape,
  effective_scopes: tokenShape.scopes.describe(
    'What of the scopes counts here: at a station of a central no token administers, and one that writes counts as operator and inspector at most.',
  ),
  roles: z
    .array(z.string())
    .describe('What it counts as here: administrator, operator and inspector, or viewer.'),
  ...tokenBoundsShape,
  created_by: z
    .string()
    .nullable()
    .describe('Who made it: login of a user, or name of a token; null: not noted, as by earlier versions.'),
  created_at: isoTimestampSchema(),
  last_used_at: isoTimestampSchema()
    .nullable()
    .describe('When it was last used, to a minute; null: never, as far as is known.'),
  last_used_from: z.string().nullable().describe('The address in the network that it was last used from.'),
  revoked_at: isoTimestampSchema().nullable().describe('Null while it is not revoked.'),
});

export const importJobSchema = named('ImportJob', {
  id: z.string().describe('Id of the import.'),
  state: z
    .enum(['waiting', 'running', 'done', 'failed', 'cancelled'])
    .describe('`waiting`: for files or for its run.'),
  message: z.string().describe('What is going on, in a sentence.'),
  missing_files: z.array(z.string()).describe('Files that the mapping names and that have not been given.'),
  rows_read: z.int().describe('Rows read so far.'),
  rows_total: z.int().nullable().describe('Null while unknown.'),
  created: z.int().describe('Records created.'),
  updated: z.int().describe('Records changed.'),
  unchanged: z.int().describe('Records that were already so.'),
  bad: z.int().describe('Rows that cannot be taken.'),
  bad_rows: listOf({
    file: z.string().describe('Name of the file.'),
    line: z.int().describe('Line in the file, from 1.'),
    column: z.string().nullable().describe('Column, where the fault lies in one.'),
    value: z.string().nullable().describe('The value at fault.'),
    message: z.string().describe('What is wrong and how to put it right.'),
  }).describe('The first 1,000.'),
  unmapped_columns: z
    .record(z.string(), z.array(z.string()))
    .describe('By file: columns that the mapping leaves out.'),
});
