import { Badge } from '@mantine/core';
import { IconAlertOctagon, IconCheck, IconClockExclamation, IconLock, IconMinus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { LotState } from '../../../shared/operations/extension-schemas.ts';

/** What people need to know of a lot first of all. */
export type LotStatusName = 'locked' | 'expired' | 'empty' | 'expiring' | 'free';

const looks = {
  locked: { color: 'red.9', icon: IconLock },
  expired: { color: 'red.9', icon: IconAlertOctagon },
  empty: { color: 'gray.7', icon: IconMinus },
  expiring: { color: 'yellow.9', icon: IconClockExclamation },
  free: { color: 'green.9', icon: IconCheck },
} as const;

/** One word for a lot: nothing of it is there, or what keeps it from going, before that it may go. */
export function statusOf(
  { locks, is_expired: isExpired, locations }: Pick<LotState, 'locks' | 'is_expired' | 'locations'>,
  isExpiringSoon: boolean,
): LotStatusName {
  if (locations.length === 0) return 'empty';
  if (locks.length > 0) return 'locked';
  if (isExpired) return 'expired';
  return isExpiringSoon ? 'expiring' : 'free';
}

/** The status word of a lot, with its sign and colour. */
export function LotStatus({ status }: { status: LotStatusName }) {
  const { t } = useTranslation('stock');
  const { color, icon: Icon } = looks[status];
  return (
    // The word is what people look for: a narrow column makes room for it.
    <Badge color={color} size="lg" miw="max-content" px={8} leftSection={<Icon size={16} aria-hidden />}>
      {t(`status.${status}`)}
    </Badge>
  );
}
