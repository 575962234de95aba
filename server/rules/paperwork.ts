import { sameJson } from '../../shared/contract/canonical-json.ts';
import { isUnitOfType, type PartUnit, type UnitType } from '../../shared/quantities/units.ts';
import type { PlannedChange } from '../store/changes.ts';
import type { Rule, UnitOfWork } from '../store/unit-of-work.ts';
import { plannedToday } from './site.ts';

/** The company of a fresh installation (interface decisions, 1). */
export const FIRST_COMPANY = 1;

/** A CAR is opened by its caller, today, unless said (interface decisions, 3). */
export const carOpening: Rule = (work, { before, fields }) => {
  if (before) return;
  fields.initiator_name ??= nameOf(work);
  fields.date_opened ??= plannedToday(work);
};

/** When a complaint was initiated, investigated and closed, and by whom, follows from its marks (interface decisions, 3). */
export const complaintProgress: Rule = (work, { before, fields }) => {
  if (!before) note(work, fields, 'initiated_at', 'initiator_user_id');
  for (const [mark, moment, who] of [
    ['is_investigated', 'investigated_at', 'investigator_user_id'],
    ['is_closed', 'closed_at', 'closed_user_id'],
  ] as const) {
    if (fields[mark] !== true) {
      delete fields[moment];
      delete fields[who];
    } else if ((fields[moment] ?? null) === null) note(work, fields, moment, who);
  }
};

/** Programs have no user id: theirs is absent. */
function note(work: UnitOfWork, fields: Record<string, unknown>, moment: string, who: string): void {
  fields[moment] = work.at;
  fields[who] = work.actor.userId;
}

function nameOf(work: UnitOfWork): string {
  const { user, userId } = work.actor;
  const name = work.get('user', Number(userId))?.fields.name;
  return typeof name === 'string' ? name : user;
}

/**
 * A change after approval makes a new revision, which waits for its own approval (interface decisions, 1). Who approves
 * it stands with it.
 */
export const revision: Rule = (work, change) => {
  revise(work, change);
  const { before, fields } = change;
  if (fields.is_approved === true && isSameApproval(before?.fields, fields)) return;
  delete fields.approved_by;
  if (fields.is_approved === true) fields.approved_by = work.actor.userId;
};

function isSameApproval(
  before: Record<string, unknown> | undefined,
  fields: Record<string, unknown>,
): boolean {
  return before?.is_approved === true && before.revision === fields.revision;
}

function revise(work: UnitOfWork, change: PlannedChange): void {
  const { before, fields } = change;
  if (before?.fields.is_approved === true) {
    // Withdrawing the approval counts as a change: what is approved next is another revision.
    if (sameJson(before.fields, fields)) return;
    if (!change.isGiven('revision')) fields.revision = Number(before.fields.revision ?? 0) + 1;
    if (!change.isGiven('is_approved')) fields.is_approved = false;
    if (!change.isGiven('revision_date')) fields.revision_date = plannedToday(work);
  } else if (!before) {
    fields.revision_date ??= plannedToday(work);
  }
}

/** A part's unit is one of its unit type's (interface 2.9); it is the company's unless told otherwise. */
export const partUnits: Rule = (work, change) => {
  if (!change.before) change.fields.company_id ??= FIRST_COMPANY;
  const { unit_type: type, unit_of_measure: unit } = change.fields;
  refuseOwnAncestor(work, change);
  if (typeof type !== 'string' || typeof unit !== 'string') return;
  if (isUnitOfType(unit as PartUnit, type as UnitType)) return;
  const path = change.pathOf('unit_of_measure');
  // What could not be read may fit as it was meant.
  if (work.isAtFault(change.pathOf('unit_type'), path)) return;
  work.blame(path, `"${unit}" is no unit of ${type}. Change unit_of_measure or unit_type.`);
};

function refuseOwnAncestor(work: UnitOfWork, change: PlannedChange): void {
  let parent = change.fields.parent_part_id;
  for (const seen = new Set<unknown>(); typeof parent === 'number' && !seen.has(parent); ) {
    if (parent === change.id) {
      const message = 'A part cannot be its own parent, nor that of its parents. Give another part.';
      work.blame(change.pathOf('parent_part_id'), message);
      return;
    }
    seen.add(parent);
    parent = work.get('part', parent)?.fields.parent_part_id;
  }
}
