import { Button, Group } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../../shared/contract/define-family.ts';
import { listedField } from '../../../shared/contract/list-fields.ts';
import { useTitles } from '../../api/titles.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { useFormats } from '../../i18n/formats.ts';
import type { Condition } from './list-address.ts';

interface FilterChipsProps {
  family: Family;
  conditions: readonly Condition[];
  onRemove: (names: readonly string[]) => void;
}

/** What a list is narrowed by, in words, each to be taken out. */
export function FilterChips({ family, conditions, onRemove }: FilterChipsProps) {
  const { t } = useTranslation('record');
  const words = useConditionWords(family, conditions);
  if (conditions.length === 0) return null;
  return (
    <Group gap="xs" component="ul" className="plain-list" aria-label={t('filter.active')}>
      {conditions.map(condition => (
        <li key={condition.name}>
          <Button
            variant="light"
            rightSection={<IconX aria-hidden size="1em" />}
            aria-label={t('filter.remove', { condition: words(condition) })}
            onClick={() => onRemove([condition.name])}
          >
            {words(condition)}
          </Button>
        </li>
      ))}
      {conditions.length > 1 && (
        <li>
          <Button variant="subtle" onClick={() => onRemove(conditions.map(({ name }) => name))}>
            {t('filter.remove-all')}
          </Button>
        </li>
      )}
    </Group>
  );
}

function useConditionWords(family: Family, conditions: readonly Condition[]) {
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  const formats = useFormats();
  const targetOf = (field: string) => family.fields[field]?.reference;
  const titleOf = useTitles(
    conditions.flatMap(({ field, operator, value }) => {
      const target = targetOf(field);
      return target && operator !== 'is_null' ? value.split(',').map(id => `${target}:${id}`) : [];
    }),
  );
  const shown = ({ field: name, operator, value }: Condition) => {
    const field = family.fields[name];
    const one = (text: string): string => {
      switch (field?.kind) {
        case 'reference':
          return titleOf(targetOf(name) ?? '', text) ?? text;
        case 'choice':
          return texts.choice(text);
        case 'boolean':
          return t(/^(true|1)$/i.test(text) ? 'app:yes' : 'app:no');
        case 'date':
          return formats.day(text);
        case 'timestamp':
          return formats.moment(text);
        default:
          return text;
      }
    };
    return operator === 'in' ? formats.list(value.split(',').map(one)) : one(value);
  };
  return (condition: Condition): string => {
    const field = listedField(family, condition.field);
    const label = field ? texts.label(field) : condition.field;
    if (condition.operator === 'is_null')
      return t(/^(true|1)$/i.test(condition.value) ? 'filter.is-empty' : 'filter.is-filled', { label });
    return t(`filter.${condition.operator}`, {
      label,
      value: shown(condition),
      defaultValue: `${label} ${condition.operator} ${condition.value}`,
    });
  };
}
