import { Badge } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCheck,
  IconListNumbers,
  type IconLock,
  IconMinus,
  IconRepeat,
} from '@tabler/icons-react';
import type { CountStanding } from '../../../shared/contract/count-standing.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';

const looks: Record<CountStanding, { color: string; icon: typeof IconLock }> = {
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
  const { color, icon: Icon } = looks[standing];
  return (
    <Badge color={color} size={size} miw="max-content" leftSection={<Icon size={16} aria-hidden />}>
      {choice(standing)}
    </Badge>
  );
}
