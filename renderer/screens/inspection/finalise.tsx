import { List, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppError } from '../../../shared/contract/errors.ts';
import { inspection } from '../../../shared/families/inspection.ts';
import type { PlanSampling } from '../../../shared/families/plan-sampling.ts';
import { useWrite } from '../../api/calls.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { ReasonInput, useRememberReason } from '../../ui/reason/reason-input.tsx';
import { changeOf, SigningField, useSigning } from '../../ui/signing/signing.tsx';
import { useCounts } from './counts-bar.tsx';
import { isFailing } from './grid-model.ts';
import type { Cells } from './use-cells.ts';

export interface FinaliseProps {
  id: number;
  cells: Cells;
  /** Of the sampling plan. */
  numbers: Pick<PlanSampling, 'n' | 'ac' | 're'> | undefined;
  /** Of the inspection plan that opened it, which the verdict follows. */
  planned: PlanSampling | undefined;
  onClose: () => void;
}

/** The inspector's word. What the measurements say stands beside it; against them it needs a reason, and is flagged. */
export function Finalise({ id, cells, numbers, planned, onClose }: FinaliseProps) {
  const { t } = useTranslation('inspection');
  const { mutateAsync } = useWrite('inspections.update');
  const counts = useCounts(cells);
  const [verdict, setVerdict] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const fields = verdict === null ? {} : { passed: verdict === 'passed' };
  const signing = useSigning(changeOf(inspection, {}, fields));
  const remember = useRememberReason();
  const says = measuredVerdict(cells, planned);
  const isUnfinished = planned !== undefined && says === false && counts.failingSamples <= planned.ac;
  const isAgainst = verdict !== null && says !== null && (verdict === 'passed') !== says;
  // Against the measurements only one's own words say why.
  const kind = signing.needsReason && says !== null && !isAgainst ? 'finalising' : 'judging';

  const finalise = async () => {
    if (verdict === null) throw new AppError('validation_failed', t('finalise.choose'));
    if (isAgainst && reason.trim() === '') {
      const message = t('against.reason');
      throw new AppError('validation_failed', message, { errors: { reason: [message] } });
    }
    if (cells.store.due().length > 0) {
      cells.ask(true);
      throw new AppError('validation_failed', t('correct.first'));
    }
    await cells.saver.flush();
    const body = {
      passed: verdict === 'passed',
      reason: reason.trim() || null,
      ...signing.bodyOf(reason.trim()),
    };
    await mutateAsync({ params: { id }, body });
    remember(kind, reason);
  };

  return (
    <ActionForm title={t('finalise')} submit={t('finalise.do')} onSubmit={finalise} onClose={onClose}>
      {errors => (
        <>
          <Stack gap="xs" style={{ gridColumn: '1 / -1' }}>
            <List>
              {counts.missing > 0 && (
                <List.Item>{t('finalise.missing', { count: counts.missing })}</List.Item>
              )}
              {counts.unreadable > 0 && (
                <List.Item>{t('finalise.unreadable', { count: counts.unreadable })}</List.Item>
              )}
              {counts.unjudged > 0 && (
                <List.Item>{t('finalise.unjudged', { count: counts.unjudged })}</List.Item>
              )}
              <List.Item>
                {t('count.failing', { count: counts.failingSamples })}
                {numbers && `. ${t('plan.numbers', { n: numbers.n, ac: numbers.ac, re: numbers.re })}`}
              </List.Item>
              {says !== null && (
                <List.Item>
                  {t(
                    isUnfinished
                      ? 'finalise.says.unfinished'
                      : `finalise.says.${wordFor(says, planned !== undefined)}`,
                  )}
                </List.Item>
              )}
            </List>
          </Stack>
          <Radio.Group label={t('verdict')} value={verdict} onChange={setVerdict} required>
            <Radio value="passed" label={t('badge.passed')} data-autofocus />
            <Radio value="failed" label={t('badge.failed')} />
          </Radio.Group>
          <ReasonInput
            kind={kind}
            label={t('reason:reason')}
            description={isAgainst ? t('against') : t('reason.hint')}
            value={reason}
            onChange={setReason}
            error={errors('reason') ?? errors('esignature_reason')}
            isDue={isAgainst || signing.needsReason}
          />
          <SigningField signing={signing} error={errors('esignature_password')} />
          {isAgainst && (
            <Text fw={700} role="status" style={{ gridColumn: '1 / -1' }}>
              {t('against')}
            </Text>
          )}
        </>
      )}
    </ActionForm>
  );
}

/** As the station flags a verdict: by what is required of each sample, and by the plan; null where nothing is required. */
function measuredVerdict({ store }: Cells, planned: PlanSampling | undefined): boolean | null {
  const required = store.characteristics.filter(({ isOptional }) => !isOptional);
  if (required.length === 0) return null;
  const rows = store.rows().map(({ id }) => required.map(each => store.get(id, each.id).verdict));
  const failing = rows.filter(verdicts => verdicts.some(isFailing)).length;
  const passing = rows.filter(verdicts => verdicts.every(verdict => verdict === 'pass')).length;
  const isWhole = rows.length >= (planned?.n ?? 0) && failing + passing === rows.length;
  return isWhole && failing <= (planned?.ac ?? 0);
}

/** Of a lot that is sampled by a plan, a sample that fails is not yet the lot's. */
function wordFor(says: boolean, isPlanned: boolean): string {
  if (isPlanned) return says ? 'accept' : 'reject';
  return says ? 'pass' : 'fail';
}
