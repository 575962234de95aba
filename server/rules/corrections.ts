import { sameJson } from '../../shared/contract/canonical-json.ts';
import type { ChangedValue } from '../../shared/contract/permission.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { hasRole } from '../../shared/contract/role.ts';
import { families } from '../../shared/families/registry.ts';
import { type Fields, mapOf, type PlannedChange } from '../store/changes.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';
import { hasReason } from './reason.ts';

export interface Correction {
  before: StoredRecord | undefined;
  /** As the commit leaves it. */
  record: Pick<StoredRecord, 'key' | 'family' | 'id' | 'fields'>;
  path: string;
  old: unknown;
  new: unknown;
  /** Whether it frees no goods until quality accepts it. */
  isAwaiting: boolean;
}

/**
 * What was taken back waits for nobody: the value stands again as it did before it was changed. Any other value would
 * carry what nobody accepted over into a change that needs no acceptance.
 */
export function settleTakenBack(work: UnitOfWork, subject: string, changes: readonly ChangedValue[]): void {
  for (const { path, new: value } of changes) {
    for (const waiting of work.findBy('correction', 'subject', subject)) {
      if (!isTakenBack(waiting, path, value)) continue;
      work.byServer(() =>
        work.set(families.correction, waiting.id, { ...waiting.fields, status: 'recorded' }),
      );
    }
  }
}

/**
 * What waits of a record locks the lots that the record comes to speak of as well: rejected goods that are accepted in a
 * second step, a lab result that is given to a lot once its value was replaced.
 */
export function lockFurtherLots(work: UnitOfWork, before: StoredRecord, record: Correction['record']): void {
  for (const waiting of work.findBy('correction', 'subject', record.key)) {
    const { status, path, lots: known } = waiting.fields;
    if (status !== 'awaiting') continue;
    const lots = idsIn([...listOf(known), ...lotsOf(work, record, String(path), before)]);
    if (sameJson(lots, listOf(known))) continue;
    work.byServer(() => work.set(families.correction, waiting.id, { ...waiting.fields, lots }));
  }
}

/** Whether the value is the one that stood before what waits for quality. */
export function isTakenBack({ fields }: StoredRecord, path: string, value: unknown): boolean {
  const { status, path: about, old_value: old = null } = fields;
  return status === 'awaiting' && about === path && sameJson(old, value ?? null);
}

/** Keeps, in the same commit, what stood before a value was replaced, and locks the lots that it could free. */
export function recordCorrection(work: UnitOfWork, correction: Correction): void {
  const { before, record, path, isAwaiting } = correction;
  const known = [...work.staged()].find(
    ({ before: stored, after }) =>
      !stored &&
      after.family === 'correction' &&
      after.fields.subject === record.key &&
      after.fields.path === path,
  );
  if (known) {
    // One change has one correction: that it waits is said by any of its rules.
    if (isAwaiting && known.after.fields.status !== 'awaiting')
      work.byServer(() =>
        work.set(families.correction, known.after.id, { ...known.after.fields, status: 'awaiting' }),
      );
    return;
  }
  const lots = lotsOf(work, record, path, before);
  const { batch_number: batch, batch_part_id: part } = record.fields;
  const isOfBatch = record.family === 'lab-result' && lots.length === 0;
  const fields: Fields = {
    subject: record.key,
    path,
    old_value: correction.old ?? undefined,
    new_value: correction.new ?? undefined,
    author: work.actor.user,
    author_id: work.actor.userId,
    at: work.at,
    reason: work.reason ?? undefined,
    status: isAwaiting ? 'awaiting' : 'recorded',
    lots,
    ...(isOfBatch ? { batch_number: batch, batch_part_id: part } : {}),
  };
  work.byServer(() => work.insert(families.correction, fields));
}

/**
 * What frees goods though nothing carries it (a verdict without its measurements, a line that leaves a locked lot) is
 * recorded as somebody's word; it counts at once only where a person of quality gives it with a reason.
 */
export function recordWord(work: UnitOfWork, change: PlannedChange, path: string): void {
  const { rights } = work.actor;
  if (rights.kind === 'server') return;
  const { before, family, id } = change;
  const record = { key: `${family.name}:${id}`, family: family.name, id, fields: change.fields };
  const isAwaiting = rights.kind !== 'person' || !hasRole(rights.roles, 'quality') || !hasReason(work);
  const old = valueAt(before?.fields, path);
  recordCorrection(work, { before, record, path, old, new: valueAt(change.fields, path), isAwaiting });
}

function valueAt(fields: Fields | undefined, path: string): unknown {
  return path.split('.').reduce<unknown>((value, step) => mapOf(value)[step], fields) ?? null;
}

/** The lots that a value of the record has a say in, as it was and as it is. */
function lotsOf(
  work: UnitOfWork,
  record: Correction['record'],
  path: string,
  before: StoredRecord | undefined,
): number[] {
  const states = [record.fields, before?.fields ?? {}];
  if (record.family === 'inventory') return [record.id];
  if (record.family === 'receiving-inspection') {
    const item = /^items\.(\d+)/.exec(path)?.[1];
    const lines = states.flatMap(({ items }) =>
      item === undefined ? Object.values(mapOf(items)) : [mapOf(items)[item]],
    );
    return idsIn(lines.map(line => mapOf(line).inventory_id));
  }
  if (record.family !== 'lab-result') return idsIn(states.map(({ inventory_id: lot }) => lot));
  const lots = states.flatMap(({ inventory_id: lot, batch_number: batch, batch_part_id: part }) => {
    // A result of one lot record speaks of no other of its number (interface decisions, 5.3).
    if (typeof lot === 'number' || typeof batch !== 'string' || batch === '') return [lot];
    return work
      .findBy('inventory', 'batch_number', batch)
      .filter(other => part === undefined || other.fields.part_id === part)
      .map(({ id }) => id);
  });
  return idsIn(lots);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function idsIn(values: readonly unknown[]): number[] {
  return [...new Set(values.filter(value => typeof value === 'number'))].sort((a, b) => a - b);
}
