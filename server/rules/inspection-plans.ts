import { itemsOf, type StoredItem, type StoredRecord } from '../../shared/contract/present.ts';
import type { PlanSampling } from '../../shared/families/plan-sampling.ts';
import { families } from '../../shared/families/registry.ts';
import type { InspectionLevel } from '../../shared/sampling/sampling-tables.ts';
import { type Fields, mapOf, type PlannedChange } from '../store/changes.ts';
import type { Rule, UnitOfWork } from '../store/unit-of-work.ts';
import { inputOf } from './input-of.ts';
import { DEFAULT_AQL, DEFAULT_LEVEL, historyOf, planOf, severityOver } from './sampling-history.ts';

const { inspection } = families;

/** An inspection plan says what it is for, and how many pieces a fixed number are. */
export const planning: Rule = (work, { fields, pathOf }) => {
  const scope = ['part_id', 'part_type_id', 'supplier_id'];
  const isScoped = scope.some(name => typeof fields[name] === 'number');
  if (!isScoped && !work.isAtFault('body', ...scope.map(pathOf))) {
    work.blame(
      pathOf('part_id'),
      'A plan is for goods of a kind. Give a part_id, a part_type_id, a supplier_id, or a part and a supplier.',
    );
  }
  if (
    fields.sampling === 'fixed' &&
    fields.sample_count === undefined &&
    !work.isAtFault(pathOf('sample_count'))
  )
    work.blame(pathOf('sample_count'), 'How many samples are a fixed number? Give sample_count, such as 5.');
};

/**
 * What the inspection plan of a line's goods makes of the line, whose goods go into `lot`: what it locks, and the
 * inspection that it opens. It is applied when the goods come: to a new line, to one of other goods or another lot, and to
 * all lines when their receipt names another supplier. More goods of the same lot are more to inspect.
 */
export function byPlan(
  work: UnitOfWork,
  change: PlannedChange,
  item: StoredItem,
  old: StoredItem | undefined,
  lot: number,
): { said: Fields; opened: number } {
  const isOther =
    old === undefined ||
    old.part_id !== item.part_id ||
    old.inventory_id !== lot ||
    change.before?.fields.supplier_id !== change.fields.supplier_id;
  const plan = isOther ? planFor(work, change, item) : work.get('inspection-plan', Number(old.plan_id));
  const said: Fields = isOther ? { plan_id: plan?.id } : {};
  if (!plan) return { said, opened: 0 };
  const isMissing = plan.fields.is_certificate_required === true && !isNamed(item.certificate_number);
  said.is_certificate_missing = isMissing || undefined;
  if (isOther) {
    if (plan.fields.is_quarantined_first === true) said.is_active_batch = false;
    said.is_inspection_skipped = isSkipped(work, plan, lot) || undefined;
  }
  const isInspected = typeof plan.fields.specification_id === 'number';
  const isLeftOut = (isOther ? said : item).is_inspection_skipped === true;
  const opened = isInspected && !isLeftOut ? inspectByPlan(work, change, plan, lot, isOther) : 0;
  return { said, opened };
}

/** The active plan that says most about the goods; of several of one kind the newest. */
export function planFor(
  work: Pick<UnitOfWork, 'get' | 'findBy'>,
  receipt: Pick<PlannedChange, 'fields'>,
  { part_id: part }: Fields,
): StoredRecord | undefined {
  const supplier = receipt.fields.supplier_id;
  const type = work.get('part', Number(part))?.fields.part_type_id;
  const of = (field: string, id: unknown) =>
    typeof id === 'number' ? work.findBy('inspection-plan', field, id) : [];
  const known = [...of('part_id', part), ...of('part_type_id', type), ...of('supplier_id', supplier)];
  const isFor = ({ fields }: StoredRecord) =>
    fields.is_active === true &&
    [
      [fields.part_id, part],
      [fields.part_type_id, type],
      [fields.supplier_id, supplier],
    ].every(([wanted, given]) => wanted === undefined || wanted === given);
  return known.filter(isFor).sort((a, b) => closeness(b) - closeness(a) || b.id - a.id)[0];
}

function closeness({ fields }: StoredRecord): number {
  const isGiven = (name: string) => Number(fields[name] !== undefined);
  return 4 * isGiven('part_id') + 2 * isGiven('part_type_id') + isGiven('supplier_id');
}

function isNamed(certificate: unknown): boolean {
  return typeof certificate === 'string' && certificate.trim() !== '';
}

/**
 * Of `inspect_every` lots in a row one is inspected; after one that was not accepted, or is not judged yet, the next one
 * is. Counted from what this station knows.
 */
function isSkipped(work: UnitOfWork, plan: StoredRecord, lot: number): boolean {
  const every = Number(plan.fields.inspect_every ?? 1);
  if (every <= 1) return false;
  const { part_id: part } = work.require('inventory', lot).fields;
  const lots = work
    .findBy('inventory', 'part_id', Number(part))
    .filter(({ id }) => id !== lot)
    .slice(1 - every);
  for (const { id } of lots.toReversed()) {
    const [inspected] = inspectionsOf(work, plan.id, id);
    if (inspected) return inspected.fields.passed === true;
  }
  return false;
}

function inspectionsOf(work: UnitOfWork, plan: number, lot: number): StoredRecord[] {
  return work
    .findBy('inspection', 'inventory_id', lot)
    .filter(({ fields }) => mapOf(fields.sampling).plan_id === plan)
    .toReversed();
}

/**
 * Opens the inspection of a lot, with all its samples. One that is open already grows with the lot, and never shrinks; once
 * a verdict was given, goods that come later are inspected by another. Where the line itself names the plan's template, the
 * inspection that it opened is the plan's.
 */
function inspectByPlan(
  work: UnitOfWork,
  change: PlannedChange,
  plan: StoredRecord,
  lot: number,
  isNew: boolean,
): number {
  const open =
    inspectionsOf(work, plan.id, lot).find(({ fields }) => fields.passed === undefined) ??
    openedByLine(work, plan, lot);
  if (!open && !isNew && !hasGrown(change, lot)) return 0;
  const sampling = samplingBy(work, change, plan, lot);
  if (open) {
    const { n = 0, lot_size: size = 0 } = mapOf(open.fields.sampling);
    if (sampling.n >= Number(n) && sampling.lot_size > Number(size))
      work.set(inspection, open.id, { ...open.fields, sampling });
    return 0;
  }
  const lotRecord = work.require('inventory', lot);
  const { id } = work.create(
    inspection,
    inputOf({
      entity_id: lotRecord.fields.part_id,
      entity_type: 'part',
      drawing_id: plan.fields.specification_id,
      inventory_id: lot,
    }),
  );
  work.set(inspection, id, { ...work.require('inspection', id).fields, sampling });
  return 1;
}

/** The inspection that the same write opened of the lot by the plan's template. */
function openedByLine(work: UnitOfWork, { fields }: StoredRecord, lot: number): StoredRecord | undefined {
  const opened = [...work.staged()].find(
    ({ before, after }) =>
      before === undefined &&
      after.family === 'inspection' &&
      after.fields.inventory_id === lot &&
      after.fields.drawing_id === fields.specification_id &&
      after.fields.sampling === undefined,
  );
  return opened?.after;
}

/** Whether the receipt puts more into the lot than it did. */
function hasGrown({ before, fields }: PlannedChange, lot: number): boolean {
  return receivedInto(fields.items, lot) > receivedInto(before?.fields.items, lot);
}

/** Items of the lot in the receipt, parts of one counted as one. */
function receivedInto(items: unknown, lot: number): number {
  const lines = itemsOf({ position: 'order' }, items).filter(line => line.inventory_id === lot);
  return Math.ceil(lines.reduce((sum, line) => sum + Number(line.quantity_accepted ?? 0), 0));
}

function samplingBy(
  work: UnitOfWork,
  { fields: receipt }: PlannedChange,
  { id, fields }: StoredRecord,
  lot: number,
): PlanSampling {
  const lotSize = Math.max(1, receivedInto(receipt.items, lot));
  if (fields.sampling === 'fixed') {
    const n = Math.min(Number(fields.sample_count ?? 1), lotSize);
    return { plan_id: id, lot_size: lotSize, level: null, aql: null, severity: null, n, ac: 0, re: 1 };
  }
  const part = work.require('part', Number(work.require('inventory', lot).fields.part_id));
  const level = (fields.sampling_level ?? part.fields.sampling_level ?? DEFAULT_LEVEL) as InspectionLevel;
  const aql = Number(fields.sampling_aql ?? part.fields.sampling_aql ?? DEFAULT_AQL);
  const supplier = receipt.supplier_id;
  const { entries } = historyOf(work, part.id, typeof supplier === 'number' ? supplier : null);
  const { severity } = severityOver(entries, level, aql).state;
  const { n, ac, re } = planOf(lotSize, level, aql, severity);
  return { plan_id: id, lot_size: lotSize, level, aql, severity, n, ac, re };
}
