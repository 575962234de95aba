import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { LabelJob } from '../../shared/contract/desktop-bridge.ts';
import { isUnderWay, useLabelJobs } from './desktop-calls.ts';
import { FaultText } from './label-jobs.tsx';

/** What became of a label that was handed over just now: on its way, printed, or in need of a person. */
export function SentLabel({ job: sent }: { job: LabelJob }) {
  const { t } = useTranslation('desktop');
  const { data: jobs } = useLabelJobs();
  const { to } = sent;
  const job = jobs ? jobs.find(({ id }) => id === sent.id) : sent;
  if (job && !isUnderWay(job)) {
    return (
      <Alert
        color="red"
        variant="light"
        icon={<IconAlertTriangle aria-hidden />}
        title={t(`state.${job.state}`, { to })}
        role="alert"
      >
        <Stack gap="xs">
          <FaultText job={job} />
          <Anchor component={Link} to="/app/setup/desktop" className="cell-link">
            {t('jobs.go')}
          </Anchor>
        </Stack>
      </Alert>
    );
  }
  return (
    <Text role="status" className="typed">
      {t(job ? 'sent.under_way' : 'sent.printed', { to })}
    </Text>
  );
}
