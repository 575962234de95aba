import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type GaugeDetail, gaugeDetail } from '../../ui/scan/gauge.ts';
import { GaugeNote } from '../../ui/scan/gauge-note.tsx';
import type { Characteristic } from '../inspection/grid-model.ts';
import { useAskedText } from '../inspection/limits-text.ts';
import { JudgementMark } from './judgement-mark.tsx';
import { readLab } from './lab-measurement.ts';

export interface MeasurementInputsProps {
  characteristics: readonly Characteristic[];
  /** As typed, by the characteristic's name. */
  values: Record<string, string>;
  onChange: (name: string, text: string) => void;
}

/** A field for each measurement. Enter and a balance's reading lead to the next one; from the last one Enter saves. */
export function MeasurementInputs({ characteristics, values, onChange }: MeasurementInputsProps) {
  const { t } = useTranslation('lab');
  const askedText = useAskedText(t('limits.none'));
  const inputs = useRef(new Map<number, HTMLInputElement>());
  const goOn = (from: number): boolean => {
    const next = inputs.current.get(from + 1);
    next?.focus();
    next?.select();
    return next !== undefined;
  };
  return characteristics.map((characteristic, index) => {
    const { id, name, limits, unit } = characteristic;
    return (
      <GaugeInput
        key={id}
        label={name}
        description={askedText(characteristic)}
        unit={unit}
        value={values[name] ?? ''}
        onType={text => onChange(name, text)}
        onReading={() => goOn(index)}
        onKeyDown={event => {
          if (event.key === 'Enter' && goOn(index)) event.preventDefault();
        }}
        inputRef={element => {
          if (element) inputs.current.set(index, element);
          else inputs.current.delete(index);
        }}
        says={<JudgementMark limits={limits} value={readLab(values[name] ?? '')} />}
      />
    );
  });
}

interface GaugeInputProps {
  label: string;
  description: string;
  unit: string | null;
  value: string;
  onType: (text: string) => void;
  onReading: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  inputRef: (element: HTMLInputElement | null) => void;
  says: React.ReactNode;
}

function GaugeInput(props: GaugeInputProps) {
  const { label, description, unit, value, onType, onReading, onKeyDown, inputRef, says } = props;
  const element = useRef<HTMLInputElement>(null);
  const latest = useRef(onReading);
  const [reading, setReading] = useState<GaugeDetail | null>(null);
  latest.current = onReading;
  useLayoutEffect(() => {
    const input = element.current;
    const listen = (event: Event) => {
      const detail = gaugeDetail(event);
      setReading(detail);
      if (detail?.value !== null) latest.current();
    };
    input?.addEventListener('gauge', listen);
    return () => input?.removeEventListener('gauge', listen);
  }, []);
  return (
    <div>
      <TextInput
        ref={input => {
          element.current = input;
          inputRef(input);
        }}
        label={label}
        description={description}
        value={value}
        onChange={event => onType(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        data-gauge=""
        data-unit={unit ?? undefined}
        inputMode="decimal"
        autoComplete="off"
        spellCheck={false}
      />
      <GaugeNote detail={reading} />
      {says}
    </div>
  );
}
