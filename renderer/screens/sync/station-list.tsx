import { Button, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isMisdated } from '../../../shared/contract/moment-of.ts';
import { useCall } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { useFormats } from '../../i18n/formats.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { StationStanding } from '../../ui/station-standing.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';

/** Central's stations and how each stands. */
export function StationList() {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const may = useMay();
  const { data, error, refetch } = useCall('x.stations.list');
  const stations = data?.data ?? [];
  const columns = ['name', 'state', 'seen', 'behind', 'unsent', 'held', 'clock', 'protocol', 'version'];
  return (
    <Section title={t('stations')}>
      <Failure error={error} onRetry={() => void refetch()} />
      {data && stations.length === 0 && <Text mb="sm">{t('stations.none')}</Text>}
      {stations.length > 0 && (
        <TitledTable
          minWidth={900}
          withTableBorder
          aria-label={t('stations')}
          columns={columns.map(name => t(`station.${name}`))}
        >
          {stations.map(one => (
            <Table.Tr key={one.id}>
              <Table.Th scope="row" className="typed">
                {one.name}
              </Table.Th>
              <Table.Td>
                <StationStanding station={one} />
              </Table.Td>
              <Table.Td>{one.last_seen_at ? formats.moment(one.last_seen_at) : t('fact.never')}</Table.Td>
              <Table.Td>{formats.number(one.behind)}</Table.Td>
              <Table.Td>{formats.number(one.unsent)}</Table.Td>
              <Table.Td>{formats.number(one.held)}</Table.Td>
              <Table.Td>
                <Clock offset={one.clock_offset_ms} />
              </Table.Td>
              <Table.Td>{formats.number(one.protocol)}</Table.Td>
              <Table.Td className="typed">{one.version}</Table.Td>
            </Table.Tr>
          ))}
        </TitledTable>
      )}
      {may('x.enrolment-codes.create') && (
        <Button component={Link} to="/app/setup/stations" variant="default" mt="sm">
          {t('stations.add')}
        </Button>
      )}
    </Section>
  );
}

/** By how much a station's clock differs; from two minutes on in words. */
function Clock({ offset }: { offset: number | null }) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  if (offset === null) return null;
  if (!isMisdated({ clock_offset: offset }))
    return t('station.seconds', { seconds: formats.number(Math.round(offset / 100) / 10 || 0) });
  const key = offset < 0 ? 'station.clock.behind' : 'station.clock.ahead';
  return (
    <Text size="sm" fw={700}>
      {t(key, { span: formats.span(Math.abs(offset)) })}
    </Text>
  );
}
