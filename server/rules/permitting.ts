import type { Family } from '../../shared/contract/define-family.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { DIRECTIONS, type May } from '../../shared/contract/may.ts';
import { oncePerObject } from '../../shared/contract/once-per.ts';
import {
  type ChangedValue,
  countsAtOnce,
  fieldAt,
  judge,
  type Lack,
  type Met,
  ordinaryLack,
  type Rights,
} from '../../shared/contract/permission.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { diffFields, mapOf, type PlannedChange } from '../store/changes.ts';
import type { Permit } from '../store/unit-of-work.ts';
import { lockFurtherLots, recordCorrection, settleTakenBack } from './corrections.ts';
import { refuseMeasurer } from './measured-by.ts';
import { refuseOwnMoment } from './putting-back.ts';
import { hasReason } from './reason.ts';

/**
 * What a family's `may` says, for every change that somebody asks for by whatever door: a role that is missing refuses
 * (403, in words), a reason that a person did not give is blamed (422). What counts as a correction is recorded with what
 * stood before; what an integration changed without a reason, or somebody whose word does not suffice, frees no goods
 * until quality accepts it.
 */
export const permitting: Permit = (work, change) => {
  const { rights } = work.actor;
  if (rights.kind === 'server') return undefined;
  const { family, before } = change;
  refuseOwnMoment(work, change);
  // Without rules it is all the same what changes.
  if (before && !family.may.rules && !ordinaryLack(family, false, rights)) return undefined;
  const changes = before ? changesOf(change, before) : saidOfNew(change);
  const follow = before && ((record: StoredRecord) => lockFurtherLots(work, before, record));
  if (before && changes.length === 0) return follow;
  const { lacks, met } = judge(family, changes, before === undefined, rights);
  const [lack] = lacks;
  if (lack) throw new AppError('forbidden', refusal(family, lack, before === undefined, rights));
  if (met.length === 0) return follow;
  const isAnothers = rights.kind === 'person' && met.some(({ rule }) => rule.needsAnother);
  if (before && isAnothers) refuseMeasurer(work, before);
  const needing = met.filter(({ rule }) => rule.needsReason);
  if (needing[0] && rights.kind === 'person' && !hasReason(work)) {
    work.blame('reason', missingReason(family, needing));
    return undefined;
  }
  return record => {
    if (work.isAtFault()) return;
    settleTakenBack(work, record.key, needing);
    follow?.(record);
    for (const path of new Set(needing.map(one => one.path))) {
      const rules = needing.filter(one => one.path === path);
      const [first] = rules;
      if (!first) continue;
      const isAwaiting = rules.some(
        ({ rule }) => rule.isFreeing && !countsAtOnce(rule, rights, hasReason(work)),
      );
      recordCorrection(work, { before, record, path, old: first.old, new: first.new, isAwaiting });
    }
  };
};

function changesOf(change: PlannedChange, { fields }: StoredRecord): ChangedValue[] {
  const changes = diffFields(change.family, fields, change.fields);
  return changes.filter(({ path, old }) => !isFirstEntry(change, path, old));
}

/** What a new record says of that for which there are rules: whatever else it says, its creation is judged as one. */
function saidOfNew({ family, fields }: PlannedChange): ChangedValue[] {
  return ruledNames(family.may).flatMap(name => {
    const value = fields[name] ?? null;
    if (value === null) return [];
    if (!family.collections[name]) return [{ path: name, old: null, new: value }];
    return Object.entries(mapOf(value)).map(([id, item]) => ({
      path: `${name}.${id}`,
      old: null,
      new: item,
    }));
  });
}

/** The fields and collections that rules of a family name. */
const ruledNames = oncePerObject(({ rules }: May) => [
  ...new Set(Object.keys(rules ?? {}).map(path => path.replace(/\..*$/, ''))),
]);

/** The amount that the server filled in is no fact yet: nobody gave it. */
function isFirstEntry({ family, before }: PlannedChange, path: string, old: unknown): boolean {
  if (!before || before.writers[path] !== undefined) return false;
  const fallback = fieldAt(family, path)?.fallback;
  return fallback === 0 && old === 0;
}

function refusal(family: Family, { path, role, when }: Lack, isNew: boolean, { roles }: Rights): string {
  const own = roles.length === 0 ? 'none' : roles.join(', ');
  const what = path === null || when === null ? null : `${nameOf(family, path)}, ${DIRECTIONS[when].words}:`;
  const subject = what ?? `To ${isNew ? 'create' : 'change'} ${family.plural.toLowerCase()}`;
  if (role === null) return `${subject} is for nobody: the server does it by itself.`;
  return `${subject} needs the role ${role}. Yours: ${own}. Ask somebody who has it.`;
}

function missingReason(family: Family, met: readonly Met[]): string {
  const names = [...new Set(met.map(({ path }) => nameOf(family, path)))].slice(0, 5).join(', ');
  return `What was saved changes with a reason only (${names}). Give it as "reason"; it is kept in history.`;
}

/** What people call the value. */
function nameOf(family: Family, path: string): string {
  return fieldAt(family, path)?.label ?? path;
}
