import type { ZoneOf } from '../../../shared/contract/dates.ts';
import type { Family } from '../../../shared/contract/define-family.ts';
import { AppError, errorStatus, type FieldErrors, invalid } from '../../../shared/contract/errors.ts';
import { shown } from '../../../shared/contract/field-schemas.ts';
import { type ParsedInput, readMembers } from '../../../shared/contract/parse-input.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { type BulkMeta, type BulkRow, isBulkFamily } from '../../../shared/operations/bulk-operations.ts';
import type { UnitOfWork } from '../../store/unit-of-work.ts';
import { yieldingToEventLoop } from '../../store/yield-to-event-loop.ts';
import { isOfRecord } from '../answer-tags.ts';
import { familyIn } from '../readable.ts';
import { etagOf, success } from '../reply.ts';
import { givenId, type Part, type RequestContext } from '../request-context.ts';
import type { Handlers, Services } from './handler.ts';
import { bodyOf } from './parse-body.ts';

/** Rows of one commit: others read between two of them. */
const ROWS_A_COMMIT = 100;
/** Rows that are written by themselves at once, so that they share transactions. */
const AT_ONCE = 32;
/** Beyond so many faults the rest of the rows is not judged. */
const FAULTS = 1_000;
/** Names that are told of, of all rows together. */
const IGNORED = 1_000;

type Kind = 'create' | 'update';

interface Row {
  index: number;
  id: number | null;
  etag: string | null;
  input: ParsedInput;
  faults: FieldErrors;
}

interface Written {
  index: number;
  /** Undefined where there is none to change: the commit is refused. */
  record: StoredRecord | undefined;
  /** The version that it had; 0: there was none. */
  before: number;
}

/** Many records of a family: `bulkOperations` of the table. A row is judged as its own operation would judge it, and signs nothing. */
export const bulkHandlers = {
  'x.bulk.create': (services, context) => writeMany(services, context, 'create'),
  'x.bulk.update': (services, context) => writeMany(services, context, 'update'),
} satisfies Partial<Handlers>;

function writeMany(services: Services, context: RequestContext<`x.bulk.${Kind}`>, kind: Kind) {
  const family = familyIn(context);
  if (!isBulkFamily(family, kind)) {
    const message = `${family.plural} are not ${kind === 'create' ? 'made' : 'changed'} many at once. Use their own operations.`;
    throw new AppError('not_found', message);
  }
  const { rows, mode, reason = null } = bodyOf(context);
  // Passwords and reasons of signatures count for one act of one person, and are not even looked at here.
  const zone = context.zone();
  const plain = { ...context, zone: () => zone, body: { rows, mode, reason } };
  return mode === 'each'
    ? writeEach(services, plain, { family, kind, given: rows, reason })
    : writeAll(services, plain, { family, kind, given: rows, reason });
}

interface Asked {
  family: Family;
  kind: Kind;
  given: readonly unknown[];
  reason: string | null;
}

/** All or none: commits of some rows each in one transaction. All faults of all rows are answered together. */
function writeAll(services: Services, context: RequestContext, asked: Asked) {
  const { family, kind, given, reason } = asked;
  const { zone } = context;
  const seen = new Set<number>();
  const rows = given.map((row, index) =>
    readRow(family, kind, row, { index, prefix: `rows.${index}.`, seen, zone }),
  );
  const parts: Row[][] = [];
  for (let from = 0; from < rows.length; from += ROWS_A_COMMIT)
    parts.push(rows.slice(from, from + ROWS_A_COMMIT));
  const last = parts.pop() ?? [];
  const written: Written[] = [];
  const goOn = yieldingToEventLoop();
  const work = (part: readonly Row[]) => (unit: UnitOfWork) =>
    part.map(row => writeRow(unit, asked, row, `rows.${row.index}.`));
  const faultsOf = (part: readonly Row[]) => Object.assign({}, ...part.map(({ faults }) => faults));
  const found: FieldErrors = {};
  return services.write(
    { ...context, faults: { ...context.faults, ...faultsOf(last) } },
    {
      reason,
      async before(commit) {
        for (const part of parts) {
          if (Object.keys(found).length > FAULTS) throw invalid(found);
          try {
            await commit({
              reason,
              faults: faultsOf(part),
              work: work(part),
              answer: done => written.push(...done),
            });
          } catch (error) {
            if (!(error instanceof AppError) || !error.errors) throw error;
            Object.assign(found, error.errors);
          }
          await goOn();
        }
      },
      work: unit => {
        // Beside what the last rows are found to have.
        for (const [path, [message = '']] of Object.entries(found)) unit.blame(path, message);
        return work(last)(unit);
      },
      answer: (_reads, done) => {
        written.push(...done);
        return replyOf(
          written.map(rowOf),
          rows.flatMap(({ input }) => input.ignored),
        );
      },
    },
  );
}

/** Every row by itself; each is remembered by itself under the request's key. */
async function writeEach(services: Services, context: RequestContext, asked: Asked) {
  const { family, kind, given, reason } = asked;
  const { zone } = context;
  const seen = new Set<number>();
  const ignored: string[] = [];
  const answers: BulkRow[] = [];
  for (let from = 0; from < given.length; from += AT_ONCE) {
    const some = given.slice(from, from + AT_ONCE).map(async (one, place): Promise<BulkRow> => {
      const index = from + place;
      const row = readRow(family, kind, one, { index, prefix: '', seen, zone });
      ignored.push(...row.input.ignored.map(path => `rows.${index}.${path}`));
      const part: Part = { name: String(index), body: { row: one, reason } };
      try {
        const { body } = await services.write(
          { ...context, faults: { ...row.faults }, part },
          {
            reason,
            work: unit => writeRow(unit, asked, row, ''),
            answer: (_reads, done) => success(rowOf(done), { ignored: row.input.ignored }),
          },
        );
        return JSON.parse(body).data;
      } catch (error) {
        // A disk that is full is full for the next row as well.
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        const { code, message, errors = null } = error;
        return { ...refusedRow(index), status: errorStatus[code], code, message, errors };
      }
    });
    answers.push(...(await Promise.all(some)));
  }
  return replyOf(answers, ignored);
}

function readRow(
  family: Family,
  kind: Kind,
  row: unknown,
  { index, prefix, seen, zone }: { index: number; prefix: string; seen: Set<number>; zone: ZoneOf },
): Row {
  const { passes, passesOnCreate } = family.operations;
  const own = kind === 'create' ? passesOnCreate : ['id', 'etag'];
  const options = {
    mode: kind === 'create' ? 'create' : 'patch',
    zone,
    passes: [...passes, ...own],
  } as const;
  const faults: FieldErrors = {};
  const ignored: string[] = [];
  const input = { ...readMembers(family, row, prefix, options, faults, ignored), ignored };
  const path = prefix === '' ? {} : { path: prefix.slice(0, -1) };
  if (kind === 'create' || row === null || typeof row !== 'object')
    return { index, id: null, etag: null, input: { ...input, ...path }, faults };
  const { id, etag = null }: { id?: unknown; etag?: unknown } = row;
  const number = givenId(id);
  if (number === null)
    faults[`${prefix}id`] = [`${shown(id)} is not the id of a record. Give a whole number from 1.`];
  else if (seen.has(number))
    faults[`${prefix}id`] = [`${number} stands twice in the list. Give each record once.`];
  else seen.add(number);
  if (etag !== null && typeof etag !== 'string')
    faults[`${prefix}etag`] = [
      `${shown(etag)} is no ETag. Give the text that reading the record answered, or leave it out.`,
    ];
  return {
    index,
    id: number,
    etag: typeof etag === 'string' ? etag : null,
    input: { ...input, ...path },
    faults,
  };
}

/** @param prefix where the row stands in the body; empty where it is the body */
function writeRow(
  unit: UnitOfWork,
  { family, kind }: Pick<Asked, 'family' | 'kind'>,
  { index, id, etag, input }: Row,
  prefix: string,
): Written {
  try {
    if (kind === 'create') return { index, record: unit.create(family, input), before: 0 };
    const standing = id === null ? undefined : unit.get(family.name, id);
    if (id === null || !standing) {
      const message = `There is no ${family.title.toLowerCase()} with the id ${id}. Give an existing one.`;
      if (id !== null) unit.blame(`${prefix}id`, message);
      return { index, record: undefined, before: 0 };
    }
    const current = etagOf(standing);
    if (etag !== null && !isOfRecord(etag, current)) {
      const message = `The record has changed meanwhile; it is now ${current}. Read it again and repeat the change.`;
      unit.blame(`${prefix}etag`, message);
    }
    const before = standing.version;
    return { index, record: unit.update(family, id, input), before };
  } catch (error) {
    if (prefix === '' || !(error instanceof AppError) || error.errors) throw error;
    // Which row it was; the code stays.
    const { code, message, headers, cause } = error;
    throw new AppError(code, `Row ${index}: ${message}`, { headers, cause });
  }
}

function rowOf({ index, record, before }: Written): BulkRow {
  if (!record) return refusedRow(index);
  const outcome = before === 0 ? 'created' : record.version === before ? 'unchanged' : 'changed';
  const status = outcome === 'created' ? 201 : 200;
  const told = { code: null, message: null, errors: null };
  return { index, outcome, id: record.id, etag: etagOf(record), status, ...told };
}

function refusedRow(index: number): BulkRow {
  const none = { id: null, etag: null, code: null, message: null, errors: null };
  return { index, outcome: 'refused', status: 422, ...none };
}

function replyOf(rows: BulkRow[], ignored: readonly string[]) {
  const meta: BulkMeta = { created: 0, changed: 0, unchanged: 0, refused: 0 };
  for (const { outcome } of rows) meta[outcome] += 1;
  return success(rows, { meta: { ...meta }, ignored: ignored.slice(0, IGNORED) });
}
