import { pageMeta } from '../../../shared/contract/envelope.ts';
import { AppError, invalid, noting } from '../../../shared/contract/errors.ts';
import { text, textList, timestamp } from '../../../shared/contract/fields.ts';
import { readInput } from '../../../shared/contract/parse-input.ts';
import { foldLogin } from '../../../shared/families/user.ts';
import { userNames, usersByLogin } from '../../rules/author-names.ts';
import { authorProofs } from '../../rules/author-proof.ts';
import { proposedReports } from '../../rules/proposals.ts';
import { datedSignaturesOf } from '../../rules/signing.ts';
import { wasSignedThere } from '../../store/archive.ts';
import { knownSince, readHistoryOf, stationOf, wasHeldFirst } from '../../store/history.ts';
import { wasIssuedAtJoining } from '../../store/moved.ts';
import type { Store } from '../../store/store.ts';
import { unknownIn } from '../../store/unknown-in.ts';
import { familyIn, requireReadable } from '../readable.ts';
import { API_PREFIX, success } from '../reply.ts';
import { callerOf, idIn, type RequestContext } from '../request-context.ts';
import type { Handlers } from './handler.ts';
import { bodyOf } from './parse-body.ts';

/** Operations under `/x` that do not follow from a family. */
export const extensionHandlers = {
  'x.history.list': async ({ store, earlier, nameOf }, context) => {
    const record = recordIn(store.records.get.bind(store.records), context);
    const { page, perPage } = context.query.page();
    const isNewestFirst = context.query.isNewestFirst();
    const missing = (await earlier.look([record])).get(record.key);
    const subject = store.records.subjectNumber(record.family, record.id);
    const readAt = (offset: number, limit: number) =>
      readHistoryOf(store.database.reader, record, subject, offset, limit);
    const { total } = readAt(0, 0);
    const before = (page - 1) * perPage;
    const count = Math.min(perPage, Math.max(0, total - before));
    const { commits } = readAt(isNewestFirst ? total - before - count : before, count);
    if (isNewestFirst) commits.reverse();
    const userNameOf = userNames(store);
    const { reader } = store.database;
    const proofOf = authorProofs(
      store.records,
      commit => wasHeldFirst(reader, commit),
      commit => wasIssuedAtJoining(reader, commit),
      commit => wasSignedThere(reader, commit),
    );
    const data = commits.map(commit => {
      const { commit_id, chain, number, at, clock_offset, user, reason, hash, entries } = commit;
      const clock_at_least = commit.clock_at_least ?? null;
      const changes = entries.filter(entry => entry.subject === record.key).flatMap(entry => entry.changes);
      const station = stationOf(chain);
      return {
        commit: commit_id,
        ...{ station, chain, number, at, clock_offset, clock_at_least, user, reason, hash },
        ...{ station_name: nameOf(station), user_name: userNameOf(user, at), author_proof: proofOf(commit) },
        // Members of a later version's would stand in the place of these.
        changes: changes.map(({ path, old, new: value, over }) => ({ path, old, new: value, over })),
        unknown: unknownIn(commit, record.key),
      };
    });
    return success(data, {
      meta: {
        ...pageMeta(page, perPage, total, data.length),
        ...(missing && {
          missing: { ...missing, known_since: knownSince(store.database.reader, record.key, subject) },
        }),
      },
    });
  },

  'x.signatures.list': ({ store }, context) => {
    const record = recordIn(store.records.get.bind(store.records), context);
    return success(datedSignaturesOf({ records: store.records, sql: store.database.reader }, record));
  },

  'x.tokens.list': ({ tokens }) => success(tokens.list()),

  'x.tokens.create': async ({ store, tokens, trail }, context) => {
    const { fields, ignored } = readInput(
      tokenRequest,
      context.body,
      { mode: 'create', zone: context.zone },
      context.faults,
    );
    const wanted = {
      name: String(fields.name ?? ''),
      scopes: textsIn(fields.scopes),
      ends_at: typeof fields.ends_at === 'string' ? fields.ends_at : null,
      families: textsIn(fields.families),
      networks: textsIn(fields.networks),
      created_by: context.user,
    };
    // In the gate's queue, so that an import's open transaction cannot take it along when it is undone.
    const event = {
      ...callerOf(context),
      kind: 'token_created',
      details: {
        token: wanted.name,
        scopes: wanted.scopes,
        ...(wanted.ends_at !== null && { ends_at: wanted.ends_at }),
        ...(wanted.families.length > 0 && { families: wanted.families }),
        ...(wanted.networks.length > 0 && { networks: wanted.networks }),
      },
    } as const;
    const { secret, token } = await trail.with([event], () => {
      noting(context.faults, () => refuseLogin(store.records, wanted.name));
      return tokens.create(wanted, context.faults);
    });
    return success(
      { ...token, secret },
      { status: 201, ignored, headers: { Location: `${API_PREFIX}/x/tokens` } },
    );
  },

  'x.tokens.revoke': async ({ tokens, trail }, context) => {
    const id = idIn(context);
    bodyOf(context);
    const before = tokens.list().find(token => token.id === id);
    // Again does nothing.
    const isActive = before?.revoked_at === null;
    const event = {
      ...callerOf(context),
      kind: 'token_revoked',
      details: { token: before?.name ?? '' },
    } as const;
    await trail.with(isActive ? [event] : [], () => tokens.revoke(id));
    const after = tokens.list().find(token => token.id === id);
    if (!after) throw new AppError('not_found', `There is no token with the id ${id}.`);
    return success(after);
  },

  'x.proposals.list': ({ store }, context) => {
    const record = recordIn(store.records.get.bind(store.records), context);
    return success(proposedReports({ records: store.records, sql: store.database.reader }, record));
  },

  'x.rebuild': async ({ store, trail }, context) => {
    bodyOf(context);
    const report = await store.rebuild();
    const { records, differences } = report;
    await trail.note({ ...callerOf(context), kind: 'rebuilt', details: { records, differences } });
    return success(report);
  },
} satisfies Partial<Handlers>;

/** History names authors by this text alone, so a program has no name that a user has or had. */
function refuseLogin(records: Pick<Store['records'], 'all'>, name: string): void {
  if (!usersByLogin(records).has(foldLogin(name))) return;
  const message = `"${name.trim()}" is or was the login of a user; history names its author by it. Choose another.`;
  throw invalid({ name: [message] });
}

const tokenRequest = {
  fields: {
    name: text({ label: 'The name', required: true }),
    scopes: textList({ label: 'The list of scopes', required: true }),
    ends_at: timestamp({ as: 'iso', label: 'The end' }),
    families: textList({ label: 'The list of families' }),
    networks: textList({ label: 'The list of networks' }),
  },
  collections: {},
};

function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter(text => typeof text === 'string') : [];
}

function recordIn<Record>(
  get: (family: string, id: number) => Record | undefined,
  context: RequestContext,
): Record {
  const family = familyIn(context);
  requireReadable(context, family, idIn(context));
  const record = get(family.name, idIn(context));
  if (!record)
    throw new AppError(
      'not_found',
      `There is no ${family.title.toLowerCase()} with the id ${idIn(context)}.`,
    );
  return record;
}
