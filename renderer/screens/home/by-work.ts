import type { Role } from '../../../shared/contract/role.ts';
import type { AttentionKind } from '../../../shared/operations/overview-operations.ts';

/** Whose work something is. */
type Work = 'dock' | 'stock' | 'inspection' | 'quality' | 'system';

/** Whose work a kind is, and where all of it is seen. */
export const matterPlaces: Record<AttentionKind, { work: Work; path: string }> = {
  orders_late: { work: 'dock', path: '/app/receiving' },
  orders_over: { work: 'dock', path: '/app/records/purchase-order' },
  receipts_open: { work: 'dock', path: '/app/receiving' },
  counts_open: { work: 'stock', path: '/app/counts' },
  counts_differ: { work: 'stock', path: '/app/counts' },
  counts_crossed: { work: 'stock', path: '/app/counts' },
  inspections_open: { work: 'inspection', path: '/app/inspection' },
  inspections_failed: { work: 'inspection', path: '/app/inspection' },
  lots_expiring: { work: 'stock', path: '/app/stock' },
  lots_expired: { work: 'stock', path: '/app/stock' },
  lots_locked: { work: 'stock', path: '/app/stock' },
  corrections_awaiting: { work: 'quality', path: '/app/quality?tab=corrections' },
  ncrs_open: { work: 'quality', path: '/app/quality' },
  cars_open: { work: 'quality', path: '/app/quality' },
  complaints_open: { work: 'quality', path: '/app/records/complaint' },
  shipments_due: { work: 'dock', path: '/app/shipping' },
  shipments_open: { work: 'dock', path: '/app/shipping' },
  shipments_differ: { work: 'dock', path: '/app/conflicts' },
  parts_low: { work: 'stock', path: '/app/records/part' },
  stock_negative: { work: 'stock', path: '/app/stock' },
  conflicts_open: { work: 'quality', path: '/app/conflicts' },
  commits_held: { work: 'quality', path: '/app/conflicts' },
  commits_unsent: { work: 'system', path: '/app/sync' },
  numbers_twice: { work: 'quality', path: '/app/conflicts' },
  backup: { work: 'system', path: '/app/setup/backup' },
  certificate: { work: 'system', path: '/app/setup/stations' },
  clock: { work: 'system', path: '/app/sync' },
  authority: { work: 'system', path: '/app/sync' },
  audit_review: { work: 'system', path: '/app/setup/audit' },
  sign_in_attacked: { work: 'system', path: '/app/setup/audit?kind=sign_in_attacked' },
  leavers_tokens: { work: 'system', path: '/app/setup/tokens' },
  webhooks: { work: 'system', path: '/app/setup/webhooks' },
};

const AT_THE_DOCK: readonly Work[] = ['dock', 'stock', 'inspection', 'quality', 'system'];

/** Which work comes first for whom. */
const orders: Record<Role, readonly Work[]> = {
  viewer: AT_THE_DOCK,
  operator: AT_THE_DOCK,
  inspector: ['inspection', 'quality', 'stock', 'dock', 'system'],
  quality: ['quality', 'inspection', 'stock', 'dock', 'system'],
  administrator: ['system', 'quality', 'inspection', 'dock', 'stock'],
};

/** What there is of each work, one's own first, and within it what is late before the rest. */
export function byWork<Matter extends { kind: AttentionKind; overdue?: number | null | undefined }>(
  matters: readonly Matter[],
  role: Role,
): [Work, Matter[]][] {
  const byName = Map.groupBy(matters, ({ kind }) => matterPlaces[kind].work);
  return orders[role].flatMap((work): [Work, Matter[]][] => {
    const found = byName.get(work) ?? [];
    return found.length === 0 ? [] : [[work, found.toSorted((a, b) => lateness(b) - lateness(a))]];
  });
}

function lateness({ overdue }: { overdue?: number | null | undefined }): 0 | 1 {
  return overdue ? 1 : 0;
}
