import { Button, SimpleGrid } from '@mantine/core';
import { IconBackspace } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

export interface PinPadProps {
  onDigit: (digit: string) => void;
  onBack: () => void;
  /** What the key that submits says. */
  submit: string;
  isBusy: boolean;
}

/** Digits for fingers in gloves. Whoever has a keyboard types: none of them takes the focus. */
export function PinPad({ onDigit, onBack, submit, isBusy }: PinPadProps) {
  const { t } = useTranslation('session');
  const key = { size: 'xl', h: 64, variant: 'default', tabIndex: -1 } as const;
  const keepFocus = { onPointerDown: (event: { preventDefault: () => void }) => event.preventDefault() };
  return (
    <SimpleGrid cols={3} spacing="xs" role="group" aria-label={t('pad')}>
      {DIGITS.map(digit => (
        <Button key={digit} {...key} {...keepFocus} onClick={() => onDigit(digit)}>
          {digit}
        </Button>
      ))}
      <Button {...key} {...keepFocus} aria-label={t('pad.back')} onClick={onBack}>
        <IconBackspace aria-hidden />
      </Button>
      <Button {...key} {...keepFocus} onClick={() => onDigit('0')}>
        0
      </Button>
      <Button size="xl" h={64} type="submit" loading={isBusy} {...keepFocus}>
        {submit}
      </Button>
    </SimpleGrid>
  );
}
