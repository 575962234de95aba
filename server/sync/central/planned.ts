import { itemsOf } from '../../../shared/contract/present.ts';
import { type PlanSampling, planSamplingOf } from '../../../shared/families/plan-sampling.ts';
import { samplingPlan } from '../../../shared/sampling/sampling-plan.ts';
import { DEFAULT_AQL, DEFAULT_LEVEL } from '../../rules/sampling-history.ts';
import { applyChanges, type Commit, type Fields } from '../../store/changes.ts';
import type { RecordReader } from '../protocol/siblings.ts';
import { entriesOf, type Pushed, valueAfter } from './pushed.ts';

/**
 * What is wrong with how a station says that a plan had a lot sampled: an altered one could ask for one sample of a
 * thousand, or accept any number that fails. Worked out again by the plan as it stands or once stood, from the goods that
 * came; how strictly the lot is sampled is the station's word, which may know other lots.
 */
export function samplingFault(pushed: Pushed): string | undefined {
  if (!pushed.entry.changes.some(({ path }) => path === 'sampling')) return undefined;
  const before = planSamplingOf(
    pushed.isNew ? undefined : pushed.read.value(pushed.entry.subject, 'sampling'),
  );
  const after = planSamplingOf(valueAfter(pushed, 'sampling'));
  if (!after) return 'sampling: what a plan had opened stays so.';
  if (before && !isMore(before, after)) return 'sampling asks for less than before.';
  const lot = valueAfter(pushed, 'inventory_id');
  if (after.lot_size < Math.ceil(receivedInto(pushed.commit, pushed.read, lot)))
    return 'sampling.lot_size is less than what was received.';
  return before || [...plansOf(pushed, after)].some(plan => isBy(pushed, plan, after))
    ? undefined
    : `sampling is not what the inspection plan ${after.plan_id} asks for.`;
}

/** Whether a line's goods would be free of the certificate that they wait for. */
export function isUncertified(old: Fields, now: Fields): boolean {
  const isGiven = typeof now.certificate_number === 'string' && now.certificate_number.trim() !== '';
  return old.is_certificate_missing === true && now.is_certificate_missing !== true && !isGiven;
}

function isMore(before: PlanSampling, after: PlanSampling): boolean {
  return (
    before.plan_id === after.plan_id &&
    before.level === after.level &&
    before.aql === after.aql &&
    after.lot_size >= before.lot_size &&
    after.n >= before.n &&
    isOfTables(after)
  );
}

/** The states of the plan, the newest first. */
function* plansOf({ read, authors }: Pushed, { plan_id: id }: PlanSampling): Generator<Fields> {
  const subject = `inspection-plan:${id}`;
  const names = ['specification_id', 'sampling', 'sampling_level', 'sampling_aql', 'sample_count'];
  yield Object.fromEntries(names.map(name => [name, read.value(subject, name) ?? undefined]));
  yield* authors.statesOf(subject);
}

function isBy(pushed: Pushed, plan: Fields, said: PlanSampling): boolean {
  if ((plan.specification_id ?? null) !== valueAfter(pushed, 'drawing_id')) return false;
  if (plan.sampling === 'fixed')
    return (
      said.level === null && said.ac === 0 && said.n === Math.min(Number(plan.sample_count), said.lot_size)
    );
  const part = `part:${valueAfter(pushed, 'entity_id')}`;
  const states = [
    Object.fromEntries(['sampling_level', 'sampling_aql'].map(name => [name, pushed.read.value(part, name)])),
    ...pushed.authors.statesOf(part),
  ];
  const isSaid = (name: string, given: string, fallback: string) =>
    (plan[name] ?? null) !== null
      ? plan[name] === given
      : states.some(state => (state[name] ?? fallback) === given);
  return (
    isSaid('sampling_level', String(said.level), DEFAULT_LEVEL) &&
    isSaid('sampling_aql', String(said.aql), String(DEFAULT_AQL)) &&
    isOfTables(said)
  );
}

function isOfTables({ lot_size: lotSize, level, aql, severity, n, ac, re }: PlanSampling): boolean {
  if (level === null || aql === null || severity === null) return ac === 0;
  const due = samplingPlan({ lotSize, level, aql, severity });
  return n === due.n && ac === due.ac && re === due.re;
}

/** Items of the lot in the receipts of the commit, as it leaves them. */
function receivedInto(commit: Commit, read: RecordReader, lot: unknown): number {
  return entriesOf(commit, 'receiving-inspection').reduce((sum, { subject, changes }) => {
    const { items } = applyChanges({ items: read.value(subject, 'items') ?? {} }, changes, commit.at);
    const lines = itemsOf({ position: 'order' }, items).filter(line => line.inventory_id === lot);
    return sum + lines.reduce((all, line) => all + Number(line.quantity_accepted ?? 0), 0);
  }, 0);
}
