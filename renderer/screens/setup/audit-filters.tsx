import { Button, Fieldset, Group, Select, SimpleGrid, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AUDIT_KINDS } from '../../../shared/families/audit-event.ts';
import { useKindName } from './use-kind-name.ts';

const NAMES = ['from', 'to', 'person', 'kind', 'record', 'station'] as const;

/** What the interface is asked for. Days of the address are those of this place, and end with their last moment. */
export function queryOf(address: URLSearchParams): Record<string, string> {
  const given = NAMES.flatMap(name => {
    const value = address.get(name) ?? '';
    return value === ''
      ? []
      : [[name, name === 'from' || name === 'to' ? momentOfDay(value, name) : value] as const];
  });
  return Object.fromEntries(given);
}

function momentOfDay(day: string, end: 'from' | 'to'): string {
  const moment = new Date(`${day}T${end === 'from' ? '00:00:00.000' : '23:59:59.999'}`);
  return Number.isNaN(moment.getTime()) ? day : moment.toISOString();
}

/** Asked for together: a day that is half typed asks for nothing. */
export function AuditFilters({
  address,
  onShow,
}: {
  address: URLSearchParams;
  onShow: (values: Record<string, string>) => void;
}) {
  const { t } = useTranslation('setup');
  const kindName = useKindName();
  const [values, setValues] = useState<Record<string, string>>(
    Object.fromEntries(NAMES.map(name => [name, address.get(name) ?? ''])),
  );
  const change = (name: (typeof NAMES)[number]) => (value: string) =>
    setValues(before => ({ ...before, [name]: value }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onShow(Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== '')));
  };
  return (
    <form onSubmit={submit}>
      <Fieldset legend={t('audit.filters')}>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {(['from', 'to'] as const).map(name => (
            <TextInput
              key={name}
              type="date"
              label={t(`audit.${name}`)}
              value={values[name] ?? ''}
              onChange={event => change(name)(event.currentTarget.value)}
            />
          ))}
          <Select
            label={t('audit.kinds')}
            data={AUDIT_KINDS.map(kind => ({ value: kind, label: kindName(kind) }))}
            value={values.kind || null}
            onChange={kind => change('kind')(kind ?? '')}
            placeholder={t('audit.all')}
            searchable
            nothingFoundMessage={t('app:find.nothing')}
            clearable
            clearButtonProps={{ 'aria-label': t('audit.clear') }}
          />
          {(['person', 'record'] as const).map(name => (
            <TextInput
              key={name}
              label={t(`audit.${name}`)}
              description={t(`audit.${name}.hint`)}
              value={values[name] ?? ''}
              onChange={event => change(name)(event.currentTarget.value)}
            />
          ))}
        </SimpleGrid>
        <Group mt="md">
          <Button type="submit">{t('audit.show')}</Button>
          <Button variant="default" onClick={() => onShow({})}>
            {t('audit.clear')}
          </Button>
        </Group>
      </Fieldset>
    </form>
  );
}
