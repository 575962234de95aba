import { Button } from '@mantine/core';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isUnderWay, useLabelJobs, useUpdates } from './desktop-calls.ts';

/** What the desktop app has to say: labels that were not printed, an update that waits. Silent else, and in a browser. */
export function DesktopBadge() {
  const { t } = useTranslation('desktop');
  const { data: jobs = [] } = useLabelJobs();
  const { data: report } = useUpdates();
  const stuck = jobs.filter(job => !isUnderWay(job)).length;
  const isReady = report?.state.kind === 'ready';
  return (
    <div role="status">
      {(stuck > 0 || isReady) && (
        <Button
          component={Link}
          to="/app/setup/desktop"
          variant={stuck > 0 ? 'filled' : 'default'}
          {...(stuck > 0 && { color: 'red' })}
          leftSection={stuck > 0 ? <IconAlertTriangle aria-hidden /> : <IconDownload aria-hidden />}
        >
          {stuck > 0 ? t('badge.labels', { count: stuck }) : t('badge.update')}
        </Button>
      )}
    </div>
  );
}
