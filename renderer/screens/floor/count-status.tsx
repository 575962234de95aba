import { IconAlertTriangle, IconCheck, IconListNumbers, IconMinus, IconRepeat } from '@tabler/icons-react';
import type { CountStanding } from '../../../shared/contract/count-standing.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { StatusBadge, type StatusLook } from '../../ui/status-badge.tsx';

const looks: Record<CountStanding, StatusLook> = {
  counting: { color: 'blue.9', icon: IconListNumbers },
  recounting: { color: 'blue.9', icon: IconRepeat },
  differs: { color: 'yellow.9', icon: IconAlertTriangle },
  agreed: { color: 'green.9', icon: IconCheck },
  posted: { color: 'green.9', icon: IconCheck },
  withdrawn: { color: 'gray.7', icon: IconMinus },
};

/** How far a count is, by word, sign and colour. */
export function CountStatus({ standing, size = 'lg' }: { standing: CountStanding; size?: 'lg' | 'xl' }) {
  const { choice } = useFamilyTexts();
  return <StatusBadge look={looks[standing]} word={choice(standing)} size={size} />;
}
