import { Badge } from '@mantine/core';
import { IconArrowNarrowDown, IconArrowNarrowUp, IconHandStop, IconMinus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Severity } from '../../../shared/sampling/sampling-tables.ts';

const icons: Record<Severity, typeof IconMinus> = {
  normal: IconMinus,
  tightened: IconArrowNarrowUp,
  reduced: IconArrowNarrowDown,
};

/** How strictly lots are sampled, by shape and text. */
export function SeverityMark(props: { severity: Severity; isDiscontinued?: boolean }) {
  const { severity, isDiscontinued = false } = props;
  const { t } = useTranslation('inspection');
  const Icon = isDiscontinued ? IconHandStop : icons[severity];
  return (
    <Badge
      size="lg"
      variant={isDiscontinued ? 'filled' : 'outline'}
      color={isDiscontinued ? 'red.9' : 'gray'}
      leftSection={<Icon size={18} aria-hidden />}
      styles={{ root: { textTransform: 'none', minWidth: 'max-content' }, label: { overflow: 'visible' } }}
    >
      {t(isDiscontinued ? 'now.discontinued' : `mark.${severity}`)}
    </Badge>
  );
}
