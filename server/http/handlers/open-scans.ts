import { AppError } from '../../../shared/contract/errors.ts';
import { families } from '../../../shared/families/registry.ts';
import { OPEN_SCAN_LIMIT } from '../../../shared/operations/open-scan-operations.ts';
import { changeOpenScans, readOpenScans } from '../../store/open-scans.ts';
import { success } from '../reply.ts';
import { idIn, type RequestContext } from '../request-context.ts';
import { requireRecord } from './family.ts';
import type { Handlers, Services } from './handler.ts';
import { bodyOf } from './parse-body.ts';

/** What was scanned at a receipt and is in no saved line: see `shared/operations/open-scan-operations.ts`. */
export const openScanHandlers = {
  'x.open-scans.list': ({ store }, context) =>
    success(readOpenScans(store.database, receiptIn(store, idIn(context)))),

  'x.open-scans.update': async ({ store, clock }, context) => {
    const receipt = receiptIn(store, idIn(context));
    const { entries, expects = [] } = bodyOf(context);
    for (const { data, moves_to } of entries) {
      const length = JSON.stringify(data ?? null).length;
      if (length > OPEN_SCAN_LIMIT) {
        const message = `An entry has ${length} characters, and at most ${OPEN_SCAN_LIMIT} are kept.`;
        throw new AppError('too_large', message);
      }
      if (moves_to !== undefined) receiptIn(store, moves_to);
    }
    const changes = entries.map(({ key, data, moves_to }) => ({ key, data, movesTo: moves_to }));
    const change = { changes, expects, by: nameOf(context), at: clock().toISOString() };
    await store.gate.together(async () => changeOpenScans(store.database, receipt, change));
    return success(readOpenScans(store.database, receipt));
  },
} satisfies Partial<Handlers>;

/** @throws AppError `not_found` */
function receiptIn(store: Services['store'], id: number): number {
  const family = families['receiving-inspection'];
  return requireRecord(store.records.getShared(family.name, id), family, id).id;
}

function nameOf({ userName, user }: RequestContext): string {
  return userName ?? user;
}
