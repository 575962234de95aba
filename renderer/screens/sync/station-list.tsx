import { Button, List, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { z } from 'zod';
import { isMisdated } from '../../../shared/contract/moment-of.ts';
import { STATION_NEEDS, type stationSchema } from '../../../shared/operations/sync-operations.ts';
import { useCall } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useSizes } from '../../i18n/sizes.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { StationStanding } from '../../ui/station-standing.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';
import { RingList } from './ring-list.tsx';

type Station = z.infer<typeof stationSchema>;

/** Central's stations and how each stands; those that a person should look after come first. */
export function StationList() {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const may = useMay();
  const { data, error, refetch } = useCall('x.stations.list');
  const stations = (data?.data ?? []).toSorted((a, b) => urgency(a) - urgency(b));
  const columns = [
    'name',
    'state',
    'needs',
    'version',
    'updates',
    'seen',
    'behind',
    'unsent',
    'held',
    'backup',
    'disk',
    'clock',
  ];
  return (
    <Section title={t('stations')}>
      <Failure error={error} onRetry={() => void refetch()} />
      {data && stations.length === 0 && <Text mb="sm">{t('stations.none')}</Text>}
      <RingList stations={stations} />
      {stations.length > 0 && (
        <TitledTable
          minWidth={1_300}
          isReadOnly
          withTableBorder
          aria-label={t('stations')}
          columns={columns.map(name => t(`station.${name}`))}
        >
          {stations.map(one => (
            <Table.Tr key={one.id}>
              <Table.Th scope="row" className="typed">
                {one.name}
                {one.group !== null && <Text size="sm">{one.group}</Text>}
              </Table.Th>
              <Table.Td>
                <StationStanding station={one} />
              </Table.Td>
              <Table.Td>
                <Needs station={one} />
              </Table.Td>
              <Table.Td className="typed">
                {one.version}
                {one.needs.includes('update') && (
                  <Text size="sm" fw={700}>
                    {t('station.offered', { version: one.offered_version })}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Updates station={one} />
              </Table.Td>
              <Table.Td>{one.last_seen_at ? formats.moment(one.last_seen_at) : t('fact.never')}</Table.Td>
              <Table.Td>{formats.number(one.behind)}</Table.Td>
              <Table.Td>{formats.number(one.unsent)}</Table.Td>
              <Table.Td>{formats.number(one.held)}</Table.Td>
              <Table.Td>
                <Backup station={one} />
              </Table.Td>
              <Table.Td>
                <Disk station={one} />
              </Table.Td>
              <Table.Td>
                <Clock offset={one.clock_offset_ms} />
              </Table.Td>
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

/** The ring that it follows and its hours, or that it gets none. */
function Updates({ station: { machine } }: { station: Station }) {
  const { t } = useTranslation('sync');
  const { updates = null, update_ring: ring = null, update_window: hours = null } = machine ?? {};
  if (updates === null) return t('station.not-said');
  if (updates === 'off') return t('station.updates.off');
  return (
    <>
      <span className="typed">{ring}</span>
      {hours !== null && <Text size="sm">{t('station.updates.hours', { hours })}</Text>}
    </>
  );
}

/** The worst first, then those that need nothing, then those whose key is void. */
function urgency({ needs: [worst], revoked_at: revoked }: Station): number {
  if (revoked !== null) return STATION_NEEDS.length + 1;
  return worst === undefined ? STATION_NEEDS.length : STATION_NEEDS.indexOf(worst);
}

function Needs({ station: { needs } }: { station: Station }) {
  const { t } = useTranslation('sync');
  if (needs.length === 0) return null;
  return (
    <List size="sm" fw={700}>
      {needs.map(need => (
        <List.Item key={need}>{t(`station.needs.${need}`)}</List.Item>
      ))}
    </List>
  );
}

/** When its last backup was made, a restore practised, and of when and how large the last one is that central keeps. */
function Backup({ station: { machine, kept_backup: kept } }: { station: Station }) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const sizes = useSizes();
  const { backup_at: made = null, practised_at: practised = null } = machine ?? {};
  const own = made === null ? t('fact.never') : formats.moment(made);
  return (
    <>
      <Text size="sm">{machine === null ? t('station.not-said') : own}</Text>
      {practised !== null && (
        <Text size="sm">{t('station.practised', { at: formats.moment(practised) })}</Text>
      )}
      {kept && (
        <Text size="sm">
          {t('station.kept', { at: formats.moment(kept.at), size: sizes.bytes(kept.bytes) })}
        </Text>
      )}
    </>
  );
}

function Disk({ station: { machine } }: { station: Station }) {
  const { t } = useTranslation('sync');
  const sizes = useSizes();
  const { disk_free: free, disk_size: size } = machine ?? { disk_free: null, disk_size: null };
  if (free === null || size === null) return t('station.not-said');
  return t('station.disk.of', { free: sizes.bytes(free), size: sizes.bytes(size) });
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
