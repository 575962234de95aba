import { ActionIcon, Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCloudCheck,
  IconCloudOff,
  IconCloudUp,
  IconDeviceDesktopCheck,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { SyncState } from '../../../shared/operations/exchange-operations.ts';
import { useCall } from '../../api/calls.ts';

export const syncIcons: Record<SyncState['state'], typeof IconCloudOff> = {
  alone: IconDeviceDesktopCheck,
  in_step: IconCloudCheck,
  exchanging: IconCloudUp,
  behind: IconCloudUp,
  offline: IconCloudOff,
  refused: IconAlertTriangle,
  outdated: IconAlertTriangle,
  differs: IconAlertTriangle,
  doubled: IconAlertTriangle,
  stuck: IconAlertTriangle,
  slowed: IconCloudUp,
};

/** How it stands with sending, in words, at a glance. Saving is local, and done before this is asked. */
export function SyncBadge() {
  const { t } = useTranslation('sync');
  const { data } = useCall('x.sync.read');
  if (!data) return null;
  const { state, unsent, line } = data.data;
  const Icon = syncIcons[state];
  const isTrouble = Icon === IconAlertTriangle;
  const isWaiting = unsent > 0 && !isTrouble && state !== 'slowed';
  const waiting = state === 'exchanging' && line?.is_slow ? 'badge.slow' : 'badge.unsent';
  const says = t(isWaiting ? waiting : `badge.${state}`, { count: unsent });
  const look = { variant: isTrouble ? 'filled' : 'default', ...(isTrouble && { color: 'red' }) };
  return (
    <>
      <Button component={Link} to="/app/sync" {...look} leftSection={<Icon aria-hidden />} visibleFrom="sm">
        {says}
      </Button>
      <ActionIcon component={Link} to="/app/sync" {...look} aria-label={says} title={says} hiddenFrom="sm">
        <Icon aria-hidden />
      </ActionIcon>
    </>
  );
}
