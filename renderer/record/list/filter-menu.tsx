import { Button, Checkbox, MultiSelect, NumberInput, Popover, Select, Stack, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../../shared/contract/define-family.ts';
import { listedField } from '../../../shared/contract/list-fields.ts';
import { LIST_OPERATORS } from '../../../shared/contract/list-operators.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { ReferenceInput } from '../reference-input.tsx';
import { conditionName, filterableIn } from './list-address.ts';

interface FilterMenuProps {
  family: Family;
  /** Fields that the screen has settled. */
  except: readonly string[];
  /** Conditions by the names of their parameters; an empty value takes one out. */
  onAdd: (conditions: Record<string, string>) => void;
}

/** What was filled in, by operators; a moment as the day that was chosen. */
type Filled = Record<string, string>;

/** Narrows a list by any field that it can be narrowed by: a field is chosen, then what it must be. */
export function FilterMenu({ family, except, onAdd }: FilterMenuProps) {
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState<string | null>(null);
  const [filled, setFilled] = useState<Filled>({});
  const fields = filterableIn(family, except);
  if (fields.size === 0) return null;
  const toggle = (next: boolean) => {
    setOpen(next);
    setName(null);
    setFilled({});
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name === null) return;
    const isMoment = fields.get(name) === 'timestamp';
    const conditions = isMoment ? momentsOf(filled) : filled;
    // A field is narrowed one way at a time: what it was narrowed by before gives way.
    onAdd(
      Object.fromEntries(LIST_OPERATORS.map(each => [conditionName(name, each), conditions[each] ?? ''])),
    );
    toggle(false);
  };
  const isFilled = Object.values(filled).some(value => value !== '');
  return (
    <Popover opened={isOpen} onChange={toggle} position="bottom-start" trapFocus width="22rem" returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconFilter aria-hidden />} onClick={() => toggle(!isOpen)}>
          {t('filter')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('filter')}>
        <form onSubmit={submit}>
          <Stack gap="sm">
            <Select
              label={t('filter.field')}
              data-autofocus
              searchable
              data={[...fields.keys()].map(value => {
                const field = listedField(family, value);
                return { value, label: field ? texts.label(field) : value };
              })}
              value={name}
              comboboxProps={{ withinPortal: false }}
              onChange={next => {
                setName(next);
                setFilled({});
              }}
            />
            {name !== null && (
              <FilterInput
                key={name}
                family={family}
                name={name}
                filled={filled}
                onChange={(operator, value) =>
                  setFilled(operator === 'is_null' ? { is_null: value } : { ...filled, [operator]: value })
                }
              />
            )}
            <Button type="submit" disabled={!isFilled}>
              {t('filter.show')}
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

interface FilterInputProps {
  family: Family;
  name: string;
  filled: Filled;
  onChange: (operator: string, value: string) => void;
}

function FilterInput({ family, name, filled, onChange }: FilterInputProps) {
  const { t } = useTranslation('record');
  const isEmpty = filled.is_null === 'true';
  return (
    <>
      {!isEmpty && <ValueInput family={family} name={name} filled={filled} onChange={onChange} />}
      <Checkbox
        label={t('filter.empty')}
        checked={isEmpty}
        onChange={event => onChange('is_null', event.currentTarget.checked ? 'true' : '')}
      />
    </>
  );
}

function ValueInput({ family, name, filled, onChange }: FilterInputProps) {
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  const field = listedField(family, name);
  if (!field) return null;
  const range = (show: (label: string, operator: 'gte' | 'lte') => ReactNode) => (
    <>
      {show(t('filter.from'), 'gte')}
      {show(t('filter.to'), 'lte')}
    </>
  );
  switch (field.kind) {
    case 'reference':
      return (
        <ReferenceInput
          isInPopover
          family={String(field.reference)}
          label={texts.label(field)}
          value={filled.eq ? Number(filled.eq) : null}
          onChange={id => onChange('eq', id === null ? '' : String(id))}
        />
      );
    case 'choice':
      return (
        <MultiSelect
          label={t('filter.one-of')}
          data={(field.choices ?? []).map(value => ({ value, label: texts.choice(value) }))}
          value={filled.in ? filled.in.split(',') : []}
          comboboxProps={{ withinPortal: false }}
          onChange={values => onChange('in', values.join(','))}
        />
      );
    case 'boolean':
      return (
        <Select
          label={texts.label(field)}
          data={[
            { value: 'true', label: t('app:yes') },
            { value: 'false', label: t('app:no') },
          ]}
          value={filled.eq || null}
          comboboxProps={{ withinPortal: false }}
          onChange={value => onChange('eq', value ?? '')}
        />
      );
    case 'date':
    case 'timestamp':
      return range((label, operator) => (
        <TextInput
          key={operator}
          type="date"
          label={label}
          value={filled[operator] ?? ''}
          onChange={event => onChange(operator, event.currentTarget.value)}
        />
      ));
    case 'integer':
    case 'number':
      return range((label, operator) => (
        <NumberInput
          key={operator}
          label={label}
          hideControls
          decimalSeparator="."
          allowedDecimalSeparators={[',', '.']}
          value={filled[operator] ?? ''}
          onChange={value => onChange(operator, String(value))}
        />
      ));
    case 'text-list':
      return (
        <TextInput
          label={texts.label(field)}
          value={filled.eq ?? ''}
          onChange={event => onChange('eq', event.currentTarget.value)}
        />
      );
    default:
      return (
        <TextInput
          label={t('filter.contains.label')}
          value={filled.contains ?? ''}
          onChange={event => onChange('contains', event.currentTarget.value)}
        />
      );
  }
}

/** From the beginning of a day, and to its end, by this machine's clock. */
function momentsOf({ gte, lte, ...filled }: Filled): Filled {
  const beginOf = (day: string, later = 0) => {
    const begin = new Date(`${day}T00:00`);
    begin.setDate(begin.getDate() + later);
    return begin.toISOString();
  };
  return { ...filled, ...(gte && { gte: beginOf(gte) }), ...(lte && { lt: beginOf(lte, 1) }) };
}
