import { sameJson } from '../../shared/contract/canonical-json.ts';
import { SETTING_DEFAULTS } from '../../shared/families/setting.ts';
import { putEvent } from '../audit/event.ts';
import type { Rule } from '../store/unit-of-work.ts';

/** What the system's own trail says of a user beside the record: who may sign in with which roles. */
export const notingUsers: Rule = (work, { id, before, fields }) => {
  const { user: author, address } = work.actor;
  const about = { author, address, subject: `user:${id}` };
  const { login, name, roles, is_active: isActive } = fields;
  if (!before) {
    const of = { login, name, roles, is_active: isActive };
    putEvent(work, { ...about, kind: 'user_created', details: changesIn({}, of) });
    return;
  }
  const changed = changesIn(shownOf(before.fields), shownOf(fields));
  const password = fields.password_changed_at !== before.fields.password_changed_at;
  const isRevoked =
    typeof fields.password_revoked_at === 'string' &&
    fields.password_revoked_at !== before.fields.password_revoked_at;
  if (Object.keys(changed).length === 0 && !password && !isRevoked) return;
  const of = { ...(password && { password: 'set' }), ...(isRevoked && { password: 'revoked' }) };
  const details = { login: String(login), ...changed, ...of };
  putEvent(work, { ...about, kind: 'user_changed', details });
};

/** That the site's settings were changed, and to what; why, the commit's reason says. */
export const notingSettings: Rule = (work, { id, before, fields }) => {
  const changed = changesIn({ ...SETTING_DEFAULTS, ...before?.fields }, { ...SETTING_DEFAULTS, ...fields });
  if (Object.keys(changed).length === 0) return;
  const reason = work.reason === null ? {} : { reason: work.reason };
  const { user: author, address } = work.actor;
  const about = { author, address, subject: `setting:${id}` };
  putEvent(work, { ...about, kind: 'settings_changed', details: { ...changed, ...reason } });
};

function shownOf({ login, name, roles, is_active }: Record<string, unknown>): object {
  return { login, name, roles, is_active };
}

/** What differs, as `30 → 60`; of what there was nothing before, what there is now. */
export function changesIn(before: object, after: object): Record<string, string> {
  const changed = Object.entries(after).flatMap(([name, value]) => {
    const old: unknown = Reflect.get(before, name) ?? null;
    if (sameJson(old, value ?? null)) return [];
    return [[name, old === null ? textOf(value) : `${textOf(old)} → ${textOf(value)}`] as const];
  });
  return Object.fromEntries(changed);
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(textOf).join(', ');
  if (value === null || value === undefined) return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
