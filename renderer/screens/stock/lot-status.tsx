import { IconAlertOctagon, IconCheck, IconClockExclamation, IconLock, IconMinus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { LotState } from '../../../shared/operations/extension-schemas.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';

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
  return <StatusBadge look={looks[status]} word={t(`status.${status}`)} px={8} />;
}
