import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { deviceUnit } from '../../../shared/quantities/measured-unit.ts';
import type { GaugeDetail } from './gauge.ts';

/** What became of a reading in another unit than the field's: converted, or refused. Nothing to say of one in its own. */
export function GaugeNote({ detail }: { detail: GaugeDetail | null }) {
  const { t } = useTranslation('scan');
  if (!detail || detail.unit === null || detail.asked === null) return null;
  const { typed, unit, asked, value } = detail;
  if (value === null) {
    return (
      <Alert role="alert" color="red" variant="light" icon={<IconAlertTriangle aria-hidden />}>
        {t('gauge.refused', { typed, unit, asked })}
      </Alert>
    );
  }
  if (deviceUnit(unit) === deviceUnit(asked)) return null;
  return <Text role="status">{t('gauge.converted', { typed, value, unit: asked })}</Text>;
}
