import { parseTimestamp } from '../../../shared/contract/dates.ts';
import { pageMeta } from '../../../shared/contract/envelope.ts';
import { AppError, type FieldErrors, invalid, refuse } from '../../../shared/contract/errors.ts';
import { shown } from '../../../shared/contract/field-schemas.ts';
import { present, type StoredRecord } from '../../../shared/contract/present.ts';
import { families, familyOfKey } from '../../../shared/families/registry.ts';
import { foldLogin } from '../../../shared/families/user.ts';
import { AUDIT_COLUMNS, type AuditEventAnswer } from '../../../shared/operations/audit-operations.ts';
import { AuditReader, type AuditSelection } from '../../audit/read-events.ts';
import { lastReview, reviewSays, untilOf } from '../../audit/reviews.ts';
import { MOST_ON_PAPER, makeAuditPaper } from '../../print/audit-paper.ts';
import type { Printer } from '../../print/printer.ts';
import { inputOf } from '../../rules/input-of.ts';
import { siteSettings } from '../../rules/site.ts';
import { readHistoryOf } from '../../store/history.ts';
import type { Store } from '../../store/store.ts';
import { csvLine } from '../../transfer/exported-record.ts';
import { API_PREFIX, success } from '../reply.ts';
import { callerOf, idIn, type RequestContext } from '../request-context.ts';
import { sendLines } from '../send-lines.ts';
import { requireRecord } from './family.ts';
import type { Handlers, Services } from './handler.ts';
import { sendFile } from './paper.ts';
import { bodyOf, choiceIn, chosen } from './parse-body.ts';
import { refuseAtStation } from './users.ts';

const { 'audit-event': family, 'audit-review': review } = families;
const NARROWING = ['from', 'to', 'person', 'station', 'kind', 'record'] as const;
const BYTE_ORDER_MARK = '\ufeff';

/** The system's own trail: `auditOperations` of the table. */
export const auditHandlers = {
  'x.audit.list': async (services, context) => {
    const { page, perPage } = context.query.page();
    const isNewestFirst = context.query.isNewestFirst();
    const selection = selectionOf(services, context);
    const { records, total } = await new AuditReader(services.store).page(selection, {
      page,
      perPage,
      isNewestFirst,
    });
    const data = records.map(record => eventOf(services, record));
    return success(data, { meta: { ...pageMeta(page, perPage, total, data.length) } });
  },

  'x.audit.read': (services, context) => {
    const { store } = services;
    const record = requireRecord(store.records.get(family.name, idIn(context)), family, idIn(context));
    const subject = store.records.subjectNumber(family.name, record.id);
    const [commit] = readHistoryOf(store.database.reader, record, subject, 0, 1).commits;
    return success({
      ...eventOf(services, record),
      commit: commit
        ? { id: commit.commit_id, chain: commit.chain, number: commit.number, hash: commit.hash }
        : null,
    });
  },

  'x.audit.reviews': ({ store, clock }, context) => {
    const { page, perPage } = context.query.page();
    const { records, total } = store.records.page(review, { page, perPage, isNewestFirst: true });
    const data = records.map(record => present(review, record));
    const last = lastReview(store);
    const due = dueSays(store, clock());
    const meta = {
      ...pageMeta(page, perPage, total, data.length),
      reviewed_until: last ? untilOf(last) : null,
      due,
    };
    return success(data, { meta });
  },

  'x.audit.review': async (services, context) => {
    const { store, write, clock } = services;
    const { reviewed_until: given, remarks } = bodyOf(context);
    refuseAtStation(services);
    if (context.rights.kind !== 'person')
      throw new AppError(
        'forbidden',
        'A person with the role quality reviews the audit trail. Sign in as one.',
      );
    const until = new Date(given).toISOString();
    const now = clock().toISOString();
    if (until > now)
      throw invalid({
        reviewed_until: [`${until} is not over yet: it is ${now}. Give a moment that is over.`],
      });
    const last = lastReview(store);
    const from = last ? untilOf(last) : null;
    if (from !== null && until <= from) {
      const message = `The audit trail is reviewed until ${from} already. Give a later moment.`;
      throw invalid({ reviewed_until: [message] });
    }
    const events = await new AuditReader(store).count({ ...(from !== null && { from }), to: until });
    return write(context, {
      reason: null,
      work: work => {
        if (lastReview({ records: store.pending, station: store.station })?.key !== last?.key)
          throw new AppError('conflict', 'Somebody has recorded a review meanwhile. Look at it first.');
        const user = work.actor.userId === undefined ? undefined : work.get('user', work.actor.userId);
        const by = {
          reviewed_by: user?.id,
          reviewer: work.actor.user,
          reviewer_name: user?.fields.name ?? work.actor.user,
        };
        return work.create(
          review,
          inputOf({
            reviewed_from: from,
            reviewed_until: until,
            events,
            remarks: remarks ?? null,
            at: work.at,
            ...by,
          }),
        );
      },
      answer: (_reads, record) =>
        success(present(review, record), {
          status: 201,
          headers: { Location: `${API_PREFIX}/x/audit/reviews` },
        }),
    });
  },

  'x.audit.export': async (services, context) => {
    const { query, response, operation } = context;
    const format = choiceIn(context, 'format', 'json');
    const hasBom = ['true', '1'].includes(
      chosen(query.get('bom') ?? 'false', ['true', 'false', '1', '0'], 'bom'),
    );
    const selection = selectionOf(services, context);
    const details = {
      what: 'audit trail',
      format,
      ...query.given(NARROWING),
    };
    await services.trail.note({ ...callerOf(context), kind: 'exported', details });
    // What is written from here on is none of it.
    const until = { ...selection, to: earlier(selection.to, services.clock().toISOString()) };
    const records = new AuditReader(services.store).all(until);
    response.statusCode = 200;
    response.setHeader('Content-Type', operation.answerType);
    const name = `audit-trail.${format === 'csv' ? 'csv' : 'jsonl'}`;
    response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
    if (hasBom) response.write(BYTE_ORDER_MARK);
    if (format === 'csv') response.write(csvLine(AUDIT_COLUMNS));
    const lineOf = (record: StoredRecord) => {
      const event = eventOf(services, record);
      return format === 'csv'
        ? csvLine(AUDIT_COLUMNS.map(column => event[column]))
        : `${JSON.stringify(event)}\n`;
    };
    await sendLines(context, Iterator.from(records).map(lineOf));
    return undefined;
  },
} satisfies Partial<Handlers>;

/** What is printed: `x.audit.paper`. */
export function auditPaperHandlers(printer: Printer) {
  return {
    'x.audit.paper': async (services, context) => {
      const { query } = context;
      const language = choiceIn(context, 'language', 'en');
      const selection = selectionOf(services, context);
      const reader = new AuditReader(services.store);
      const total = await reader.count(selection);
      if (total > MOST_ON_PAPER) {
        const message = `These are ${total} events, more than ${MOST_ON_PAPER}: too many for paper. Narrow the period, or take them as CSV: GET ${API_PREFIX}/x/audit/export.`;
        throw new AppError('conflict', message);
      }
      const events = [...reader.all(selection)].map(record => eventOf(services, record));
      const narrowed = query.given(['person', 'station', 'kind', 'record']);
      const about = { ...selection, narrowed, language, user: context.user, station: services.store.station };
      const paper = makeAuditPaper(services.reading(), events, about);
      const details = { document: 'audit trail', ...query.given(NARROWING) };
      await services.trail.note({ ...callerOf(context), kind: 'printed', details });
      sendFile(context, await printer.print({ kind: 'paper', paper }), {
        type: 'application/pdf',
        name: 'audit-trail.pdf',
      });
      return undefined;
    },
  } satisfies Partial<Handlers>;
}

/** That a review is due, in words; null: none is. A station makes none. */
export function dueSays(store: Store, now: Date): string | null {
  const { audit_review_days: days } = siteSettings(store.records);
  return days === 0 ? null : reviewSays(lastReview(store), new AuditReader(store).first(), days, now);
}

function earlier(one: string | undefined, other: string): string {
  return one === undefined || other < one ? other : one;
}

function eventOf({ nameOf }: Pick<Services, 'nameOf'>, record: StoredRecord): AuditEventAnswer {
  const { station } = record;
  return {
    ...present(family, record),
    station,
    station_name: nameOf(station),
  } as unknown as AuditEventAnswer;
}

/** What is asked for. At a station that is its own: central has what the others noted. @throws AppError 422 */
export function selectionOf(
  { store, isAtStation }: Pick<Services, 'store' | 'isAtStation'>,
  { query }: Pick<RequestContext, 'query'>,
): AuditSelection {
  const errors: FieldErrors = {};
  const [from, to] = (['from', 'to'] as const).map(name => momentIn(query.get(name), name, errors));
  if (from !== undefined && to !== undefined && from > to)
    errors.from ??= [`${from} is after ${to}. Give the earlier one as from.`];
  const record = query.get('record') || undefined;
  if (record !== undefined && !/^[1-9]\d{0,15}$/.test(record.slice(record.lastIndexOf(':') + 1)))
    errors.record = [`${shown(record)} names no record. Give family and id, such as user:17.`];
  else if (record !== undefined && !familyOfKey(record))
    errors.record = [
      `There is no family ${shown(record.slice(0, record.lastIndexOf(':')))}. Give one such as user:17.`,
    ];
  const station = query.get('station') || undefined;
  const own = isAtStation() ? store.station : undefined;
  if (station !== undefined && own !== undefined && station !== own)
    errors.station = ['A station shows its own events. Those of other machines are at central.'];
  refuse(errors);
  const kinds = query
    .get('kind')
    ?.split(',')
    .filter(kind => kind !== '');
  const person = query.get('person') || undefined;
  return {
    from,
    to,
    kinds: kinds?.length ? kinds : undefined,
    person: person === undefined ? undefined : personNamed(store, person),
    subject: record,
    station: own ?? station,
  };
}

/** A moment, or a day in UTC: as `to` its last moment. What is neither is noted among the errors. */
export function momentIn(
  text: string | undefined,
  name: 'from' | 'to',
  errors: FieldErrors,
): string | undefined {
  if (text === undefined || text === '') return undefined;
  // A plus in an address reads as a space, which nobody means here.
  const written = text.replace(/ (?=\d{2}:?\d{2}$)/, '+');
  const at = parseTimestamp(written);
  if (at === null) {
    errors[name] = [
      `${shown(text)} is no moment. Give one such as 2026-03-03T10:00:00+01:00, or a day: 2026-03-03.`,
    ];
    return undefined;
  }
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(written);
  return name === 'to' && isDay ? `${written}T23:59:59.999Z` : at;
}

/** By any login that the person has or had, or as it stands: an integration, or somebody of another installation. */
function personNamed(
  { records }: Pick<Store, 'records'>,
  name: string,
): NonNullable<AuditSelection['person']> {
  const login = foldLogin(name);
  for (const user of records.all('user')) {
    const former = Array.isArray(user.fields.former_logins) ? user.fields.former_logins.map(String) : [];
    const names = [String(user.fields.login), ...former];
    if (names.includes(login)) return { names, subject: user.key };
  }
  return { names: [name], subject: undefined };
}
