import { isAbsolute } from 'node:path';
import { sameJson } from '../../../shared/contract/canonical-json.ts';
import { type ParsedInput, readInput } from '../../../shared/contract/parse-input.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';
import { machineSetting } from '../../../shared/families/setting.ts';
import { SIGNATURE_INPUT } from '../../../shared/families/signature-acts.ts';
import { type AuditEvent, putEvent } from '../../audit/event.ts';
import { changesIn } from '../../rules/noting.ts';
import { SETTING_ID, siteSettings } from '../../rules/site.ts';
import { machineSettings, writeMachineSettings } from '../../store/machine-settings.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { UnitOfWork } from '../../store/unit-of-work.ts';
import { etagOf, success } from '../reply.ts';
import { callerOf, type RequestContext } from '../request-context.ts';
import { checkIfMatch } from '../write.ts';
import { reasonIn } from './family.ts';
import type { Handlers, Services } from './handler.ts';
import { refuseAtStation } from './users.ts';

const { setting } = families;

/** The site's settings and those of this machine, in one answer. */
export const settingsHandlers = {
  'x.settings.read': ({ store }) => {
    const { records, database } = store;
    return settingsReply(records, database.reader, records.get('setting', SETTING_ID));
  },
} satisfies Partial<Handlers>;

/** `x.settings.update`: where this machine's own change, its backups look at what was named (`backups.ts`). */
export function updateSettings(services: Services, context: RequestContext) {
  const { write, store } = services;
  const passes = ['reason', ...SIGNATURE_INPUT];
  const all = { fields: { ...setting.fields, ...machineSetting.fields }, collections: {} };
  const input = readInput(all, context.body, { mode: 'patch', zone: context.zone, passes }, context.faults);
  const own = fieldsOf(input, name => name in machineSetting.fields);
  const present: Record<string, unknown> = { ...siteSettings(store.records) };
  // What was read and is sent back changes nothing, also where it is a default that nobody has set.
  const isChange = (name: string) =>
    name in setting.fields && !sameJson(input.fields[name] ?? null, present[name] ?? null);
  const site = { ...input, fields: fieldsOf(input, isChange) };
  if (Object.keys(site.fields).length > 0) refuseAtStation(services);
  const { backup_folder: folder } = own;
  if (typeof folder === 'string' && folder !== '' && !isAbsolute(folder)) {
    const message = `"${folder}" is not a whole path. Give it from the root, such as /mnt/usb.`;
    context.faults.backup_folder ??= [message];
  }
  return write(context, {
    reason: reasonIn(context),
    work: work => {
      const before = work.get('setting', SETTING_ID);
      checkIfMatch(context, before);
      noteMachineSettings(work, callerOf(context), machineSettings(store.database), own);
      return Object.keys(site.fields).length === 0 ? before : changeSite(work, before, site);
    },
    answer: ({ records, sql }, record) => {
      if (Object.keys(own).length > 0) writeMachineSettings(store.database, own);
      return settingsReply(records, sql, record, input.ignored);
    },
  });
}

/** Those of the site are records, whose rule notes it. */
function noteMachineSettings(
  work: UnitOfWork,
  caller: Partial<AuditEvent>,
  before: object,
  own: ParsedInput['fields'],
): void {
  const changed = changesIn(before, { ...before, ...own });
  if (Object.keys(changed).length > 0)
    putEvent(work, { ...caller, kind: 'settings_changed', details: { ...changed, of: 'this machine' } });
}

function changeSite(work: UnitOfWork, before: StoredRecord | undefined, site: ParsedInput): StoredRecord {
  return before ? work.update(setting, SETTING_ID, site) : work.create(setting, site, SETTING_ID);
}

function fieldsOf({ fields }: ParsedInput, isWanted: (name: string) => boolean): ParsedInput['fields'] {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)));
}

function settingsReply(
  records: Parameters<typeof siteSettings>[0],
  sql: Pick<SqlReader, 'get'>,
  record: StoredRecord | undefined,
  ignored: readonly string[] = [],
) {
  const data = { ...siteSettings(records), ...machineSettings(sql) };
  return success(data, { ignored, headers: record ? { ETag: etagOf(record) } : {} });
}
