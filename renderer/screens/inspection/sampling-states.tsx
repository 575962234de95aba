import { Anchor, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { SamplingStates as States } from '../../../shared/operations/sampling-operations.ts';
import { useCall } from '../../api/calls.ts';
import { useFormats } from '../../i18n/formats.ts';
import { Section } from '../../ui/section.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { SeverityMark } from './severity-mark.tsx';

/** Every part and supplier of which lots were judged, what waits for somebody first. */
export function SamplingStates() {
  const { t } = useTranslation('inspection');
  const formats = useFormats();
  const { data, error, refetch } = useCall('x.sampling.list');
  if (!data) return <Waiting query={{ error, refetch }} />;
  const { rows, inspections_read, inspections_total } = data.data;
  if (rows.length === 0) return <Text>{t('states.none')}</Text>;
  return (
    <Section title={t('states.title')} size="h3">
      <TitledTable
        minWidth={720}
        withTableBorder
        aria-label={t('states.title')}
        columns={[
          t('part'),
          t('supplier'),
          t('states.now'),
          t('states.waits'),
          { label: t('states.lots'), ta: 'right' },
          t('states.newest'),
        ]}
      >
        {rows.map(row => (
          <Table.Tr key={`${row.part_id} ${row.supplier_id}`}>
            <Table.Th scope="row" className="typed">
              <Anchor component={Link} to={pathOf(row)} className="cell-link">
                {row.part}
              </Anchor>
            </Table.Th>
            <Table.Td className="typed">{row.supplier ?? t('supplier.unknown')}</Table.Td>
            <Table.Td>
              <SeverityMark severity={row.severity} isDiscontinued={row.is_discontinued} />
            </Table.Td>
            <Table.Td>
              {row.is_discontinued && t('waits.discontinued')}
              {row.is_reduced_possible && t('waits.reduced')}
            </Table.Td>
            <Table.Td ta="right">{formats.number(row.lots)}</Table.Td>
            <Table.Td className="date">{formats.moment(row.newest_at)}</Table.Td>
          </Table.Tr>
        ))}
      </TitledTable>
      {inspections_read < inspections_total && (
        <Text size="sm">
          {t('states.part', {
            inspections: formats.number(inspections_read),
            total: formats.number(inspections_total),
          })}
        </Text>
      )}
    </Section>
  );
}

function pathOf({ part_id, supplier_id }: States['rows'][number]): string {
  const supplier = supplier_id === null ? '' : `&supplier=${supplier_id}`;
  return `/app/inspection/sampling?part=${part_id}${supplier}`;
}
