import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCloudCheck,
  IconCloudOff,
  IconCloudUp,
  IconDeviceDesktopCheck,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { SyncState } from '../../shared/exchange-operations.ts';
import { useCall } from '../api/calls.ts';

export const syncIcons: Record<SyncState['state'], typeof IconCloudOff> = {
  alone: IconDeviceDesktopCheck,
  in_step: IconCloudCheck,
  exchanging: IconCloudUp,
  behind: IconCloudUp,
  offline: IconCloudOff,
  refused: IconAlertTriangle,
  outdated: IconAlertTriangle,
  differs: IconAlertTriangle,
  stuck: IconAlertTriangle,
};

/** How it stands with sending, in words, at a glance. Saving is local, and done before this is asked. */
export function SyncBadge() {
  const { t } = useTranslation('sync');
  const { data } = useCall<SyncState>('x.sync.read');
  if (!data) return null;
  const { state, unsent } = data.data;
  const Icon = syncIcons[state];
  const isTrouble = Icon === IconAlertTriangle;
  return (
    <Button
      component={Link}
      to="/app/sync"
      variant={isTrouble ? 'filled' : 'default'}
      {...(isTrouble && { color: 'red' })}
      leftSection={<Icon aria-hidden />}
      visibleFrom="sm"
    >
      {t(unsent > 0 && !isTrouble ? 'badge.unsent' : `badge.${state}`, { count: unsent })}
    </Button>
  );
}
