import { Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../shared/contract/define-family.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { ReferenceInput } from './reference-input.tsx';

export interface RecordFiltersProps {
  family: Family;
  except: readonly string[];
  values: Record<string, string>;
  onChange: (name: string, value: string) => void;
}

/** What a family's list can be narrowed by, as its contract says. */
export function RecordFilters({ family, except, values, onChange }: RecordFiltersProps) {
  const { t } = useTranslation('app');
  const texts = useFamilyTexts();
  return Object.keys(family.filters)
    .filter(name => !except.includes(name))
    .map(name => {
      const field = family.fields[name];
      if (!field) return null;
      const label = texts.label(field);
      const value = values[name] ?? '';
      if (field.reference && field.reference !== 'entity') {
        return (
          <ReferenceInput
            key={name}
            family={field.reference}
            label={label}
            value={value === '' ? null : Number(value)}
            onChange={id => onChange(name, id === null ? '' : String(id))}
          />
        );
      }
      if (field.choices || field.kind === 'boolean') {
        const choices = field.choices ?? ['1', '0'];
        return (
          <Select
            key={name}
            label={label}
            clearable
            clearButtonProps={{ 'aria-label': t('none') }}
            data={choices.map(choice => ({
              value: choice,
              label: field.choices ? texts.choice(choice) : t(choice === '1' ? 'yes' : 'no'),
            }))}
            value={value === '' ? null : value}
            onChange={next => onChange(name, next ?? '')}
          />
        );
      }
      return (
        <TextInput
          key={name}
          label={label}
          defaultValue={value}
          onKeyDown={event => {
            if (event.key === 'Enter') onChange(name, event.currentTarget.value);
          }}
          onBlur={event => {
            if (event.currentTarget.value !== value) onChange(name, event.currentTarget.value);
          }}
        />
      );
    });
}
