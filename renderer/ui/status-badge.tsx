import { Badge, type BadgeProps } from '@mantine/core';
import type { IconCheck } from '@tabler/icons-react';

export interface StatusLook {
  color: string;
  icon: typeof IconCheck;
}

interface StatusBadgeProps extends Pick<BadgeProps, 'px'> {
  look: StatusLook;
  word: string;
  /** `xl` beside the title of a page. */
  size?: 'lg' | 'xl';
}

/** How something stands, by word, sign and colour. The word is what people look for: a narrow column makes room for it. */
export function StatusBadge({ look: { color, icon: Icon }, word, size = 'lg', ...space }: StatusBadgeProps) {
  return (
    <Badge
      color={color}
      size={size}
      miw="max-content"
      {...space}
      leftSection={<Icon size={size === 'xl' ? 18 : 16} aria-hidden />}
    >
      {word}
    </Badge>
  );
}
