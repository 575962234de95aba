import { z } from 'zod';
import { pageMeta } from '../../../shared/envelope.ts';
import { AppError, invalid } from '../../../shared/errors.ts';
import { inventoryDetailFields } from '../../../shared/families/inventory.ts';
import { families, familyOf } from '../../../shared/families/registry.ts';
import { type ParsedInput, parseInput } from '../../../shared/parse-input.ts';
import type { StoredRecord } from '../../../shared/present.ts';
import { answerOf } from '../../rules/answers.ts';
import { SETTING_ID, siteSettings } from '../../rules/site.ts';
import { readHistory } from '../../store/history.ts';
import { type Call, idIn, type Reply } from '../call.ts';
import { API_PREFIX, etagOf, success } from '../reply.ts';
import { checkIfMatch } from '../write.ts';
import { reasonIn, recordReply, requireRecord } from './family.ts';
import type { Handler } from './handler.ts';

/** Operations under `/x` that do not follow from a family. */
export const extensionHandlers: Record<string, Handler> = {
  'x.records.read': ({ store }, call) => {
    const record = recordIn(store.records.get.bind(store.records), call);
    const { family, id, version, state, fields, created_at, updated_at, station, user } = record;
    const data = { family, id, version, state, fields, created_at, updated_at, station, user };
    return success(data, { headers: { ETag: etagOf(record) } });
  },

  'x.history.list': ({ store }, call) => {
    const record = recordIn(store.records.get.bind(store.records), call);
    const { page, perPage } = call.query.page();
    const subject = store.records.subjectNumber(record.family, record.id);
    const { total, commits } = readHistory(store.database.reader, subject, (page - 1) * perPage, perPage);
    const data = commits.map(({ commit_id: commit, chain, number, at, user, reason, entries, hash }) => {
      const changes = entries.filter(entry => entry.subject === record.key).flatMap(entry => entry.changes);
      return { commit, chain, number, at, user, reason, changes, hash };
    });
    return success(data, {
      meta: { ...pageMeta(page, perPage, total, data.length) },
      ignored: call.query.ignored,
    });
  },

  'x.inventory.lock': ({ write }, call) => {
    const id = idIn(call);
    const { is_locked, reason } = parseBody(lockBody, call.body);
    return write(call, {
      reason,
      work: draft => {
        const lot = draft.require('inventory', id);
        checkIfMatch(call, lot);
        const { lock_reason: _, ...fields } = lot.fields;
        const lock = is_locked ? { lock_reason: reason } : {};
        return draft.set(families.inventory, id, { ...fields, ...lock, is_locked_by_person: is_locked });
      },
      answer: (context, lot) =>
        success(answerOf(context, lot, { fields: inventoryDetailFields }), {
          headers: { ETag: etagOf(lot) },
        }),
    });
  },

  'x.inventory.moves.list': (services, call) => {
    const id = idIn(call);
    requireRecord(services.store.records.get('inventory', id), families.inventory, id);
    const { page, perPage } = call.query.page();
    const found = services.store.records.page(families.move, {
      page,
      perPage,
      filters: { inventory_id: id },
    });
    const context = services.reading();
    const data = found.records.map(record => answerOf(context, record));
    const meta = { ...pageMeta(page, perPage, found.total, data.length) };
    return success(data, { meta, ignored: call.query.ignored });
  },

  'x.inventory.moves.create': ({ write }, call) => {
    const id = idIn(call);
    const { move } = families;
    return write<{ record: StoredRecord; input: ParsedInput }>(call, {
      reason: reasonIn(call.body),
      work: draft => {
        draft.require('inventory', id);
        const body =
          call.body !== null && typeof call.body === 'object'
            ? { ...call.body, inventory_id: id }
            : call.body;
        const input = parseInput(move, body, { mode: 'create' });
        return { record: draft.create(move, input), input };
      },
      answer: (context, { record, input }) =>
        recordReply(
          move,
          context,
          record,
          {},
          {
            status: 201,
            ignored: input.ignored,
            headers: { Location: `${API_PREFIX}/x${move.path}/${record.id}` },
          },
        ),
    });
  },

  'x.settings.read': ({ store }) => settingsReply(store.records, store.records.get('setting', SETTING_ID)),

  'x.settings.update': ({ write }, call) => {
    const { setting } = families;
    const input = parseInput(setting, call.body, { mode: 'patch', passes: ['reason'] });
    return write(call, {
      reason: reasonIn(call.body),
      work: draft => {
        const before = draft.get('setting', SETTING_ID);
        if (before) checkIfMatch(call, before);
        return before ? draft.update(setting, SETTING_ID, input) : draft.create(setting, input, SETTING_ID);
      },
      answer: (context, record) => settingsReply(context.records, record, input.ignored),
    });
  },

  'x.tokens.list': ({ tokens }) => success(tokens.list()),

  'x.tokens.create': async ({ store, tokens }, call) => {
    const wanted = parseBody(tokenBody, call.body);
    // In the gate's queue, so that an import's open transaction cannot take it along when it is undone.
    const { secret, token } = await store.gate.together(async () => tokens.create(wanted));
    return success(
      { ...token, secret },
      { status: 201, headers: { Location: `${API_PREFIX}/x/tokens/${token.id}` } },
    );
  },

  'x.tokens.revoke': async ({ store, tokens }, call) => {
    const id = idIn(call);
    await store.gate.together(async () => tokens.revoke(id));
    return success(tokens.list().find(token => token.id === id));
  },

  'x.rebuild': async ({ store }) => success(await store.rebuild()),
};

const lockBody = z.object({
  is_locked: z.preprocess(
    value => (value === 1 || value === '1' ? true : value === 0 || value === '0' ? false : value),
    z.boolean({ error: 'Give true to lock the lot, false to unlock it.' }),
  ),
  reason: z
    .string({ error: 'Give the reason as text; it is kept in history.' })
    .trim()
    .min(1, { error: 'Give the reason; it is kept in history.' })
    .max(10_000),
});

const tokenBody = z.object({
  name: z.string({ error: 'Give the name as text, for example "label printer".' }),
  scopes: z.array(z.string(), { error: 'Give a list of read, write, admin.' }),
});

/** @throws AppError 422 that names each field at fault */
export function parseBody<Out>(schema: z.ZodType<Out>, body: unknown): Out {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const errors: Record<string, string[]> = {};
  for (const issue of result.error.issues) {
    const path = issue.path.length === 0 ? 'body' : issue.path.join('.');
    errors[path] = [...(errors[path] ?? []), issue.message];
  }
  throw invalid(errors);
}

function settingsReply(
  records: Parameters<typeof siteSettings>[0],
  record: Parameters<typeof etagOf>[0] | undefined,
  ignored: readonly string[] = [],
): Reply {
  return success(siteSettings(records), { ignored, headers: record ? { ETag: etagOf(record) } : {} });
}

function recordIn<Record>(get: (family: string, id: number) => Record | undefined, call: Call): Record {
  const name = call.parameters.family ?? '';
  const family = familyOf(name);
  if (!family) {
    const known = Object.keys(families).join(', ');
    throw new AppError('not_found', `There is no family ${JSON.stringify(name)}. Families: ${known}.`);
  }
  const record = get(family.name, idIn(call));
  if (!record)
    throw new AppError('not_found', `There is no ${family.title.toLowerCase()} with the id ${idIn(call)}.`);
  return record;
}
