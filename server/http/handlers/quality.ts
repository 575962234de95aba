import { hash } from 'node:crypto';
import { invalid } from '../../../shared/contract/errors.ts';
import { shown } from '../../../shared/contract/field-schemas.ts';
import { flag } from '../../../shared/contract/fields.ts';
import { readInput } from '../../../shared/contract/parse-input.ts';
import { families } from '../../../shared/families/registry.ts';
import { type BoardFamily, boardFamilies } from '../../../shared/operations/board-operations.ts';
import { putEvent } from '../../audit/event.ts';
import type { TraceReads } from '../../quality/around-lot.ts';
import { boardOf } from '../../quality/board.ts';
import type { Figures } from '../../quality/figures.ts';
import { labImportAnswer, planLabImport, requireGoodRows } from '../../quality/lab-import.ts';
import { concerned, recallPackage, type Signing } from '../../quality/recall-package.ts';
import { samplingOf } from '../../quality/sampling.ts';
import { type Traced, traceLot, tracePart } from '../../quality/trace.ts';
import { hasLocksMissing } from '../../quality/trace-lot.ts';
import { characteristicTrend, labTrend, trendNames } from '../../quality/trends.ts';
import { inputOf } from '../../rules/input-of.ts';
import { API_PREFIX, success } from '../reply.ts';
import { callerOf, idIn, type Query, type RequestContext } from '../request-context.ts';
import { recordReply } from './family.ts';
import type { Handlers, Services } from './handler.ts';
import { bodyOf, choiceIn } from './parse-body.ts';

/** Trace, recall and the numbers for pictures: `qualityOperations` of the table. */
export function qualityHandlers(figures: Figures, authority: Signing) {
  return {
    'x.trace.inventory': async (services, context) =>
      success((await traced(services, reads => traceLot(reads, idIn(context)))).trace),
    'x.trace.parts': async (services, context) =>
      success((await traced(services, reads => tracePart(reads, idIn(context)))).trace),
    'x.recall.inventory': (services, context) => packageReply(services, context, 'inventory', authority),
    'x.recall.parts': (services, context) => packageReply(services, context, 'part', authority),

    'x.trends.list': (services, { query }) =>
      success(trendNames(readsOf(services), requiredCount(query, 'part_id'))),
    'x.trends.characteristics': (services, context) => {
      const { query } = context;
      const of = requiredText(query, 'characteristic');
      const by = choiceIn(context, 'by', 'lot-mean');
      return success(characteristicTrend(readsOf(services), requiredCount(query, 'part_id'), of, by));
    },
    'x.trends.lab': (services, { query }) =>
      success(
        labTrend(
          readsOf(services),
          query.count('part_id'),
          query.count('template_id'),
          requiredText(query, 'measurement'),
        ),
      ),

    'x.sampling.read': (services, { query }) =>
      success(
        samplingOf(readsOf(services), {
          part: requiredCount(query, 'part_id'),
          supplier: query.count('supplier_id'),
          lotSize: requiredCount(query, 'lot_size'),
          level: query.get('level'),
          aql: query.get('aql'),
        }),
      ),
    'x.sampling.list': async () => success(await figures.sampling()),
    'x.sampling.reduced': ({ write }, context) => {
      const { fields, ignored } = readInput(
        reducedRequest,
        context.body,
        { mode: 'create', zone: context.zone },
        context.faults,
      );
      const { is_allowed: isAllowed, ...ruling } = fields;
      const family = families['sampling-ruling'];
      return write(context, {
        reason: String(ruling.reason),
        work: work =>
          work.create(
            family,
            inputOf({ ...ruling, ruling: isAllowed === true ? 'reducedApproved' : 'reducedWithdrawn' }),
          ),
        answer: (context, record) => {
          const headers = { Location: `${API_PREFIX}/x${family.path}/${record.id}` };
          return recordReply(family, context, record, {}, { status: 201, ignored, headers });
        },
      });
    },

    'x.lab-results.import': (services, context) => {
      const request = bodyOf(context);
      if (request.dry_run) {
        return success(labImportAnswer(planLabImport(services.store.records, request, context.zone()), null));
      }
      return services.write(context, {
        reason: null,
        work: work => {
          const plan = planLabImport(work, request, context.zone());
          if (!request.skip_bad) requireGoodRows(plan);
          const ids = plan.rows.map(({ input, repeats }) =>
            input && repeats === null ? work.create(families['lab-result'], input).id : null,
          );
          const table = { size: Buffer.byteLength(request.csv), sha256: hash('sha256', request.csv) };
          const details = { what: 'lab results', ...table, created: ids.filter(id => id !== null).length };
          putEvent(work, { ...callerOf(context), kind: 'imported', details });
          return { plan, ids };
        },
        answer: (_context, { plan, ids }) => success(labImportAnswer(plan, ids)),
      });
    },

    'x.boards.read': async (services, { parameters, query }) =>
      success(
        await boardOf(readsOf(services), boardFamily(parameters.family), {
          part: query.count('part_id'),
          supplier: query.count('supplier_id'),
          source: query.get('source'),
        }),
      ),

    'x.figures.stock-value': async (_services, { query }) => success(await figures.stockValue(months(query))),
    'x.figures.ncrs': async () => success(await figures.ncrs()),
    'x.figures.suppliers': async (_services, { query }) => success(await figures.suppliers(months(query))),
  } satisfies Partial<Handlers>;
}

const { part_id, supplier_id, reason } = families['sampling-ruling'].fields;
const reducedRequest = {
  fields: {
    part_id,
    supplier_id,
    is_allowed: flag({ label: 'Whether reduced inspection is allowed', required: true }),
    reason,
  },
  collections: {},
};

/** Committed records, with the lookups that rules have no need of. */
export function readsOf({ store, reading }: Pick<Services, 'store' | 'reading'>): TraceReads {
  return { records: store.records, sql: store.database.reader, now: reading().now };
}

/** A package is to be whole, and is waited for: as long as anything comes from central, up to this. */
const PACKAGE_WAIT_MS = 20_000;

/** Read again, where central knew of locks by people that this station did not. */
async function traced(services: Services, trace: (reads: TraceReads) => Promise<Traced>): Promise<Traced> {
  const reads = readsOf(services);
  const first = await trace(reads);
  const asked = first.around.map(({ lot }) => lot).filter(lot => hasLocksMissing(reads, lot));
  if (asked.length === 0) return first;
  await services.earlier.look(asked);
  return trace(reads);
}

async function packageReply(
  services: Services,
  context: RequestContext,
  family: 'inventory' | 'part',
  authority: Signing,
) {
  const id = idIn(context);
  const reads = readsOf(services);
  const read = family === 'part' ? tracePart : traceLot;
  const { subject, around } = await read(reads, id);
  await services.earlier.look(concerned(reads, subject, around), PACKAGE_WAIT_MS);
  const story = await traced(services, reads => read(reads, id));
  const { station } = services.store;
  const made = await recallPackage(reads, story, { station, user: context.user, authority });
  const details = { what: 'recall package', sha256: made.package_sha256 };
  await services.trail.note({
    ...callerOf(context),
    kind: 'downloaded',
    subject: `${family}:${id}`,
    details,
  });
  const headers = { 'Content-Disposition': `attachment; filename="recall-${family}-${id}.json"` };
  return { status: 200, headers, body: { ...made } };
}

function requiredCount(query: Query, name: string): number {
  const count = query.count(name);
  if (count === undefined) throw invalid({ [name]: [`${name} is missing. Give a whole number from 1.`] });
  return count;
}

function requiredText(query: Query, name: string): string {
  const text = query.get(name);
  if (text === undefined || text === '') throw invalid({ [name]: [`${name} is missing. Give its name.`] });
  return text;
}

function boardFamily(given: string | undefined): BoardFamily {
  const family = boardFamilies.find(each => each === given);
  if (family) return family;
  throw invalid({ family: [`${shown(given)} has no board. Give one of ${boardFamilies.join(', ')}.`] });
}

function months(query: Query): number {
  const count = query.count('months') ?? 12;
  if (count > 60) throw invalid({ months: ['Give at most 60 months.'] });
  return count;
}
