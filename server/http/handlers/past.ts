import type { Family } from '../../../shared/contract/define-family.ts';
import { pageMeta } from '../../../shared/contract/envelope.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import { isMisdated, momentOf } from '../../../shared/contract/moment-of.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import type { PastAnswer, StockThen } from '../../../shared/operations/past-operations.ts';
import { fromMicro } from '../../../shared/quantities/quantity.ts';
import type { Cut } from '../../past/cut.ts';
import { cutIn, missing } from '../../past/cut-in-text.ts';
import { Past, refuseTaking } from '../../past/past.ts';
import { beforeFirst, pageThen, type Replay, Replays } from '../../past/replay.ts';
import { byPart, type LotThen, lotsThen, namesThen, type PartThen } from '../../past/stock-then.ts';
import { makePastPaper } from '../../print/past-paper.ts';
import type { Printer } from '../../print/printer.ts';
import { firstCommitAt } from '../../store/history.ts';
import { keyOf } from '../../store/records.ts';
import { tableOf } from '../../store/sqlite/documents.ts';
import type { Store } from '../../store/store.ts';
import { familyIn, requireReadable } from '../readable.ts';
import { etagOf, success } from '../reply.ts';
import { idIn, type RequestContext } from '../request-context.ts';
import { requireRecord } from './family.ts';
import type { Handlers, Services } from './handler.ts';
import { notePrint, sendFile } from './paper.ts';
import { choiceIn } from './parse-body.ts';

/** What was known: `pastOperations` of the table. */
export function pastHandlers(store: Pick<Store, 'database' | 'collection' | 'station'>, printer: Printer) {
  const replays = new Replays(store);
  return {
    'x.records.read': (services, context) => {
      const family = familyIn(context);
      const id = idIn(context);
      requireReadable(context, family, id);
      const past = pastOf(services.store);
      const cut = cutOf(services, context, past);
      if (!cut) {
        const record = requireRecord(services.store.records.get(family.name, id), family, id);
        return success(wholeOf(record), { headers: { ETag: etagOf(record) } });
      }
      const { record, answer } = recordThenOf(services, past, family, id, cut);
      return success({ ...wholeOf(record), past: answer });
    },

    'x.records.list': async (services, context) => {
      const family = familyIn(context);
      requireReadable(context, family, null);
      const { page, perPage } = context.query.page();
      const isNewestFirst = context.query.isNewestFirst();
      return listed(services, context, replays, async replay => {
        const { records, total } = await pageThen(replay, family, { page, perPage, isNewestFirst });
        return { data: records.map(wholeOf), meta: pageMeta(page, perPage, total, records.length) };
      });
    },

    'x.stock.list': async (services, context) => {
      const { page, perPage } = context.query.page();
      const by = choiceIn(context, 'by', 'lot');
      const part = context.query.count('part_id');
      return listed(services, context, replays, async replay => {
        const lots = await lotsThen(replay, part);
        const rows: (LotThen | PartThen)[] = by === 'part' ? byPart(lots) : lots;
        const nameOf = namesThen(replay);
        const data: StockThen[] = [];
        for (const row of rows.slice((page - 1) * perPage, page * perPage)) {
          data.push(stockOf(nameOf, row));
          await replay.step();
        }
        return { data, meta: pageMeta(page, perPage, rows.length, data.length) };
      });
    },

    'x.records.paper': async (services, context) => {
      const family = familyIn(context);
      const id = idIn(context);
      requireReadable(context, family, id);
      const language = choiceIn(context, 'language', 'en');
      const past = pastOf(services.store);
      const cut = cutOf(services, context, past);
      if (!cut) throw missing();
      const { record, answer } = recordThenOf(services, past, family, id, cut);
      const paper = makePastPaper(services.reading(), {
        family,
        record,
        past: answer,
        language,
        user: context.user,
        station: services.nameOf(services.store.station),
      });
      await notePrint(services, context, record, 'record as it was');
      sendFile(context, await printer.print({ kind: 'paper', paper }), {
        type: 'application/pdf',
        name: `${family.name}-${id}-then.pdf`,
      });
      return undefined;
    },
  } satisfies Partial<Handlers>;
}

function pastOf({ database, collection, station }: Pick<Store, 'database' | 'collection' | 'station'>): Past {
  return new Past({ sql: database.reader, table: tableOf(collection), station });
}

function cutOf({ store }: Services, { query }: RequestContext, past: Past): Cut | undefined {
  // A clock that was set back does not make what was written before it a time to come.
  const now = momentOf({ ...store.clockWatch.moment(), clock_offset: null });
  return cutIn({ asOf: query.get('as_of'), known: query.get('known') }, past.steps, now);
}

/** @throws AppError 404 where it was not there then, 422 on `as_of` where that is before everything or cannot be known */
function recordThenOf(
  { store }: Services,
  past: Past,
  family: Family,
  id: number,
  cut: Cut,
): { record: StoredRecord; answer: PastAnswer } {
  const key = keyOf(family.name, id);
  refuseTaking(store.database.reader);
  const record = past.at(key, cut);
  if (!record) throw notThen(store, past, family, id, cut);
  const steps = past.steps.of(key);
  const answer = past.answer(cut);
  if (past.openAt(key, cut).length > 0) answer.notes.push('not_sent_yet');
  if (cut.kind === 'moment' && steps.some(({ commit }) => isMisdated(commit)))
    answer.notes.push('clock_corrected');
  if (past.now(key)?.state !== record.state) answer.notes.push('changed_since');
  return { record, answer };
}

function notThen(store: Store, past: Past, family: Family, id: number, cut: Cut): AppError {
  const now = requireRecord(store.records.get(family.name, id), family, id);
  const first = firstCommitAt(store.database.reader);
  if (cut.kind !== 'place' && first !== null && cut.at < first) return beforeFirst(cut);
  const title = family.title.toLowerCase();
  const creation = past.steps.of(now.key).find(({ effect }) => effect?.isNew);
  const place = creation ? `, entry ${creation.place} of the log` : '';
  const then = cut.kind === 'place' ? `after entry ${cut.place}` : `at ${cut.at}`;
  const where = cut.kind === 'here' ? ' here' : '';
  return new AppError(
    'not_found',
    `There was no ${title} with the id ${id}${where} ${then}: it was created on ${now.created_at}${place}.`,
  );
}

async function listed<Row>(
  services: Services,
  context: RequestContext,
  replays: Replays,
  work: (replay: Replay) => Promise<{ data: Row[]; meta: object }>,
) {
  const cut = cutOf(services, context, pastOf(services.store));
  if (!cut) throw missing();
  const found = await replays.run(
    cut,
    () => context.response.destroyed || context.response.writableEnded,
    async replay => {
      const { data, meta } = await work(replay);
      const past = replay.past.answer(cut);
      if (replay.changed.size > 0) past.notes.push('changed_since');
      return success(data, { meta: { ...meta, past } });
    },
  );
  return found;
}

function stockOf(nameOf: ReturnType<typeof namesThen>, row: LotThen | PartThen): StockThen {
  const lot = 'places' in row ? row : undefined;
  return {
    inventory_id: lot?.id ?? null,
    batch_number: lot?.batch_number ?? null,
    part_id: row.part_id,
    part: nameOf('part', row.part_id),
    identification: nameOf('part', row.part_id, 'identification'),
    unit: row.unit,
    quantity: fromMicro(row.quantity),
    lots: 'lots' in row ? row.lots : 1,
    locations: [...(lot?.places ?? [])]
      .sort(([a], [b]) => a - b)
      .map(([location, quantity]) => ({
        location_id: location || null,
        name: nameOf('location', location || null),
        quantity: fromMicro(quantity),
      })),
  };
}

function wholeOf(record: StoredRecord) {
  const { family, id, version, state, fields, created_at, updated_at, station, user } = record;
  return { family, id, version, state, fields, created_at, updated_at, station, user };
}
