import { Group, Stack, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { families } from '../../../shared/families/registry.ts';
import { useMay } from '../../api/may.ts';
import type { ExtraColumn } from '../../record/record-row.tsx';
import { RecordTable } from '../../record/record-table.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { useHotkeys } from '../../ui/use-hotkeys.ts';
import { NewShipment } from './new-shipment.tsx';
import { ShipmentStatus, shipmentStatus } from './shipment-status.tsx';

/** All shipments, newest first. */
export function Component() {
  const { t } = useTranslation('shipping');
  const may = useMay();
  const [isBeginning, setIsBeginning] = useState(false);
  const mayBegin = may('shipments.create');
  useHotkeys(mayBegin ? [['n', () => setIsBeginning(true)]] : []);
  const extra = useMemo(
    (): ExtraColumn[] => [
      {
        label: t('status'),
        show: row => (
          <ShipmentStatus status={shipmentStatus(row.requested_ship_date, row.actual_ship_date)} />
        ),
      },
    ],
    [t],
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{t('title')}</Title>
        {mayBegin && !isBeginning && <NewButton onClick={() => setIsBeginning(true)}>{t('new')}</NewButton>}
      </Group>
      {isBeginning && <NewShipment onClose={() => setIsBeginning(false)} />}
      <RecordTable family={families.shipment} extra={extra} />
    </Stack>
  );
}
