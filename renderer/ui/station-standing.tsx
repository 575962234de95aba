import { Badge, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { stationSchema } from '../../shared/operations/sync-operations.ts';
import { useFormats } from '../i18n/formats.ts';

type Station = z.infer<typeof stationSchema>;

/** How a station stands, and what it waits for. */
export function StationStanding({ station }: { station: Station }) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const { revoked_at: revoked, behind, unsent, held, quota, has_heard: hasHeard } = station;
  const isInStep = behind === 0 && unsent === 0;
  const state = revoked ? 'revoked' : quota ? 'waits' : held > 0 ? 'held' : isInStep ? 'in_step' : 'behind';
  const badge = (
    <Badge
      size="lg"
      variant="outline"
      color={state === 'in_step' ? 'green' : 'gray'}
      styles={{ root: { textTransform: 'none', minWidth: 'max-content' } }}
    >
      {t(`station.is.${state}`)}
    </Badge>
  );
  const waits = state === 'waits' && quota;
  const isToHear = hasHeard === false && revoked === null;
  if (!waits && !isToHear) return badge;
  return (
    <Stack gap={4}>
      {badge}
      {waits && (
        <Text size="sm">{t(`station.quota.${waits.of}`, { until: formats.moment(waits.until) })}</Text>
      )}
      {isToHear && <Text size="sm">{t('station.not-heard')}</Text>}
    </Stack>
  );
}
