import { AppError } from '../../shared/contract/errors.ts';
import { hasRole } from '../../shared/contract/role.ts';
import { foldLogin } from '../../shared/families/user.ts';
import type { Fields } from '../store/changes.ts';
import { tokenNames } from '../store/token-table.ts';
import type { Rule, UnitOfWork } from '../store/unit-of-work.ts';

/** Authors in history that no user may be taken for. */
const RESERVED = new Set([
  'setup',
  'sign-in',
  'holdpoint_token',
  'first-administrator',
  'command-line',
  'audit-trail',
]);

/** A login leads history to one person for ever, and an installation always has someone who can administer it. */
export const accounts: Rule = (work, change) => {
  const { id, before, fields } = change;
  const { login } = fields;
  if (typeof login === 'string' && login !== before?.fields.login) {
    if (RESERVED.has(login) || isTaken(work, login, id)) {
      const message = `"${login}" is taken; history names an author by it. Give another one.`;
      work.blame(change.pathOf('login'), message);
    }
    if (tokenNames(work.sql).some(name => foldLogin(name) === login)) {
      const message = `"${login}" is the name of a token; history names its author by it. Give another login.`;
      work.blame(change.pathOf('login'), message);
    }
    const former = before?.fields.login;
    if (typeof former === 'string') {
      fields.former_logins = [...new Set([...loginsOf(before?.fields ?? {}), former])].filter(
        one => one !== login,
      );
    }
  }
  const isEnded =
    before?.fields.is_password_temporary === true &&
    typeof before.fields.password_changed_at === 'string' &&
    fields.is_password_temporary !== true;
  // A session of theirs does nothing before, but for choosing another password.
  if (isEnded && work.actor.userId !== id) {
    const message = 'ends when the user chooses another password, and not otherwise. Leave it out.';
    work.blame(change.pathOf('is_password_temporary'), message);
  }
  if (before && isAdministrator(before.fields) && !isAdministrator(fields)) requireAnother(work, id);
};

function isTaken(work: UnitOfWork, login: string, id: number): boolean {
  return [...everybody(work)].some(
    user => user.id !== id && (user.fields.login === login || loginsOf(user.fields).includes(login)),
  );
}

function requireAnother(work: UnitOfWork, id: number): void {
  for (const user of everybody(work)) if (user.id !== id && isAdministrator(user.fields)) return;
  throw new AppError(
    'conflict',
    'This is the last active administrator. Make another user an administrator first.',
  );
}

/** All users, as the commit is about to leave them. */
function* everybody(work: UnitOfWork): Generator<{ id: number; fields: Fields }> {
  const staged = new Map([...work.staged()].map(({ after }) => [after.key, after]));
  for (const record of work.records.all('user')) yield staged.get(record.key) ?? record;
  for (const { before, after } of work.staged()) if (!before && after.family === 'user') yield after;
}

function isAdministrator({ is_active: isActive, roles }: Fields): boolean {
  return isActive === true && Array.isArray(roles) && hasRole(roles, 'administrator');
}

function loginsOf({ former_logins: former }: Fields): unknown[] {
  return Array.isArray(former) ? former : [];
}
