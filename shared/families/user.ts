import { z } from 'zod';
import { defineFamily } from '../contract/define-family.ts';
import { shown } from '../contract/field-schemas.ts';
import {
  choice,
  createdAt,
  flag,
  json,
  recordId,
  text,
  textList,
  timestamp,
  updatedAt,
  withInput,
  writtenAt,
} from '../contract/fields.ts';
import { ROLES } from '../contract/role.ts';
import { everyOperation } from './simple.ts';

const byServer = { writable: false } as const;
const LOGIN = /^[\p{L}\p{N}](?:[\p{L}\p{N}._@-]{0,62}[\p{L}\p{N}])?$/u;

const roleList = z.array(z.enum(ROLES));
const readRoles = z
  .array(
    z.enum(ROLES, {
      error: issue => `${shown(issue.input)} is no role. Allowed: ${ROLES.join(', ')}.`,
    }),
    { error: issue => `${shown(issue.input)} is not a list. Give a list of roles: ${ROLES.join(', ')}.` },
  )
  .max(50, { error: 'The list is too long. Give each role once.' })
  .transform(roles => ROLES.filter(role => roles.includes(role)));

/**
 * Who may sign in. The record reaches every station and stands in history; the password does neither: its hash has a
 * table of its own.
 */
export const user = defineFamily({
  name: 'user',
  title: 'User',
  plural: 'Users',
  path: '/users',
  description: 'Who may sign in, and what they may do.',
  fields: {
    id: recordId(),
    name: text({ required: true, maximum: 200, description: 'As people know the user.' }),
    login: loginField(),
    roles: json(() => ({ input: readRoles, output: roleList, request: roleList }), {
      absent: [],
      fallback: [],
      description: 'What the user may do; each role includes those before it. Without one: nothing',
    }),
    language: choice(['en', 'de'], { description: "Of the screens; null: the browser's." }),
    is_active: flag({ fallback: true, description: 'False: cannot sign in.' }),
    locked_out_at: timestamp({
      ...byServer,
      description: 'When wrong passwords last locked the user out, for 15 minutes.',
    }),
    is_password_temporary: flag({
      description:
        'The user chooses another password at the next sign-in: so it is once somebody else has set one, unless it is said of a new user that they chose it. Only another password of their own ends it.',
    }),
    password_changed_at: timestamp({ ...byServer, description: 'When the password was last set.' }),
    former_logins: textList({
      ...byServer,
      returned: false,
      description: 'History knows the user by these as well; nobody else gets them.',
    }),
    public_key: text({
      ...byServer,
      description:
        'With which signatures of this user are checked: Ed25519, 32 bytes, base64url. Null: none was made yet.',
    }),
    former_keys: textList({
      ...byServer,
      returned: false,
      description: 'Those before it, each until a password was set by somebody else, or it was revoked.',
    }),
    revoked_keys: textList({
      ...byServer,
      returned: false,
      description:
        'Those of them that somebody else may have: what came of them later counts only where a person let it in.',
    }),
    password_revoked_at: timestamp({
      ...byServer,
      description:
        'When password and key were revoked, because somebody else may know the password; null: since then another one was chosen or set. Until then the user has no key.',
    }),
    created_at: createdAt(),
    updated_at: updatedAt(),
    written_at: writtenAt(),
  },
  operations: { extensions: everyOperation, isAdministrative: true, passesOnCreate: ['password'] },
  columns: ['name', 'login', 'roles', 'is_active', 'locked_out_at'],
  lists: ['name', 'is_active'],
  search: ['name', 'login'],
  indexes: ['login'],
  unique: ['login'],
  rules: ['accounts', 'noting-users'],
  may: { create: 'administrator', change: 'administrator' },
  writer: 'central',
});

/**
 * Why a password is to be changed: it was revoked, somebody else set it, it is older than the site lets it be, or today's rules
 * refuse it.
 */
export const PASSWORD_DUES = ['revoked', 'temporary', 'aged', 'weak'] as const;
export type PasswordDue = (typeof PASSWORD_DUES)[number];

/** A login as it is compared and stored: without regard to case and to how letters are composed. */
export function foldLogin(login: string): string {
  return login.normalize('NFKC').trim().toLowerCase();
}

function loginField() {
  const field = text({
    label: 'User name',
    required: true,
    maximum: 64,
    description:
      'What the user signs in with and history names as the author: letters, digits and . _ @ -, in any case.',
  });
  const error =
    'is no user name. Give 1 to 64 letters, digits or . _ @ - that begin and end with a letter or digit.';
  return withInput(field, () =>
    z
      .string({ error: issue => `${shown(issue.input)} ${error}` })
      .transform(foldLogin)
      .refine(login => LOGIN.test(login), { error: issue => `${shown(issue.input)} ${error}` }),
  );
}
