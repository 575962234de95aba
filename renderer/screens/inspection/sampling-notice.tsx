import { Alert, Anchor, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Sampling } from '../../../shared/operations/sampling-operations.ts';
import { useFormats } from '../../i18n/formats.ts';

export interface SamplingNoticeProps {
  sampling: Sampling;
  /** Leads to the lots and decisions that made it so; not from where they stand. */
  leadsOn?: boolean;
}

/** How many to inspect, how many may be bad, and why, in sentences. */
export function SamplingNotice({ sampling, leadsOn = true }: SamplingNoticeProps) {
  const { t } = useTranslation('inspection');
  const { plan, state } = sampling;
  return (
    <Alert
      variant="light"
      color={state.is_discontinued ? 'red' : 'blue'}
      icon={state.is_discontinued ? <IconAlertTriangle aria-hidden /> : <IconInfoCircle aria-hidden />}
      title={t('plan', { n: plan.n, ac: plan.ac, re: plan.re, severity: t(`severity.${plan.severity}`) })}
    >
      <Stack gap="xs">
        {state.is_discontinued && <Text fw={700}>{t('plan.discontinued')}</Text>}
        <SamplingReasons sampling={sampling} />
        {state.is_reduced_possible && <Text>{t('plan.reduced-possible')}</Text>}
        {leadsOn && (
          <Anchor component={Link} to={samplingPath(sampling)} className="cell-link">
            {t('sampling.all')}
          </Anchor>
        )}
      </Stack>
    </Alert>
  );
}

/** Where the lots and decisions behind a plan stand. */
export function samplingPath({ part_id, supplier_id, plan }: Sampling): string {
  const supplier = supplier_id === null ? '' : `&supplier=${supplier_id}`;
  return `/app/inspection/sampling?part=${part_id}${supplier}&size=${plan.lot_size}`;
}

/** Each step that led to the plan, in order: the tables', and the switching rules'. */
function SamplingReasons({ sampling }: { sampling: Sampling }) {
  const { t } = useTranslation('inspection');
  const formats = useFormats();
  const { plan, state, history, level_from, aql_from } = sampling;
  const change = state.steps.at(-1);
  const lots = change?.lots.map(place => history[place]?.label ?? '').filter(Boolean) ?? [];
  return (
    <List className="typed">
      <List.Item>
        {t(`origin.level.${level_from}`, { level: plan.level })}{' '}
        {t(`origin.aql.${aql_from}`, { aql: formats.number(plan.aql) })}
      </List.Item>
      {plan.steps.map(({ rule, values }) => (
        <List.Item key={rule}>
          {t(rule === 'letter' && values.to === null ? 'step.letter.open' : `step.${rule}`, {
            ...values,
            aql: formats.number(plan.aql),
          })}
        </List.Item>
      ))}
      <List.Item>
        {t('rule.now', {
          severity: t(`severity.${state.severity}`),
          rule: t(`rule.${change?.rule ?? 'start'}`),
        })}
        {lots.length > 0 && ` ${t('rule.lots', { lots: formats.list(lots) })}`}
        {change && ` (ISO 2859-1, ${change.clause})`}
        {state.severity === 'normal' && ` ${t('rule.score', { score: state.switching_score })}`}
      </List.Item>
    </List>
  );
}
