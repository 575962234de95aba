import { Alert, Anchor, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { PlanSampling } from '../../../shared/families/plan-sampling.ts';
import { useTitles } from '../../api/titles.ts';
import { useFormats } from '../../i18n/formats.ts';
import { recordPath } from '../../ui/record-path.ts';

/** How the inspection plan that opened the inspection samples the lot, as it was kept then. */
export function PlannedNotice({ sampling }: { sampling: PlanSampling }) {
  const { t } = useTranslation('inspection');
  const formats = useFormats();
  const titleOf = useTitles([`inspection-plan:${sampling.plan_id}`]);
  const { n, ac, re, lot_size: size, level, aql, severity } = sampling;
  return (
    <Alert variant="light" icon={<IconInfoCircle aria-hidden />} title={t('planned', { n, ac, re })}>
      <Anchor component={Link} to={recordPath('inspection-plan', sampling.plan_id)} className="cell-link">
        {titleOf('inspection-plan', sampling.plan_id) ?? t('planned.plan', { id: sampling.plan_id })}
      </Anchor>
      <Text>
        {severity === null
          ? t('planned.fixed', { size: formats.number(size) })
          : t('planned.by', {
              size: formats.number(size),
              level,
              aql: formats.number(aql),
              severity: t(`severity.${severity}`),
            })}
      </Text>
    </Alert>
  );
}
