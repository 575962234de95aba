import { z } from 'zod';
import { answerSchema } from '../contract/answer-schema.ts';
import { successSchema } from '../contract/envelope.ts';
import { clockAtLeastSchema, isoTimestampSchema, named } from '../contract/field-schemas.ts';
import {
  type BodySpec,
  defineOperation,
  idParameter,
  jsonBody,
  noBody,
  type Operation,
  type Schema,
} from '../contract/operation.ts';
import { ROLES } from '../contract/role.ts';
import { families } from '../families/registry.ts';
import { MEANINGS } from '../families/signature.ts';
import { PASSWORD_DUES } from '../families/user.ts';
import { clockStandingSchema } from './clock-operations.ts';

/** Signing in and out, passwords, the first administrator, and signatures. Users themselves are a family. */
export function identityOperations() {
  const ofSession = <const Verb extends string, Body extends BodySpec<Schema>>(
    verb: Verb,
    summary: string,
    body: Body,
    errors: readonly number[] = [401, 403, 503],
    scope: Operation['scope'] = 'none',
  ) =>
    defineOperation(`x.session.${verb}`, 'POST', `/x/session/${verb}`, 'Session', {
      ...{ summary, body, errors, scope },
      answer: () => successSchema(sessionSchema),
    });
  return [
    defineOperation('x.session.read', 'GET', '/x/session', 'Session', {
      summary: 'Who is signed in, and what the page that signs in must know',
      answer: () => successSchema(sessionSchema),
      scope: 'none',
    }),
    defineOperation('x.session.create', 'POST', '/x/session', 'Session', {
      summary: 'Sign in: begins a session, whose cookie comes with the answer',
      body: jsonBody(() =>
        named('SignIn', {
          login: z.string().min(1).max(200).describe("The user's login, in any case."),
          password: z.string().min(1).max(1_000).describe("The user's password."),
        }),
      ),
      answer: () => successSchema(sessionSchema),
      success: 201,
      errors: [401, 403, 422, 429, 503],
      scope: 'none',
    }),
    ofSession(
      'unlock',
      'Go on with a session that is locked',
      jsonBody(() => passwordSchema),
      [401, 403, 422, 429, 503],
    ),
    ofSession(
      'resume',
      'Go on by PIN or badge with a session that was begun in this browser by password',
      jsonBody(() => resumeRequestSchema),
      [401, 403, 409, 422, 503],
    ),
    ofSession(
      'hand',
      'Set the PIN and the badge of the session, with the password',
      jsonBody(() => handRequestSchema),
      [401, 403, 422, 429, 503],
      'write',
    ),
    ofSession('lock', 'Lock the session: only its user can go on with it', noBody),
    ofSession('end', 'Sign out: ends the session', noBody),
    defineOperation('x.first-administrator.create', 'POST', '/x/first-administrator', 'Session', {
      summary: 'Make the first administrator with the one-time link of the terminal, and sign in',
      body: jsonBody(() => firstAdministratorSchema),
      answer: () => successSchema(sessionSchema),
      success: 201,
      errors: [403, 409, 422, 429, 503],
      scope: 'none',
    }),
    defineOperation('x.first-administrator.link', 'POST', '/x/first-administrator/link', 'Session', {
      summary: 'Make a fresh one-time link for the first administrator; an earlier one is void',
      body: noBody,
      answer: () =>
        successSchema(
          named('FirstAdministratorLink', {
            link: z.string().describe('What to open in a browser.'),
            expires_at: isoTimestampSchema().describe('Until when it is valid.'),
          }),
        ),
      errors: [409],
      scope: 'admin',
    }),
    defineOperation('x.users.password', 'POST', '/x/users/{id}/password', 'Users', {
      summary: "Set a user's password; the user's other sessions end. In a fleet only at central",
      parameters: { id: idParameter('Id of the user') },
      body: jsonBody(() => newPasswordSchema),
      answer: () => successSchema(answerSchema(families.user)),
      errors: [403, 404, 409, 412, 422, 429, 503],
      scope: 'admin',
    }),
    defineOperation('x.users.revoke', 'POST', '/x/users/{id}/revoke', 'Users', {
      summary:
        "Revoke a user's password and key, which somebody else may know: sessions end, and the password does nothing but choose another one. In a fleet only at central",
      parameters: { id: idParameter('Id of the user') },
      body: { ...jsonBody(() => revocationSchema), isOptional: true },
      answer: () => successSchema(answerSchema(families.user)),
      errors: [403, 404, 409, 412, 422, 503],
      scope: 'admin',
    }),
    defineOperation('x.users.language', 'POST', '/x/users/{id}/language', 'Users', {
      summary:
        "Set the language of a user's screens, wherever the user signs in; at a station of a central one's own, at that station",
      parameters: { id: idParameter('Id of the user') },
      body: jsonBody(() => languageSchema),
      answer: () => successSchema(answerSchema(families.user)),
      errors: [404, 409, 412, 422, 503],
      scope: 'admin',
    }),
    defineOperation('x.stations.secrets', 'POST', '/x/stations/secrets', 'Sync', {
      summary:
        'Tell a station the hashes of the passwords of those who sign in there; what it sends is not taken',
      body: jsonBody(() => secretsRequestSchema),
      answer: () => successSchema(secretsAnswerSchema),
      errors: [403, 409, 422, 429, 503],
      scope: 'station',
    }),
    defineOperation('x.stations.key', 'POST', '/x/stations/key', 'Sync', {
      summary: 'Give a station the key of who signed in there, sealed by the password',
      body: jsonBody(() => keyRequestSchema),
      answer: () => successSchema(userKeySchema.nullable()),
      errors: [403, 409, 422, 429, 503],
      scope: 'station',
    }),
    defineOperation('x.signatures.list', 'GET', '/x/signatures/{family}/{id}', 'Records', {
      summary: 'List the signatures of a record, oldest first',
      parameters: {
        family: { schema: z.string(), description: 'Family, as `ncr` or `ncrs`.', isRequired: true },
        id: idParameter('Id of the record'),
      },
      answer: () => successSchema(z.array(signatureSchema)),
      errors: [404],
    }),
  ];
}

const roles = z.array(z.enum(ROLES)).describe('What the user may do; each role includes those before it.');

const handShape = {
  has_pin: z.boolean().describe('Whether a PIN resumes it.'),
  has_badge: z.boolean().describe('Whether a badge resumes it.'),
};

export const sessionSchema = named('Session', {
  user: z
    .object({
      id: z.int().describe('Id of the user.'),
      name: z.string().describe('As people know the user.'),
      login: z.string().describe('What the user signs in with.'),
      roles,
      language: z.enum(['en', 'de']).nullable().describe("Of the screens; null: the browser's."),
    })
    .nullable()
    .describe('Who is signed in; null: nobody.'),
  token: z
    .object({
      name: z.string().describe('Name of the token.'),
      scopes: z.array(z.string()).describe('What it may do.'),
    })
    .optional()
    .describe('Only where the request has a token instead of a session.'),
  session: z.string().nullable().describe('What the trail calls the session; null: nobody is signed in.'),
  hand: z
    .object(handShape)
    .nullable()
    .describe('What resumes the session beside its password; null: nobody is signed in.'),
  resting: z
    .array(
      z.object({
        session: z.string().describe('What the trail calls it, for `x/session/resume`.'),
        user: z.object({
          id: z.int().describe('Id of the user.'),
          name: z.string().describe('As people know the user.'),
          login: z.string().describe('What the user signs in with.'),
        }),
        ...handShape,
      }),
    )
    .describe('Sessions that rest in this browser while somebody else works there.'),
  needs_password: z.boolean().describe('Whether only the password opens the session, and no PIN or badge.'),
  is_locked: z.boolean().describe('Whether the session waits for its password, PIN or badge.'),
  is_first_administrator_missing: z.boolean().describe('Whether there is no user yet.'),
  password_due: z
    .enum(PASSWORD_DUES)
    .nullable()
    .describe(
      'Why the signed-in user is to choose another password: revoked (somebody else may know it), temporary (somebody else set it), aged (it is older than the site lets it be), weak (it was set before the rules of now); null: there is no need. Until revoked, temporary and aged end, a session at a machine where passwords are set does nothing else.',
    ),
  machine_language: z
    .enum(['en', 'de'])
    .nullable()
    .describe("Of the screens of who has chosen none, by the machine's policy; null: it says none."),
  idle_lock_minutes: z.int().describe('After so many minutes without use the session locks; 0: never.'),
  expires_at: isoTimestampSchema().nullable().describe('When the session ends unless it is used.'),
  clock: clockStandingSchema.nullable().describe("How this machine's clock stands; null: it is believed."),
  station: z
    .object({
      name: z.string().describe('What people call this installation.'),
      code: z.string().describe('What history and chains call it.'),
      role: z.enum(['station', 'central', 'stand-alone']).describe('What this installation is.'),
      central_address: z
        .string()
        .nullable()
        .describe(
          'At a station the address of its central, where users and settings are changed; null elsewhere.',
        ),
    })
    .describe('Where one is signed in.'),
});
export type Session = z.infer<typeof sessionSchema>;
export type PasswordDue = NonNullable<Session['password_due']>;

const password = z.string().min(1).max(1_000);

export const resumeRequestSchema = named('SessionResume', {
  code: z.string().trim().min(1).max(200).describe('The PIN, or what a scanner reads of the badge.'),
  session: z
    .string()
    .max(100)
    .optional()
    .describe(
      'Whose session: `session` or one of `resting` of the session. Absent: whoever has the badge; a PIN needs it.',
    ),
});

export const handRequestSchema = named('SessionHand', {
  password: password.describe("The password of the session's user."),
  pin: z
    .string()
    .regex(/^\d{4,8}$/, { error: 'A PIN has 4 to 8 digits.' })
    .meta({ examples: ['2580'] })
    .nullable()
    .optional()
    .describe('4 to 8 digits; null takes it away; absent leaves it.'),
  badge: z
    .string()
    .trim()
    .min(6, { error: 'A badge has 6 characters at least.' })
    .max(200)
    .meta({ examples: ['BADGE-000117'] })
    .nullable()
    .optional()
    .describe('What a scanner reads of the badge; null takes it away; absent leaves it.'),
});

const passwordSchema = z
  .object({ password: password.describe("The password of the session's user.") })
  .meta({ id: 'SessionUnlock' });

const firstAdministratorSchema = named('FirstAdministrator', {
  code: z.string().min(1).max(200).describe('What stands after the # of the link.'),
  name: z.string().min(1).max(200).describe('As people know the administrator.'),
  login: z.string().min(1).max(64).describe('What the administrator signs in with.'),
  password: password.describe('At least 12 characters, and not what many choose.'),
  company_name: z.string().max(10_000).optional().describe('What the company is called.'),
});

const newPasswordSchema = named('UserPassword', {
  password: password.describe(
    'The new password: at least 12 characters, not what many choose, and none of the last ten. One that somebody else sets is changed at the next sign-in.',
  ),
  current_password: password
    .optional()
    .describe("The password until now: needed for one's own, not for an administrator who sets another's."),
});

export const revocationSchema = named('UserRevocation', {
  reason: z.string().max(1_000).optional().describe('Why, for the history.'),
});

const languageSchema = z
  .object({ language: z.enum(['en', 'de']).nullable().describe("Of the screens; null: the browser's.") })
  .meta({ id: 'UserLanguage' });

/** The hash of a password, as machines give it to each other and to nobody else. */
const secretSchema = named('UserSecret', {
  user_id: z.int().min(1).describe('Id of the user.'),
  hash: z.string().max(200).describe('Salted and stretched, with what it was made with.'),
  version: z.int().min(1).max(1_000_000_000).describe('One more with every change.'),
  changed_at: isoTimestampSchema().describe('When it was set.'),
});

export const secretsRequestSchema = named('UserSecretsRequest', {
  since: z.string().max(100).describe('What the station has: the digest of all its hashes.'),
  changed: z
    .array(secretSchema)
    .max(1_000)
    .describe('Of stations of version 0.1.0, which told their own: read and not taken.'),
});

export const secretsAnswerSchema = named('UserSecretsAnswer', {
  changed: z
    .array(secretSchema)
    .describe(
      'Hashes of those who gave their password there while central was in reach, or are assigned to the station, where the digests differ; none where they agree.',
    ),
  cursor: z.string().describe('The digest of all these hashes.'),
});

export const keyRequestSchema = named('KeyRequest', {
  login: z.string().min(1).max(200).describe("The user's login, in any case."),
  password: password.describe("The user's password."),
  place: z
    .int()
    .min(0)
    .max(7)
    .optional()
    .describe(
      'Which of eight parts of the networks that people sign in from: wrong ones of each count by themselves.',
    ),
});

/** Answer of `x.stations.key`; null while the user has none. */
export const userKeySchema = named('UserKey', {
  user_id: z.int().describe('Id of the user.'),
  public_key: z.string().max(100).describe('Ed25519, 32 bytes, base64url.'),
  sealed: z.string().max(500).describe('The private key, sealed by the password.'),
  version: z.int().describe('Of the password that seals it.'),
  changed_at: z.string().max(40).describe('When that was set.'),
});

export const signatureSchema = named('RecordSignature', {
  id: z.int().describe('Id of the signature.'),
  user_id: z.int().describe('Id of the user who signed.'),
  user_name: z.string().describe('The name of that user when it was signed.'),
  at: isoTimestampSchema().describe('When it was signed.'),
  clock_at_least: clockAtLeastSchema(),
  meaning: z.enum(MEANINGS).describe('What the signature says of the version.'),
  reason: z.string().nullable().describe('The reason, as the signer gave it.'),
  version: z.int().describe('The version that was signed.'),
  state: z.string().describe('The hash of all fields of that version.'),
  proof: z
    .enum(['proved', 'moved', 'revoked', 'broken', 'before', 'brought', 'none'])
    .describe(
      "What the signer's own key says of it. `proved`: signed it as it stands. `moved`: signed it of a record that was given another id since. `revoked`: signed it, and somebody else may have had the key by then; a person let it in. `broken`: signed something else, or is not the signer's. `before`: made before people had keys. `brought`: by a key of an installation that joined since, whose people are not those of here. `none`: made without a key since.",
    ),
  key: z.string().nullable().describe('SHA-256 of the key, in hex; null: none.'),
  key_from: z
    .enum(['signer', 'other', 'unknown'])
    .nullable()
    .describe(
      'Who gave the key. `signer`: the person, by a password of their own. `other`: somebody else, who had set the password that it was made with. `unknown`: history of then is not here. Null: there is none.',
    ),
  key_given_by: z.string().nullable().describe('Who that was, where it was somebody else.'),
  is_imported: z.boolean().describe('It came with an import: nobody signed it here.'),
  is_superseded: z.boolean().describe('Whether the content of the record has changed since.'),
});
