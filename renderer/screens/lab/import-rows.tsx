import { Group, List, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { LabImport } from '../../../shared/operations/lab-import.ts';
import { RecordLink } from '../../ui/links.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';

/** More rows than a person looks through; those at fault come first. */
const SHOWN = 100;

type Row = LabImport['rows'][number];

/** Whether the row makes a result: it is in order, and not here already. */
export function isTaken({ faults, repeats }: Row): boolean {
  return faults.length === 0 && repeats === null;
}

/** What is in each row of an instrument's file, what is wrong with it, and which lots it will lock. */
export function ImportRows({ answer }: { answer: LabImport }) {
  const { t } = useTranslation('lab');
  const { rows, bad, repeated, failing, unused_columns: unused, is_written: isWritten } = answer;
  const weight = (row: Row) => (row.faults.length > 0 ? 0 : row.failed_measurements.length > 0 ? 1 : 2);
  const ordered = rows.toSorted((one, other) => weight(one) - weight(other) || one.line - other.line);
  return (
    <Stack gap="xs">
      <Stack gap={0} role="status">
        <Text fw={700}>
          {t(isWritten ? 'rows.written' : 'rows', {
            count: isWritten ? rows.filter(isTaken).length : rows.length,
          })}
        </Text>
        {bad > 0 && <Text>{t('rows.bad', { count: bad })}</Text>}
        {repeated > 0 && <Text>{t('rows.repeated', { count: repeated })}</Text>}
        {failing > 0 && <Text>{t('rows.failing', { count: failing })}</Text>}
        {unused.length > 0 && <Text>{t('rows.unused', { columns: unused.join(', ') })}</Text>}
      </Stack>
      <TitledTable
        minWidth={640}
        maxHeight="24rem"
        withTableBorder
        aria-label={t('import.rows')}
        columns={[t('line'), t('lot'), t('measurements'), t('verdict')]}
      >
        {ordered.slice(0, SHOWN).map(row => (
          <Table.Tr key={row.line}>
            <Table.Td>{row.line}</Table.Td>
            <Table.Td className="typed">
              {row.inventory_id === null ? (
                row.batch_number
              ) : (
                <RecordLink family="inventory" id={row.inventory_id}>
                  {row.batch_number}
                </RecordLink>
              )}
            </Table.Td>
            <Table.Td className="typed">
              {Object.entries(row.measurements)
                .map(([name, value]) => `${name} ${value}`)
                .join(' · ')}
            </Table.Td>
            <Table.Td>
              <RowSays row={row} isWritten={isWritten} />
            </Table.Td>
          </Table.Tr>
        ))}
      </TitledTable>
      {ordered.length > SHOWN && <Text>{t('rows.more', { count: ordered.length - SHOWN })}</Text>}
    </Stack>
  );
}

function RowSays({ row, isWritten }: { row: Row; isWritten: boolean }) {
  const { t } = useTranslation('lab');
  const { faults, failed_measurements: failed } = row;
  if (faults.length > 0) {
    return (
      <Group gap={4} wrap="nowrap" align="start">
        <IconAlertTriangle size={20} aria-hidden />
        <List listStyleType="none">
          {faults.map(fault => (
            <List.Item key={fault} className="typed">
              {fault}
            </List.Item>
          ))}
        </List>
      </Group>
    );
  }
  if (row.repeats !== null) {
    return row.repeats === 0 ? (
      <Text>{t('row.twice')}</Text>
    ) : (
      <RecordLink family="lab-result" id={row.repeats} underline="always">
        {t('row.repeats')}
      </RecordLink>
    );
  }
  const Icon = failed.length > 0 ? IconLock : IconCheck;
  return (
    <Group gap={4} wrap="nowrap">
      <Icon size={20} aria-hidden />
      <Text className="typed">
        {failed.length === 0
          ? t('row.good')
          : t(isWritten ? 'row.locked' : 'row.locks', { names: failed.join(', ') })}
      </Text>
    </Group>
  );
}
