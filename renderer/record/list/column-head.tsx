import { Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../../shared/contract/define-family.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { isNumeric } from '../field-value.tsx';
import { nextSort, sortable, wayOf } from './list-address.ts';

interface ColumnHeadProps {
  family: Family;
  /** The field that it shows, and that the list is put in order by. */
  name: string;
  /** Of a column that shows more than the field. */
  label?: string;
  /** As in the address: `-due_date`. */
  sort: string;
  onSort: (sort: string) => void;
}

const ICONS = { ascending: IconArrowUp, descending: IconArrowDown, none: undefined };

/** The head of a column; where the list can be put in its order, a button that does. */
export function ColumnHead({ family, name, label: given, sort, onSort }: ColumnHeadProps) {
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  const field = family.fields[name];
  const label = given ?? (field ? texts.label(field) : name);
  // The list says of what: its number is enough.
  const short = given ?? t(`column.${field?.label}`, { defaultValue: label, nsSeparator: false });
  const align = field && isNumeric(field) ? 'right' : 'left';
  if (!sortable(family, name)) {
    return (
      <Table.Th ta={align} title={label}>
        {short}
      </Table.Th>
    );
  }
  const way = wayOf(sort, name) ?? 'none';
  const Icon = ICONS[way];
  return (
    <Table.Th ta={align} aria-sort={way} p={0}>
      <UnstyledButton
        className="column-head"
        title={`${label}: ${t(`sort.${way}`)}`}
        onClick={() => onSort(nextSort(sort, name))}
      >
        {short}
        {Icon && <Icon aria-hidden size="1em" />}
      </UnstyledButton>
    </Table.Th>
  );
}
