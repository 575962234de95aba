import { CHANGE_NUMBER } from '../../../shared/contract/change-place.ts';
import { deprecationHeaders, NUMBERED_PLACES } from '../../../shared/contract/deprecation.ts';
import { AppError, invalid } from '../../../shared/contract/errors.ts';
import { shown } from '../../../shared/contract/field-schemas.ts';
import type { Answered } from '../../../shared/contract/present.ts';
import { hasRole } from '../../../shared/contract/role.ts';
import { families, family as familyNamed, familyOf } from '../../../shared/families/registry.ts';
import {
  CHANGES_LIMIT,
  CHANGES_PER_ANSWER,
  type ListedChange,
  LONGEST_WAIT,
} from '../../../shared/operations/change-operations.ts';
import { collectionsOf } from '../../../shared/operations/family-operations.ts';
import type { AnswerOf } from '../../../shared/operations/operation-types.ts';
import { Past } from '../../past/past.ts';
import { ChangeFeed, type FeedPlace } from '../../store/change-feed.ts';
import { keyOf } from '../../store/records.ts';
import { tableOf } from '../../store/sqlite/documents.ts';
import type { Store } from '../../store/store.ts';
import { inTurns, yieldingToEventLoop } from '../../store/yield-to-event-loop.ts';
import { isAdministrator } from '../authenticate.ts';
import { listText } from '../reply.ts';
import type { RequestContext } from '../request-context.ts';
import { SharedPages, type TextPage } from '../shared-pages.ts';
import { stationOfChange, type ToldChange, tellStep } from '../told-changes.ts';
import type { SerializedResponse } from '../write.ts';
import { oneAnswer, oneOptions } from './family.ts';
import type { Handlers, Services } from './handler.ts';
import { choiceIn } from './parse-body.ts';

/** Steps that one answer goes through at most, however few of them are wanted. */
const STEPS_PER_ANSWER = 5_000;

/** Some changes as JSON, and where the next ones begin. */
interface ChangesPage extends TextPage {
  place: FeedPlace;
  isMore: boolean;
}

/** What has changed, page by page, in the order in which it came to stand here: `changeOperations` of the table. */
export function changeHandlers() {
  const pages = new SharedPages<ChangesPage>();
  return {
    'x.changes.list': (services, context) => listChanges(pages, services, context),
  } satisfies Partial<Handlers>;
}

async function listChanges(
  pages: SharedPages<ChangesPage>,
  services: Services,
  context: RequestContext<'x.changes.list'>,
): Promise<SerializedResponse<AnswerOf<'x.changes.list'>>> {
  const { store } = services;
  const { query } = context;
  const wanted = chosenIn(store.records, context);
  const as = choiceIn(context, 'as', 'now');
  const limit = Math.min(query.count('limit') ?? CHANGES_PER_ANSWER, CHANGES_LIMIT);
  const wait = waitIn(context);
  const feed = feedOf(services);
  const named = placeIn(services, context, 'since');
  const reply = ({ rows, place, isMore }: ChangesPage, isReset = false) => {
    const meta = { cursor: feed.cursorOf(place), is_reset: isReset, is_more: isMore };
    return { status: 200, headers: {}, body: listText(rows, meta, query.ignored) };
  };
  const none = () => ({ rows: [], place: feed.end(), isMore: false });
  if (named === 'reset' || named === undefined) return reply(none(), named === 'reset');
  const after = (from: FeedPlace) => {
    // Not the day: what the calendar alone changes is in no answer of one record (`changes-by-day.test`).
    const name = JSON.stringify([from, limit, as, wanted.name()]);
    return pages.of(store, name, () => pageAfter(services, wanted, from, limit, as));
  };
  const found = await after(named);
  if (found.rows.length > 0 || found.isMore || wait === 0) return reply(found);
  const epoch = feed.epoch();
  await services.streams.hold(context.response, context.tokenId, wait * 1_000, wake => {
    const stop = store.gate.follow(wake);
    // What was committed while the page was made woke nobody.
    if (feed.isAfter(found.place)) wake();
    return stop;
  });
  return feed.epoch() === epoch ? reply(await after(found.place)) : reply(none(), true);
}

async function pageAfter(
  services: Services,
  wanted: Chosen,
  from: FeedPlace,
  limit: number,
  as: 'now' | 'then',
): Promise<ChangesPage> {
  const { changes, place, isMore } = await collect(services, wanted, from, limit);
  // What a record was then is folded of its history, which takes long where that is long: others are answered between.
  const yieldToEventLoop = yieldingToEventLoop();
  const rows: string[] = [];
  for (const change of changes) {
    await yieldToEventLoop();
    rows.push(JSON.stringify(listed(services, wanted, change, as)));
  }
  return { rows, place, isMore };
}

/** Up to so many changes that are wanted; the last record's own may go beyond it. */
async function collect(
  { store }: Services,
  wanted: Chosen,
  from: FeedPlace,
  limit: number,
): Promise<{ changes: ToldChange[]; place: FeedPlace; isMore: boolean }> {
  const feed = new ChangeFeed(store.database.reader, () => store.gate.chain);
  const yieldToEventLoop = yieldingToEventLoop();
  const changes: ToldChange[] = [];
  let place = from;
  for (let read = 0; ; ) {
    const steps = await inTurns(feed.after(place), yieldToEventLoop);
    if (steps.length === 0) return { changes, place, isMore: false };
    read += steps.length;
    for (const step of steps) {
      for (const told of tellStep({ records: store.records, sql: store.database.reader }, step, place)) {
        place = told.place;
        changes.push(...told.changes.filter(wanted.has));
        if (changes.length >= limit) return { changes, place, isMore: true };
        await yieldToEventLoop();
      }
    }
    if (read >= STEPS_PER_ANSWER) return { changes, place, isMore: true };
  }
}

function listed(services: Services, wanted: Chosen, change: ToldChange, as: 'now' | 'then'): ListedChange {
  const { family, id, kind, version, at, user, commit } = change;
  const told = { family, id, change: kind, version, at, user, of: wanted.causeOf(change) };
  const header = {
    commit: commit?.commit_id ?? null,
    station: stationOfChange(change),
    reason: commit?.reason ?? null,
  };
  if (as === 'now') return { ...told, ...header, record: wanted.recordOf(services, change) };
  const changes = change.changes.map(({ path, old, new: value }) => ({ path, old, new: value }));
  return { ...told, ...header, changes, fields: fieldsThen(services, change) };
}

/** The record's fields after the commit; null where this machine cannot say. */
function fieldsThen({ store }: Services, { family, id, commit, kind }: ToldChange): Answered | null {
  if (id === null || commit === null || kind === 'answer') return null;
  const { database, collection, station } = store;
  const past = new Past({ sql: database.reader, table: tableOf(collection), station });
  return past.afterCommit(keyOf(family, id), commit.commit_id)?.fields ?? null;
}

/** The feed of the store as it is committed. */
export function feedOf({ store }: Services): ChangeFeed {
  return new ChangeFeed(store.database.reader, () => store.gate.chain);
}

/**
 * The place from which somebody goes on: by the header of an event stream, or by `since`. Undefined: from now on.
 * @throws AppError 422 for what no answer of this interface has given
 */
export function placeIn(
  services: Services,
  { request, query, response }: RequestContext,
  name: 'Last-Event-ID' | 'since',
): FeedPlace | 'reset' | undefined {
  const header = name === 'since' ? undefined : request.headers['last-event-id'];
  const given = header === undefined || header === '' ? query.get('since') : String(header);
  if (given === undefined || given === '') return undefined;
  const place = feedOf(services).placeOf(given);
  if (CHANGE_NUMBER.test(given) && given !== '0') response.set(deprecationHeaders(NUMBERED_PLACES));
  if (place) return place;
  const field = header === undefined || header === '' ? 'since' : name;
  const remedy =
    'Give the id of an event, or the cursor of an answer, as it came; or leave it out to begin now.';
  throw invalid({ [field]: [`${shown(given)} is no place that was given here. ${remedy}`] });
}

/** Which changes a caller wants and may read, and what of the records. */
export interface Chosen {
  /** The same for all who are told the same. */
  name: () => string;
  has: (change: Pick<ToldChange, 'family' | 'id'>) => boolean;
  /** The record whose change it is, where the caller reaches that. */
  causeOf: (change: Pick<ToldChange, 'of'>) => ToldChange['of'];
  /** The fields asked for, by the answer of the record now; undefined where none were, or the record is not there. */
  fieldsOf: (services: Services, change: ToldChange) => Answered | undefined;
  /** The answer of the record now, in the fields asked for; null where it is not there. */
  recordOf: (services: Services, change: ToldChange) => Answered | null;
}

/** @throws AppError 422 on `families` and `fields` that are not there; 403 on families that the caller may not read */
export function chosenIn(records: Store['records'], context: RequestContext): Chosen {
  const { query, response, userId, families: bounds } = context;
  const isForAll = () =>
    isAdministrator(response) && (userId === undefined || isStillAdministrator(records, userId));
  const names = namesIn(query.get('families'));
  const wanted = names && new Set(names.map(name => familyFor(name, isForAll())));
  const beyond = bounds && [...(wanted ?? [])].find(name => !bounds.has(name));
  if (beyond !== undefined)
    throw new AppError('forbidden', `Your token does not reach ${shown(beyond)}. Leave it out of families.`);
  const fields = namesIn(query.get('fields'));
  if (fields) checkFields(fields, wanted ?? new Set(Object.keys(families)));
  const has: Chosen['has'] = ({ family, id }) => {
    if (wanted && !wanted.has(family)) return false;
    if (bounds && !bounds.has(family)) return false;
    // What the machine notes of itself changes no screen: who wants it asks for it.
    if (!wanted && familyNamed(family).isByMachine) return false;
    const isOwn = family === 'user' && id !== null && id === userId;
    return isOwn || !familyNamed(family).operations.isAdministrative || isForAll();
  };
  const recordOf: Chosen['recordOf'] = ({ reading }, { family: name, record }) => {
    if (!record) return null;
    const family = familyNamed(name);
    const options = { ...oneOptions(family), collections: collectionsOf(family, 'any') };
    const answer = oneAnswer(family, reading(), record, options);
    return fields
      ? Object.fromEntries(fields.flatMap(field => (field in answer ? [[field, answer[field]]] : [])))
      : answer;
  };
  return {
    name: () =>
      JSON.stringify([sorted(wanted), sorted(bounds), fields ?? null, isForAll() ? null : (userId ?? 0)]),
    has,
    causeOf: ({ of }) => (of && bounds?.has(of.family) === false ? null : of),
    recordOf,
    fieldsOf(services, change) {
      if (!fields || change.id === null) return undefined;
      const record = change.record ?? services.store.records.get(change.family, change.id);
      return recordOf(services, { ...change, record }) ?? undefined;
    },
  };
}

function sorted(names: ReadonlySet<string> | undefined): string[] | null {
  return names ? [...names].sort() : null;
}

/** Who follows changes for hours may have lost the role meanwhile. */
function isStillAdministrator(records: Store['records'], userId: number): boolean {
  const { roles, is_active: isActive } = records.get('user', userId)?.fields ?? {};
  return isActive === true && Array.isArray(roles) && hasRole(roles, 'administrator');
}

function namesIn(text: string | undefined): string[] | undefined {
  if (text === undefined || text === '') return undefined;
  return [...new Set(text.split(',').map(name => name.trim()))];
}

function familyFor(name: string, isForAll: boolean): string {
  const family = familyOf(name);
  if (!family) {
    const message = `There is no family ${shown(name)}. Families: ${Object.keys(families).join(', ')}.`;
    throw invalid({ families: [message] });
  }
  if (!family.operations.isAdministrative || isForAll || family.name === 'user') return family.name;
  throw new AppError('forbidden', `${family.plural} are for administrators. Leave them out of families.`);
}

function checkFields(fields: readonly string[], wanted: ReadonlySet<string>): void {
  const known = new Set(
    [...wanted].flatMap(name => {
      const family = familyOf(name);
      return family ? [...Object.keys(family.fields), ...Object.keys(family.collections)] : [];
    }),
  );
  const unknown = fields.filter(field => !known.has(field));
  if (unknown.length === 0) return;
  throw invalid({ fields: unknown.map(field => `${shown(field)} is no field of these records.`) });
}

/** Seconds. @throws AppError 422 */
function waitIn({ query }: RequestContext): number {
  const text = query.get('wait') ?? '0';
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= LONGEST_WAIT) return seconds;
  throw invalid({ wait: [`${shown(text)} is no waiting time. Give seconds, from 0 to ${LONGEST_WAIT}.`] });
}
