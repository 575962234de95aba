import { IconAlertTriangle, IconCheck, IconHourglass } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { today } from '../../ui/today.ts';

const looks = {
  open: { color: 'gray.7', icon: IconHourglass },
  late: { color: 'red.9', icon: IconAlertTriangle },
  shipped: { color: 'green.9', icon: IconCheck },
} as const;

/** @param requested the day on which it is wanted @param shipped the day on which it went, as `YYYY-MM-DD` both */
export function shipmentStatus(requested: unknown, shipped: unknown, day = today()): keyof typeof looks {
  if (typeof shipped === 'string') return 'shipped';
  return typeof requested === 'string' && requested < day ? 'late' : 'open';
}

interface ShipmentStatusProps {
  status: keyof typeof looks;
  size?: 'lg' | 'xl';
  /** In place of the status's own word. */
  word?: string;
}

/** How a shipment stands, by word, sign and colour. */
export function ShipmentStatus({ status, size = 'lg', word }: ShipmentStatusProps) {
  const { t } = useTranslation('shipping');
  return <StatusBadge look={looks[status]} word={word ?? t(`status.${status}`)} size={size} />;
}
