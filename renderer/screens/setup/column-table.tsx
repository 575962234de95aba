import { Select, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../../shared/contract/define-family.ts';
import { familyOf } from '../../../shared/families/registry.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import type { FileHead } from './file-head.ts';
import { assignColumn, fieldOfColumn, type Mapping, type Step } from './mapping.ts';
import { waysToFind, writableFields } from './propose-mapping.ts';

/** So many rows of the file are shown. */
const SHOWN = 3;

export interface ColumnTableProps {
  mapping: Mapping;
  step: Step;
  family: Family;
  head: FileHead;
  onChange: (mapping: Mapping) => void;
}

/** Every column of a file with its first values, and the field that it becomes. */
export function ColumnTable({ mapping, step, family, head, onChange }: ColumnTableProps) {
  const { t } = useTranslation('setup');
  const texts = useFamilyTexts();
  const fields = writableFields(family);
  const rows = head.rows.slice(0, SHOWN);
  return (
    <Table.ScrollContainer minWidth={760}>
      <Table verticalSpacing="xs" aria-label={t('columns')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('column')}</Table.Th>
            {rows.map((_row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name
              <Table.Th key={index}>{t('column.row', { number: index + 1 })}</Table.Th>
            ))}
            <Table.Th>{t('column.becomes')}</Table.Th>
            <Table.Th>{t('column.find')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {head.columns.map(column => {
            const taken = fieldOfColumn(step, column);
            const field = taken && family.fields[taken.name];
            const target = field?.reference === undefined ? undefined : familyOf(field.reference);
            return (
              <Table.Tr key={column}>
                <Table.Th scope="row" className="typed">
                  {column}
                </Table.Th>
                {rows.map((row, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name
                  <Table.Td key={index} maw="12rem">
                    <Text truncate className="sample">
                      {row[column]}
                    </Text>
                  </Table.Td>
                ))}
                <Table.Td>
                  <Select
                    aria-label={t('column.field', { column })}
                    searchable
                    allowDeselect={false}
                    data={[
                      { value: '', label: t('column.left-out') },
                      ...fields.map(([name, each]) => ({
                        value: name,
                        label: texts.label(each),
                        disabled: name !== taken?.name && step.fields?.[name] !== undefined,
                      })),
                    ]}
                    value={taken?.name ?? ''}
                    onChange={name =>
                      onChange(assignColumn(mapping, column, name ? proposed(family, name) : null))
                    }
                    miw="14rem"
                  />
                </Table.Td>
                <Table.Td>
                  {taken && target && (
                    <Select
                      aria-label={t('column.find.of', { column })}
                      allowDeselect={false}
                      data={[
                        ...waysToFind(target).map(name => {
                          const way = target.fields[name];
                          return { value: name, label: way ? texts.label(way) : name };
                        }),
                        { value: 'key', label: t('find.key') },
                        { value: 'id', label: t('find.id') },
                      ]}
                      value={taken.find}
                      onChange={find =>
                        onChange(assignColumn(mapping, column, { name: taken.name, find: find ?? undefined }))
                      }
                      miw="12rem"
                    />
                  )}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** A field that is chosen by hand; a record that it names is found by what people call it. */
function proposed(family: Family, name: string): { name: string; find?: string | undefined } {
  const reference = family.fields[name]?.reference;
  const target = reference === undefined ? undefined : familyOf(reference);
  return { name, find: target && (waysToFind(target)[0] ?? 'id') };
}
