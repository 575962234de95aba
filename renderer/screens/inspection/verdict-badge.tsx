import { Badge } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconHourglass, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

const kinds = {
  passed: { color: 'green.9', icon: IconCheck },
  failed: { color: 'red.9', icon: IconX },
  open: { color: 'gray.7', icon: IconHourglass },
  against: { color: 'yellow.9', icon: IconAlertTriangle },
} as const;

export type VerdictKind = keyof typeof kinds;

interface VerdictBadgeProps {
  kind: VerdictKind;
  size?: 'lg' | 'xl';
  /** In place of the kind's own word. */
  word?: string;
}

/** A verdict by shape, text and colour. */
export function VerdictBadge({ kind, size = 'lg', word }: VerdictBadgeProps) {
  const { t } = useTranslation('inspection');
  const { color, icon: Icon } = kinds[kind];
  return (
    <Badge
      color={color}
      size={size}
      leftSection={<Icon size={16} aria-hidden />}
      styles={{ root: { textTransform: 'none', minWidth: 'max-content' }, label: { overflow: 'visible' } }}
    >
      {word ?? t(`badge.${kind}`)}
    </Badge>
  );
}

/** Of an inspection's `passed`; null or absent: nobody has decided. */
export function verdictKind(passed: unknown): VerdictKind {
  if (typeof passed !== 'boolean') return 'open';
  return passed ? 'passed' : 'failed';
}
