import type { Family } from '../../../shared/contract/define-family.ts';
import { pageMeta } from '../../../shared/contract/envelope.ts';
import { AppError, invalid } from '../../../shared/contract/errors.ts';
import { shown } from '../../../shared/contract/field-schemas.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families, familyOf } from '../../../shared/families/registry.ts';
import { CODE, foldCode } from '../../../shared/families/secondary-index.ts';
import {
  type Attention,
  type AttentionKind,
  barcodeRequestSchema,
  FIND_DEFAULT,
  FIND_LIMIT,
  type Scan,
  TITLES_LIMIT,
} from '../../../shared/operations/overview-operations.ts';
import { inputOf } from '../../rules/input-of.ts';
import { todayOf } from '../../rules/site.ts';
import { expectedOrders } from '../../search/expected-orders.ts';
import { findRecords } from '../../search/find-records.ts';
import { kindOf, readScan } from '../../search/read-scan.ts';
import { intoRecord, outOf, pageInto } from '../../search/references.ts';
import { linkIn, shownFamilies, titled, titleOf } from '../../search/titles.ts';
import { recordsAt } from '../../store/secondary-index.ts';
import type { UnitOfWork } from '../../store/unit-of-work.ts';
import { isAdministrator } from '../authenticate.ts';
import { requireReadable } from '../readable.ts';
import { success } from '../reply.ts';
import { idIn, type RequestContext } from '../request-context.ts';
import { checkIfMatch } from '../write.ts';
import { recordReply, requireRecord } from './family.ts';
import type { Handlers } from './handler.ts';
import { bodyOf } from './parse-body.ts';

/** What screens ask across families: `overviewOperations` of the table. */
const FOR_ADMINISTRATORS: ReadonlySet<AttentionKind> = new Set([
  'sign_in_attacked',
  'leavers_tokens',
  'webhooks',
]);

export function overviewHandlers(attention: { read: () => Attention }) {
  return {
    'x.find.list': ({ store }, context) => {
      const limit = Math.min(context.query.count('limit') ?? FIND_DEFAULT, FIND_LIMIT);
      const name = context.query.get('family');
      const family = name === undefined ? undefined : shownFamily(name);
      const given = context.query.get('text')?.trim() ?? '';
      const text = given === '' && !family ? required(context, 'text', 'Give what to find.') : given;
      const reads = { records: store.records, sql: store.database.reader };
      return success(findRecords(reads, text, limit, family));
    },

    'x.references.read': ({ store }, context) => {
      const reads = { records: store.records, sql: store.database.reader };
      const name = context.parameters.family ?? '';
      const family = familyOf(name);
      if (!family) throw new AppError('not_found', `There is no family ${shown(name)}.`);
      requireReadable(context, family, idIn(context));
      const record = requireRecord(store.records.get(family.name, idIn(context)), family, idIn(context));
      const { page, perPage } = context.query.page();
      const [from, field] = [context.query.get('family'), context.query.get('field')];
      if (from === undefined && field === undefined) {
        return success({ out: outOf(reads, record), in: intoRecord(reads, record) });
      }
      if (from === undefined || field === undefined) {
        const missing = from === undefined ? 'family' : 'field';
        throw invalid({ [missing]: ['Give family and field together, or neither.'] });
      }
      const wanted = { family: familyOf(from)?.name ?? from, field, page, perPage };
      const group = pageInto(reads, record, wanted);
      if (!group) {
        throw invalid({ field: [`${shown(field)} of ${shown(from)} does not refer to a ${family.name}.`] });
      }
      const meta = { ...pageMeta(page, perPage, group.total, group.records.length) };
      return success({ out: [], in: [group] }, { meta });
    },

    'x.attention.read': (_services, { response }) => {
      const groups = attention.read();
      // These are for those who can do something about them.
      return success(
        isAdministrator(response) ? groups : groups.filter(({ kind }) => !FOR_ADMINISTRATORS.has(kind)),
      );
    },

    'x.expected.list': async ({ store, clock }) =>
      success(
        await expectedOrders({ records: store.records, sql: store.database.reader }, clock().toISOString()),
      ),

    'x.titles.list': ({ store }, context) => {
      const links = required(context, 'refs', 'Give records as supplier:12,part:13.').split(',');
      if (links.length > TITLES_LIMIT) {
        throw invalid({ refs: [`There are ${links.length} records. The most is ${TITLES_LIMIT}.`] });
      }
      const titles = links.flatMap(text => {
        const link = linkIn(text);
        // A family that is not for everybody, or that this version does not know.
        if (!link && /^[a-z-]+:\d+$/.test(text)) return [];
        if (!link) throw invalid({ refs: [`${shown(text)} names no record. Give supplier:12.`] });
        if (context.families?.has(link.family.name) === false) return [];
        const record = store.records.get(link.family.name, link.id);
        return record ? [titled(store.records, record)] : [];
      });
      return success(titles);
    },

    'x.scan': ({ store, clock }, context) => {
      const scanned = bodyOf(context);
      const reads = { records: store.records, sql: store.database.reader };
      const scan = readScan(reads, scanned, todayOf(store.records, clock().toISOString()));
      return success(context.families ? within(scan, context.families) : scan);
    },

    'x.parts.barcodes': ({ write }, context) => {
      const id = idIn(context);
      return write(context, {
        reason: reasonOf(context.body),
        work: work => {
          const part = work.require('part', id);
          checkIfMatch(context, part);
          const { code } = bodyOf(context);
          refuseOtherParts(work, part, code);
          const barcodes = barcodesOf(part);
          const isKnown = barcodes.some(one => foldCode(one) === foldCode(code));
          return isKnown ? part : work.update(families.part, id, inputOf({ barcodes: [...barcodes, code] }));
        },
        answer: (context, record) => recordReply(families.part, context, record, {}),
      });
    },
  } satisfies Partial<Handlers>;
}

/** What a bounded token is told of a scan: nothing of records that it does not reach. */
function within(scan: Scan, families: ReadonlySet<string>): Scan {
  const matches = scan.matches.filter(({ family }) => families.has(family));
  if (matches.length === scan.matches.length) return scan;
  const isPiece = matches.some(({ family }) => family === 'inventory');
  return { kind: kindOf(matches), serial_number: isPiece ? scan.serial_number : null, matches };
}

/** @throws AppError 422 for a name that no family has */
function shownFamily(name: string): Family {
  const family = familyOf(name);
  if (family && shownFamilies.includes(family)) return family;
  const known = shownFamilies.map(one => one.name).join(', ');
  throw invalid({ family: [`There is no family ${shown(name)}. Families: ${known}.`] });
}

/** @throws AppError `conflict` when the code is another part's, as a barcode or as its part number */
function refuseOtherParts({ sql, records }: UnitOfWork, part: StoredRecord, code: string): void {
  const range = { place: CODE, from: foldCode(code), to: foldCode(code) };
  const other = recordsAt(sql, records, range, { limit: 100 }).find(
    record => record.family === 'part' && record.id !== part.id,
  );
  if (!other) return;
  const name = titleOf(records, 'part', other.id);
  throw new AppError(
    'conflict',
    `${shown(code)} is a code of the part ${shown(name)} (id ${other.id}). Take it from that part first, or use another code.`,
  );
}

function barcodesOf({ fields }: StoredRecord): string[] {
  return Array.isArray(fields.barcodes) ? fields.barcodes.map(String) : [];
}

/** A part that is not there is 404 whatever the body says, so only the reason is read before. */
function reasonOf(body: unknown): string | null {
  const { data } = barcodeRequestSchema.pick({ reason: true }).safeParse(body);
  return data?.reason ?? null;
}

function required(context: RequestContext, name: string, remedy: string): string {
  const value = context.query.get(name);
  if (value !== undefined && value.trim() !== '') return value;
  throw invalid({ [name]: [`${name} is missing. ${remedy}`] });
}
