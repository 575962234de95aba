import { Stack, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Collection, Family } from '../../shared/contract/define-family.ts';
import type { Field } from '../../shared/contract/fields.ts';
import { useCallOf } from '../api/calls.ts';
import { operationOf } from '../api/operations.ts';
import { useTitles } from '../api/titles.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { TitledTable } from '../ui/titled-table.tsx';
import { FieldValue, isNumeric, referredFamily } from './field-value.tsx';
import { isEmpty, type Values } from './form-values.ts';

/** Fields that a part of the page of their own shows. */
const shownApart: Readonly<Record<string, readonly string[]>> = {
  certificate: ['paper', 'basis', 'state', 'changed', 'withdrawn_at', 'withdrawn_by', 'withdrawal_reason'],
};

/** Every field that has a value: stored ones, and what the documented answer works out. */
export function RecordFields({ family, id, stored }: { family: Family; id: number; stored: Values }) {
  const read = operationOf(family, 'read');
  const { data } = useCallOf<Values>(read, { params: { id } });
  return <FieldList family={family} values={{ ...stored, ...data?.data }} />;
}

/** Of these values, each that there is. */
export function FieldList({ family, values }: { family: Family; values: Values }) {
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  const names = Object.entries(family.fields).filter(
    ([name, field]) =>
      field.source !== 'id' &&
      !isEmpty(values[name]) &&
      !isWholeRecord(field, values[name]) &&
      !shownApart[family.name]?.includes(name),
  );
  const titleOf = useTitles(
    names.flatMap(([name, field]) => {
      const target = field.kind === 'reference' ? referredFamily(field, values) : undefined;
      return target ? [`${target}:${values[name]}`] : [];
    }),
  );
  if (names.length === 0) return <Text>{t('fields.none')}</Text>;
  return (
    <dl className="fields">
      {names.map(([name, field]) => (
        <div key={name}>
          <dt>{texts.label(field)}</dt>
          <dd>
            <FieldValue field={field} value={values[name]} titleOf={titleOf} record={values} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function ItemsTable({ collection, items }: { collection: Collection; items: Values[] }) {
  const texts = useFamilyTexts();
  const used = Object.entries(collection.fields).filter(
    ([name, field]) =>
      !['id', 'created_at', 'updated_at'].includes(field.source) &&
      name !== collection.position &&
      items.some(item => item[name] !== undefined && item[name] !== null && item[name] !== ''),
  );
  const titleOf = useTitles(
    used.flatMap(([name, { reference }]) =>
      reference ? items.flatMap(item => (item[name] ? [`${reference}:${item[name]}`] : [])) : [],
    ),
  );
  if (items.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={2}>
        {texts.plural(collection)} ({items.length})
      </Title>
      <TitledTable
        minWidth={600}
        striped
        withTableBorder
        aria-label={texts.plural(collection)}
        columns={used.map(([, field]) => ({
          label: texts.label(field),
          ta: isNumeric(field) ? 'right' : 'left',
        }))}
      >
        {items.map(item => (
          <Table.Tr key={String(item.id)}>
            {used.map(([name, field]) => (
              <Table.Td key={name} ta={isNumeric(field) ? 'right' : 'left'}>
                <FieldValue field={field} value={item[name]} titleOf={titleOf} record={item} />
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </TitledTable>
    </Stack>
  );
}

/** The record that a reference names, repeated in the answer: the reference itself is shown as a link. */
function isWholeRecord(field: Field, value: unknown): boolean {
  return field.source === 'derived' && typeof value === 'object' && value !== null && 'id' in value;
}
