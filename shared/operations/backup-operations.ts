import { z } from 'zod';
import { successSchema } from '../contract/envelope.ts';
import { isoTimestampSchema, listOf, named } from '../contract/field-schemas.ts';
import { defineOperation, jsonBody, noBody } from '../contract/operation.ts';

/** Backups of this machine, the key that opens them, and practising a restore. */
export function backupOperations() {
  return [
    defineOperation('x.backups.create', 'POST', '/x/backups', 'Maintenance', {
      summary: 'Back up now: a checked copy, beside all other work, encrypted where there is a recovery key',
      body: { ...jsonBody(() => backupRequestSchema), isOptional: true },
      answer: () => successSchema(backupDoneSchema),
      success: 201,
      errors: [409, 422, 507],
      scope: 'admin',
    }),
    defineOperation('x.backups.list', 'GET', '/x/backups', 'Maintenance', {
      summary: 'The backups, the age of the last, what is wrong with them, and which key opens them',
      answer: () => successSchema(backupStateSchema),
      scope: 'admin',
    }),
    defineOperation('x.backups.practise', 'POST', '/x/backups/practice', 'Maintenance', {
      summary: 'Practise a restore: the newest backup into a scratch folder, read as `verify` does',
      body: { ...jsonBody(() => practiceRequestSchema), isOptional: true },
      answer: () => successSchema(practiceSchema),
      success: 201,
      errors: [409, 422, 507],
      scope: 'admin',
    }),
    defineOperation('x.backup-key.create', 'POST', '/x/backup-key', 'Maintenance', {
      summary: 'Make a recovery key. It is in this answer only, and counts once it is confirmed (PUT)',
      body: noBody,
      answer: () => successSchema(newKeySchema),
      success: 201,
      scope: 'admin',
    }),
    defineOperation('x.backup-key.update', 'PUT', '/x/backup-key', 'Maintenance', {
      summary: 'Encrypt backups to a key from now on: the one made before, typed back, or one made elsewhere',
      body: jsonBody(() => keyRequestSchema),
      answer: () => successSchema(backupKeySchema),
      errors: [409, 422, 507],
      scope: 'admin',
    }),
    defineOperation('x.backup-key.remove', 'POST', '/x/backup-key/remove', 'Maintenance', {
      summary: 'Write plain backups from now on; those that are encrypted stay so',
      body: noBody,
      answer: () => successSchema(z.object({ removed: z.string().describe('The name of the key.') })),
      errors: [404, 507],
      scope: 'admin',
    }),
  ];
}

const encryptedBy = z
  .string()
  .nullable()
  .describe('The name of the recovery key that opens it, which stands on its paper; null: it is plain.');

export const backupDoneSchema = named('BackupDone', {
  file: z.string().describe('Where it is.'),
  bytes: z.int().describe('Its size.'),
  records: z.int().describe('Records in it.'),
  commits: z.int().describe('Commits of history in it.'),
  seconds: z.number().describe('How long it took.'),
  verified: z.literal(true).describe('The copy was read again and is whole.'),
});
export type BackupDoneAnswer = z.infer<typeof backupDoneSchema>;

const recipient = z.string().describe('To which backups are encrypted, as age has it: `age1…`.');

export const backupKeySchema = named('BackupKey', {
  recipient,
  name: z.string().describe('The first letters of it, by which people tell keys apart.'),
  since: isoTimestampSchema().describe('When it was set.'),
  by: z.string().nullable().describe('Who set it.'),
});
export type BackupKeyAnswer = z.infer<typeof backupKeySchema>;

const newKeySchema = named('NewBackupKey', {
  recipient,
  name: z.string().describe('By which people tell keys apart.'),
  identity: z
    .string()
    .describe('The recovery key, `AGE-SECRET-KEY-1…`: what opens the backups. It is kept nowhere here.'),
  groups: z.array(z.string()).describe('What follows `AGE-SECRET-KEY-1`, in groups for paper.'),
});
export type NewBackupKey = z.infer<typeof newKeySchema>;

const keyRequestSchema = named('BackupKeyRequest', {
  recipient: z
    .string({ error: 'Give the recipient of the key, which begins with age1.' })
    .min(1, { error: 'Give the recipient of the key, which begins with age1.' })
    .max(200)
    .describe('`age1…`, of the key that was made here before, or of one of age made elsewhere (X25519).'),
  typed: z
    .string()
    .max(200)
    .optional()
    .describe('Of a key made here: its last two groups, typed back from the paper.'),
});

export { keyRequestSchema as backupKeyRequestSchema };

const backupRequestSchema = z.object({
  folder: z
    .string({ error: 'Give the whole path of a folder.' })
    .min(1)
    .optional()
    .describe('Another folder than the settings name, by its whole path.'),
});

export const practiceRequestSchema = z.object({
  key: z
    .string({ error: 'Give the recovery key as text.' })
    .max(10_000)
    .optional()
    .describe('The recovery key, where the newest backup is encrypted. It is kept nowhere.'),
});

const practised = {
  at: isoTimestampSchema().describe('When it was practised.'),
  file: z.string().describe('The backup.'),
  records: z.int().describe('Records that it has.'),
  commits: z.int().describe('Commits of history that it has.'),
  seconds: z.number().describe('How long it took.'),
  fault: z
    .string()
    .nullable()
    .describe('Why it cannot be restored; null: it can, and what was restored is whole.'),
};

export const practiceSchema = named('RestorePractice', {
  ...practised,
  made_at: isoTimestampSchema().describe('When the backup was made.'),
});
export type RestorePractice = z.infer<typeof practiceSchema>;

export const backupStateSchema = named('BackupState', {
  folder: z.string().describe('Where backups go.'),
  keep: z.int().describe('How many stay.'),
  warning: z.string().nullable().describe('What to put right; null when all is well.'),
  warnings: z.array(z.string()).describe('The same, each for itself.'),
  hints: z.array(z.string()).describe('What to think of: that backups are plain, or a practice is due.'),
  last_at: isoTimestampSchema().nullable().describe('When the last one was made; null: there is none.'),
  age_seconds: z.int().nullable().describe('How long ago that is.'),
  key: backupKeySchema.nullable().describe('The key to which backups are encrypted; null: they are plain.'),
  practised: z.object(practised).nullable().describe('The last practice of a restore; null: there was none.'),
  at_central: z
    .object({
      is_by_policy: z.boolean().describe("Whether this machine's policy says that they are sent."),
      kept: z
        .object({
          file: z.string().describe('Its name.'),
          at: isoTimestampSchema().describe('When central had it whole.'),
          bytes: z.int().describe('Its size.'),
        })
        .nullable()
        .describe('The last backup that central has; null: none yet.'),
      sending: z
        .object({
          file: z.string().describe('Its name.'),
          bytes: z.int().describe('Its size.'),
          sent: z.int().describe('How many bytes of it central has.'),
        })
        .nullable()
        .describe('The one that is on its way; null: none.'),
      says: z.string().nullable().describe('Why none gets on; null: nothing stands in its way.'),
    })
    .nullable()
    .describe('Of a station that sends its backups to central; null: it sends none.'),
  practice_due_at: isoTimestampSchema()
    .nullable()
    .describe('When the next one is due; null: never, or nothing was written yet.'),
  backups: listOf({
    file: z.string().describe('Where it is.'),
    at: isoTimestampSchema().describe('When it was made.'),
    bytes: z.int().describe('Its size.'),
    key: encryptedBy,
  }).describe('Newest first.'),
});
export type BackupStateAnswer = z.infer<typeof backupStateSchema>;
