import type { Family } from '../../shared/contract/define-family.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { recordSubtitle, recordTitle } from '../../shared/families/record-title.ts';
import { families, familyOf } from '../../shared/families/registry.ts';
import type {
  AttentionGroup,
  AttentionKind,
  RecordTitle,
} from '../../shared/operations/overview-operations.ts';
import type { Records } from '../store/records.ts';

/** Families that everybody meets as records: settings are none, and users are for administrators. */
export const shownFamilies: readonly Family[] = Object.values<Family>(families).filter(
  ({ operations: { documented, extensions, isAdministrative } }) =>
    !isAdministrative && (documented !== null || extensions.length > 0),
);

/** The name of the record as lists show it. */
export function titled(records: Pick<Records, 'get'>, record: StoredRecord): RecordTitle {
  const family = familyOf(record.family);
  const { id } = record;
  if (!family) return { family: record.family, id, title: record.key, subtitle: null };
  const subtitle = recordSubtitle(family, record, (target, targetId) => titleOf(records, target, targetId));
  return { family: family.name, id, title: recordTitle(family, record), subtitle };
}

/** What people call the record; null where it is not here. */
export function titleOf(records: Pick<Records, 'get'>, name: string, id: number): string | null {
  const record = records.get(name, id);
  const family = familyOf(name);
  return record && family ? recordTitle(family, record) : null;
}

/** The record that a text names as `supplier:12` or `holdpoint://supplier/12`; undefined for any other text. */
export function linkIn(text: string): { family: Family; id: number } | undefined {
  const [, name, digits] = /^(?:holdpoint:\/\/)?([a-z-]{1,40})[:/]([1-9]\d{0,15})$/i.exec(text.trim()) ?? [];
  const family = name === undefined ? undefined : familyOf(name.toLowerCase());
  const id = Number(digits);
  return family && shownFamilies.includes(family) && Number.isSafeInteger(id) ? { family, id } : undefined;
}

/** A kind with what there is of it. */
export function groupFrom(
  kind: AttentionKind,
  items: AttentionGroup['items'],
  total: number,
): AttentionGroup {
  return { kind, total, overdue: null, is_complete: true, says: null, items };
}
