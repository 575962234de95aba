import { Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { stationSchema } from '../../../shared/operations/sync-operations.ts';
import { useFormats } from '../../i18n/formats.ts';
import { TitledTable } from '../../ui/titled-table.tsx';

type Station = z.infer<typeof stationSchema>;

/** The rings that stations follow: the version that each offers, how many follow it, and how many have an earlier one. */
export function RingList({ stations }: { stations: readonly Station[] }) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const rings = Map.groupBy(stations.filter(isFollowing), ({ machine }) => machine?.update_ring ?? '');
  if (rings.size === 0) return null;
  return (
    <TitledTable
      minWidth={480}
      isReadOnly
      withTableBorder
      mb="md"
      maw="48rem"
      aria-label={t('rings')}
      columns={['ring', 'offered', 'count', 'behind'].map(name => t(`rings.${name}`))}
    >
      {[...rings].toSorted(byName).map(([ring, following]) => {
        const behind = following.filter(({ needs }) => needs.includes('update')).length;
        return (
          <Table.Tr key={ring}>
            <Table.Th scope="row" className="typed">
              {ring}
            </Table.Th>
            <Table.Td className="typed">{following[0]?.offered_version ?? t('rings.offered.none')}</Table.Td>
            <Table.Td>{formats.number(following.length)}</Table.Td>
            <Table.Td>
              <Text fw={behind > 0 ? 700 : 400}>{formats.number(behind)}</Text>
            </Table.Td>
          </Table.Tr>
        );
      })}
    </TitledTable>
  );
}

function isFollowing({ revoked_at: revoked, machine }: Station): boolean {
  return revoked === null && machine?.updates === 'on' && machine.update_ring !== null;
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one.localeCompare(other);
}
