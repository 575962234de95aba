import { Anchor, Button, Group, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { stationSchema } from '../../../shared/operations/sync-operations.ts';
import { useCall } from '../../api/calls.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useSizes } from '../../i18n/sizes.ts';
import { Failure } from '../../ui/failure.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';

interface StationBackupsProps {
  station: z.infer<typeof stationSchema>;
  onClose: () => void;
}

/** At a central: the backups of a station that it keeps, to fetch one for a new machine. */
export function StationBackups({ station: { id, name }, onClose }: StationBackupsProps) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const sizes = useSizes();
  const { data, error, refetch } = useCall('x.station-backups.list', { params: { id } });
  return (
    <>
      <Title order={2} size="h3">
        {t('kept.title', { name })}
      </Title>
      <Text maw="45rem">{t('kept.text')}</Text>
      <Failure error={error} onRetry={() => void refetch()} />
      {data && (
        <TitledTable
          minWidth={640}
          aria-label={t('kept.title', { name })}
          columns={[t('backup.at'), t('backup.size'), t('backup.key'), t('kept.fetched'), t('backup.file')]}
        >
          {data.data.map(({ file, at, bytes, key, fetched: [last] }) => (
            <Table.Tr key={file}>
              <Table.Td className="date">{formats.moment(at)}</Table.Td>
              <Table.Td className="date">{sizes.bytes(bytes)}</Table.Td>
              <Table.Td className="typed">{key}</Table.Td>
              <Table.Td>
                {last &&
                  t('kept.fetched.by', { at: formats.moment(last.at), by: last.by ?? t('key.nobody') })}
              </Table.Td>
              <Table.Td className="typed">
                <Anchor href={`/api/v2/x/stations/${id}/backups/${file}`} download={file} underline="always">
                  {file}
                </Anchor>
              </Table.Td>
            </Table.Tr>
          ))}
        </TitledTable>
      )}
      <Group>
        <Button variant="default" onClick={onClose}>
          {t('kept.close')}
        </Button>
      </Group>
    </>
  );
}
