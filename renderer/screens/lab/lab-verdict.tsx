import { useTranslation } from 'react-i18next';
import { useWholeRecord } from '../../record/whole-record.ts';
import { characteristicsOf } from '../inspection/grid-model.ts';
import { VerdictBadge } from '../inspection/verdict-badge.tsx';
import { verdictOfLab } from './lab-measurement.ts';

/** Of a row of the list: judged by the limits of its template, which many rows share. */
export function LabVerdict({ row }: { row: Record<string, unknown> }) {
  const { t } = useTranslation('lab');
  const template = Number(row.specification_id) || null;
  const { data } = useWholeRecord('specification', template ?? 0, { isEnabled: template !== null });
  if (!data) return null;
  const limits = new Map(characteristicsOf(data.data.fields).map(each => [each.name, each.limits]));
  const verdict = verdictOfLab(limits, measuredOf(row));
  if (verdict === null) return null;
  if (verdict.kind !== 'partial') return <VerdictBadge kind={verdict.kind} />;
  return <VerdictBadge kind="open" word={t('verdict.partial', { ...verdict })} />;
}

/** The documented answer has numbers and values beyond a limit of quantification apart. */
function measuredOf({ lab_data, lab_data_qualified }: Record<string, unknown>): Record<string, unknown> {
  return { ...toObject(lab_data), ...toObject(lab_data_qualified) };
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
