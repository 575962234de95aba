import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TrendName } from '../../../shared/operations/figure-schemas.ts';

const families = ['inspection', 'lab-result'] as const;

/** What of the part can be shown: characteristics of its inspections, measurements of its lab results. */
export function CharacteristicSelect(props: {
  names: readonly TrendName[];
  chosen: ChosenTrend | null;
  onChoose: (chosen: ChosenTrend) => void;
}) {
  const { names, chosen, onChoose } = props;
  const { t } = useTranslation('charts');
  return (
    <Select
      label={t('characteristic')}
      data={families.flatMap(family => {
        const items = names
          .filter(each => each.family === family)
          .map(each => ({
            value: optionOf(each),
            label: `${each.name} · ${t('records', { count: each.records })}`,
          }));
        return items.length > 0 ? [{ group: t(`characteristic.${family}`), items }] : [];
      })}
      value={chosen && optionOf(chosen)}
      allowDeselect={false}
      searchable
      maxDropdownHeight="50vh"
      onChange={value => {
        const name = names.find(each => optionOf(each) === value);
        if (name) onChoose(name);
      }}
    />
  );
}

function optionOf({ family, name }: ChosenTrend): string {
  return `${family} ${name}`;
}

export type ChosenTrend = Pick<TrendName, 'family' | 'name'>;
