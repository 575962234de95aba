import { pageMeta } from '../../../shared/contract/envelope.ts';
import { flag, longText } from '../../../shared/contract/fields.ts';
import { readInput } from '../../../shared/contract/parse-input.ts';
import { inventoryDetailFields } from '../../../shared/families/inventory.ts';
import { lotLocks } from '../../../shared/families/lot-locks.ts';
import { families } from '../../../shared/families/registry.ts';
import { SIGNATURE_INPUT } from '../../../shared/families/signature-acts.ts';
import { LOT_STATES_LIMIT, type LotState } from '../../../shared/operations/extension-schemas.ts';
import { fromMicro } from '../../../shared/quantities/quantity.ts';
import { placeOf } from '../../quality/pick-list.ts';
import { type AnswerContext, answerOf } from '../../rules/answers.ts';
import { isExpired, locksOf, total } from '../../rules/lot-state.ts';
import { todayOf } from '../../rules/site.ts';
import { balancesOf, sourcesOf } from '../../store/lots.ts';
import { API_PREFIX, etagOf, success } from '../reply.ts';
import { idIn, idsIn } from '../request-context.ts';
import { checkIfMatch } from '../write.ts';
import { reasonIn, recordReply, requireRecord } from './family.ts';
import type { Handlers } from './handler.ts';

/** What a person does with a lot beside the documented reads: lock it, move it, ask what stands behind it. */
export const stockHandlers = {
  'x.inventory.lock': ({ write }, context) => {
    const id = idIn(context);
    const { fields: wanted, ignored } = readInput(
      lockRequest,
      context.body,
      { mode: 'create', zone: context.zone, passes: SIGNATURE_INPUT },
      context.faults,
    );
    const reason = String(wanted.reason);
    return write(context, {
      reason,
      work: work => {
        const lot = work.require('inventory', id);
        checkIfMatch(context, lot);
        const { lock_reason: _, ...fields } = lot.fields;
        const isLocked = wanted.is_locked === true;
        const lock = isLocked ? { lock_reason: reason } : {};
        return work.set(families.inventory, id, { ...fields, ...lock, is_locked_by_person: isLocked });
      },
      answer: (reads, lot) =>
        success(answerOf(reads, lot, { fields: inventoryDetailFields }), {
          ignored,
          headers: { ETag: etagOf(lot) },
        }),
    });
  },

  'x.inventory.moves.list': (services, context) => {
    const id = idIn(context);
    requireRecord(services.store.records.get('inventory', id), families.inventory, id);
    const { page, perPage } = context.query.page();
    const found = services.store.records.page(families.move, {
      page,
      perPage,
      filters: { inventory_id: id },
      isNewestFirst: context.query.isNewestFirst(),
    });
    const reads = services.reading();
    const data = found.records.map(record => answerOf(reads, record));
    const meta = { ...pageMeta(page, perPage, found.total, data.length) };
    return success(data, { meta });
  },

  'x.inventory.moves.create': ({ write }, context) => {
    const id = idIn(context);
    const { move } = families;
    const body =
      context.body !== null && typeof context.body === 'object'
        ? { ...context.body, inventory_id: id }
        : context.body;
    const input = readInput(move, body, { mode: 'create', zone: context.zone }, context.faults);
    return write(context, {
      reason: reasonIn(context),
      work: work => {
        checkIfMatch(context, work.require('inventory', id));
        return work.create(move, input);
      },
      answer: (reads, record) => {
        const headers = { Location: `${API_PREFIX}/x${move.path}/${record.id}` };
        return recordReply(move, reads, record, {}, { status: 201, ignored: input.ignored, headers });
      },
    });
  },

  'x.inventory.states': ({ reading }, context) => {
    const reads = reading();
    const today = todayOf(reads.records, reads.now);
    const states = idsIn(context, 'lots', LOT_STATES_LIMIT).flatMap((id): LotState[] => {
      const lot = reads.records.get('inventory', id);
      if (!lot) return [];
      const { expiry_date: expiry } = lot.fields;
      const stands = balancesOf(reads.sql, id).filter(({ quantity }) => quantity !== 0n);
      return [
        {
          id,
          expiry_date: typeof expiry === 'string' ? expiry : null,
          is_expired: isExpired(lot, today),
          locks: locksOf(reads, lot).map(({ lock }) => lotLocks[lock]),
          locations: stands.map(({ location }) => whereIs(reads, location)),
        },
      ];
    });
    return success(states);
  },

  'x.inventory.facts': ({ reading }, context) => {
    const id = idIn(context);
    const reads = reading();
    const lot = requireRecord(reads.records.get('inventory', id), families.inventory, id);
    const balances = balancesOf(reads.sql, id);
    return success({
      unit: typeof lot.fields.lot_unit === 'string' ? lot.fields.lot_unit : null,
      quantity: fromMicro(total(balances)),
      locations: balances.map(({ location, quantity }) => ({
        location_id: location || null,
        name: placeName(reads, location),
        within: placeOf(reads, location).within,
        quantity: fromMicro(quantity),
      })),
      locks: locksOf(reads, lot).map(({ lock, source }) => ({
        reason: lotLocks[lock],
        ...subjectOf(source),
      })),
      facts: sourcesOf(reads.sql, id).map(({ source, line, location, quantity }) => ({
        ...subjectOf(source),
        item_id: line || null,
        location_id: location || null,
        quantity: fromMicro(quantity),
      })),
    });
  },
} satisfies Partial<Handlers>;

const lockRequest = {
  fields: {
    is_locked: flag({ label: 'Whether the lot is locked', required: true }),
    reason: longText({ label: 'The reason', required: true }),
  },
  collections: {},
};

/** What people call a place; null where no place was named. */
function placeName({ records }: AnswerContext, location: number): string | null {
  const name = records.get('location', location)?.fields.name;
  return typeof name === 'string' ? name : null;
}

/** What people go to: of a handling unit also the place where it stands. */
function whereIs(reads: AnswerContext, of: number): string | null {
  const { location, within } = placeOf(reads, of);
  return within === null ? location : `${within} · ${location}`;
}

function subjectOf(key: string): { family: string; id: number } {
  const [family = '', id] = key.split(':');
  return { family, id: Number(id) };
}
