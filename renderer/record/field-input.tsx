import { NumberInput, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Field } from '../../shared/contract/fields.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { isYes } from './field-value.tsx';
import { JsonInput } from './json-input.tsx';
import { ReferenceInput } from './reference-input.tsx';

export interface FieldInputProps {
  field: Field;
  value: unknown;
  onChange: (value: unknown) => void;
  error?: string | undefined;
  isRequired?: boolean;
  isAutoFocused?: boolean;
  /** Stands beside a number. */
  unit?: string | undefined;
  /** The family that an `entity` reference names. */
  entityFamily?: string | undefined;
}

/**
 * The control for a field, by its kind. Values are those of the interface; what is being typed and is no number or date
 * yet is kept as text, so that nothing disappears and the check can name it.
 */
export function FieldInput(props: FieldInputProps) {
  const {
    field,
    value,
    onChange,
    error,
    isRequired = false,
    isAutoFocused = false,
    unit,
    entityFamily,
  } = props;
  const { t } = useTranslation('app');
  const texts = useFamilyTexts();
  const common = {
    label: texts.label(field),
    description: texts.hint(field) || undefined,
    error,
    required: isRequired,
    ...(isAutoFocused && { 'data-autofocus': true }),
  };
  const text = value === null || value === undefined ? '' : String(value);
  switch (field.kind) {
    case 'reference': {
      const family = field.reference === 'entity' ? entityFamily : field.reference;
      if (family === undefined) return null;
      return (
        <ReferenceInput
          family={family}
          label={common.label}
          description={common.description}
          error={error}
          required={isRequired}
          isAutoFocused={isAutoFocused}
          takesScans
          value={text === '' ? null : Number(text)}
          onChange={onChange}
        />
      );
    }
    case 'choice':
      return (
        <Select
          {...common}
          searchable
          clearable={!isRequired}
          clearButtonProps={{ 'aria-label': t('none') }}
          data={(field.choices ?? []).map(choice => ({ value: choice, label: texts.choice(choice) }))}
          value={text === '' ? null : text}
          onChange={onChange}
        />
      );
    case 'boolean':
      return (
        <Select
          {...common}
          clearable={!isRequired}
          clearButtonProps={{ 'aria-label': t('none') }}
          data={[
            { value: '1', label: t('yes') },
            { value: '0', label: t('no') },
          ]}
          value={text === '' ? null : isYes(value) ? '1' : '0'}
          onChange={next => onChange(next === null ? null : next === '1')}
        />
      );
    case 'integer':
    case 'number':
      return (
        <NumberInput
          {...common}
          value={text}
          onChange={next => onChange(next === '' ? null : next)}
          allowDecimal={field.kind === 'number'}
          decimalSeparator="."
          allowedDecimalSeparators={[',', '.']}
          hideControls
          inputMode="decimal"
          rightSection={unit}
          rightSectionWidth={unit ? 80 : undefined}
        />
      );
    case 'date':
      return (
        <TextInput
          {...common}
          type="date"
          value={text}
          onChange={event => onChange(event.currentTarget.value || null)}
        />
      );
    case 'timestamp':
      return (
        <TextInput
          {...common}
          type="datetime-local"
          value={localMoment(text)}
          onChange={event =>
            onChange(event.currentTarget.value ? new Date(event.currentTarget.value).toISOString() : null)
          }
        />
      );
    case 'long-text':
      return (
        <Textarea
          {...common}
          autosize
          minRows={2}
          value={text}
          onChange={event => onChange(event.currentTarget.value)}
        />
      );
    case 'text-list':
      return (
        <TagsInput {...common} value={Array.isArray(value) ? value.map(String) : []} onChange={onChange} />
      );
    case 'json':
      return <JsonInput {...common} field={field} value={value} onChange={onChange} />;
    default:
      return <TextInput {...common} value={text} onChange={event => onChange(event.currentTarget.value)} />;
  }
}

/** An ISO moment as `datetime-local` wants it: this machine's time, to the minute. */
function localMoment(value: string): string {
  const date = new Date(value.includes('T') || value === '' ? value : `${value.replace(' ', 'T')}Z`);
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
