import { useWholeRecord } from '../../record/whole-record.ts';
import { characteristicsOf, isFailing } from '../inspection/grid-model.ts';
import { VerdictBadge } from '../inspection/verdict-badge.tsx';
import { judgeLab, readLab } from './lab-measurement.ts';

/** Of a row of the list: judged by the limits of its template, which many rows share. */
export function LabVerdict({ row }: { row: Record<string, unknown> }) {
  const template = Number(row.specification_id) || null;
  const { data } = useWholeRecord('specification', template ?? 0, { isEnabled: template !== null });
  if (!data) return null;
  const limits = new Map(characteristicsOf(data.data.fields).map(each => [each.name, each.limits]));
  const judgements = Object.entries(measuredOf(row)).map(([name, value]) =>
    judgeLab(limits.get(name) ?? null, readLab(String(value))),
  );
  if (judgements.every(each => each === 'unjudged')) return null;
  const fails = judgements.some(each => each !== 'within' && isFailing(each));
  return <VerdictBadge kind={fails ? 'failed' : 'passed'} />;
}

/** The documented answer has numbers and values beyond a limit of quantification apart. */
function measuredOf({ lab_data, lab_data_qualified }: Record<string, unknown>): Record<string, unknown> {
  return { ...toObject(lab_data), ...toObject(lab_data_qualified) };
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
