import { Button, NumberInput, type NumberInputProps, SimpleGrid, Stack } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { IconBackspace } from '@tabler/icons-react';
import {
  type PointerEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { afterKey, type PadKey, padKeys } from './pad-value.ts';

type QuantityInputProps = Omit<NumberInputProps, 'value' | 'onChange' | 'label' | 'ref'> & {
  label: string;
  value: string | number;
  onChange: (value: string | number) => void;
  ref?: Ref<HTMLInputElement>;
};

/**
 * How much: typed, or by a pad of large keys that a touch opens below the field, in place of the keyboard of the screen. It
 * covers nothing, and its keys leave the caret where it is.
 */
export function QuantityInput(props: QuantityInputProps) {
  const { label, value, onChange, onBlur, allowDecimal = true, ref = null, ...rest } = props;
  const input = useRef<HTMLInputElement>(null);
  const merged = useMergedRef(input, ref);
  const [isOpen, setIsOpen] = useState(false);
  const isFresh = useRef(true);
  // The keyboard of the screen would cover the pad; the control itself sets the attribute as it is first drawn.
  useLayoutEffect(() => {
    input.current?.setAttribute('inputmode', isOpen ? 'none' : 'decimal');
  }, [isOpen]);
  const press = (key: PadKey) => {
    onChange(afterKey(String(value), key, isFresh.current));
    isFresh.current = false;
  };
  return (
    <Stack gap="xs" className="quantity-field">
      <NumberInput
        hideControls
        allowedDecimalSeparators={[',', '.']}
        {...rest}
        ref={merged}
        label={label}
        value={value}
        onChange={onChange}
        allowDecimal={allowDecimal}
        onPointerDown={({ pointerType }: PointerEvent) => {
          if (pointerType !== 'touch') return;
          isFresh.current = true;
          setIsOpen(true);
        }}
        onBlur={event => {
          setIsOpen(false);
          onBlur?.(event);
        }}
      />
      {isOpen && (
        <NumberPad label={label} hasPoint={allowDecimal} onKey={press} onDone={() => setIsOpen(false)} />
      )}
    </Stack>
  );
}

interface NumberPadProps {
  label: string;
  hasPoint: boolean;
  onKey: (key: PadKey) => void;
  onDone: () => void;
}

/** Keys for fingers in gloves. Whoever has a keyboard types: none of them takes the focus. */
function NumberPad({ label, hasPoint, onKey, onDone }: NumberPadProps) {
  const { t, i18n } = useTranslation('pad');
  const pad = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void pad.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const key = { size: 'xl', h: 64, variant: 'default', tabIndex: -1 } as const;
  const keepFocus = { onPointerDown: (event: PointerEvent) => event.preventDefault() };
  const point = new Intl.NumberFormat(i18n.language).format(1.5).charAt(1);
  const says: Partial<Record<PadKey, ReactNode>> = { '.': point, back: <IconBackspace aria-hidden /> };
  const names: Partial<Record<PadKey, string>> = { '.': t('point'), back: t('back') };
  return (
    <SimpleGrid ref={pad} cols={3} spacing="xs" role="group" aria-label={t('title', { label })}>
      {padKeys.map(each => (
        <Button
          key={each}
          {...key}
          {...keepFocus}
          disabled={each === '.' && !hasPoint}
          aria-label={names[each]}
          onClick={() => onKey(each)}
        >
          {says[each] ?? each}
        </Button>
      ))}
      <Button {...key} {...keepFocus} style={{ gridColumn: '1 / -1' }} onClick={onDone}>
        {t('done')}
      </Button>
    </SimpleGrid>
  );
}
