import type { AuditEventAnswer } from '../../shared/operations/audit-operations.ts';
import { dataOf } from './caller.ts';
import type { ScratchStation } from './scratch-station.ts';

/** Events of the system's own trail, the newest first, as somebody of quality reads them. */
export async function eventsOf(
  scratch: ScratchStation,
  query: { kind: string; from?: string },
): Promise<AuditEventAnswer[]> {
  const text = new URLSearchParams({ ...query, order: 'desc', per_page: '500' });
  return dataOf<AuditEventAnswer[]>(await scratch.as('quality').get(`/x/audit?${text}`));
}
