import { Group, Stack, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { families } from '../../../shared/families/registry.ts';
import { useCall } from '../../api/calls.ts';
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
  const [shown, setShown] = useState('');
  const refs = shown.split(',').map(id => `shipment:${id}`);
  const names = useCall(
    'x.titles.list',
    { query: { refs: refs.join(',') } },
    { isEnabled: shown !== '', keepsPrevious: true },
  );
  const mayBegin = may('shipments.create');
  useHotkeys(mayBegin ? [['n', () => setIsBeginning(true)]] : []);
  const extra = useMemo((): ExtraColumn[] => {
    // The documented list does not say the customer; the title's details do, before the day that is wanted.
    const details = new Map(names.data?.data.map(({ id, subtitle }) => [id, subtitle?.split(' · ') ?? []]));
    return [
      {
        label: t('customer'),
        show: row => (
          <span className="typed">
            {details
              .get(Number(row.id))
              ?.filter(detail => detail !== row.requested_ship_date)
              .join(' · ')}
          </span>
        ),
      },
      {
        label: t('status'),
        show: row => (
          <ShipmentStatus status={shipmentStatus(row.requested_ship_date, row.actual_ship_date)} />
        ),
      },
    ];
  }, [t, names.data]);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{t('title')}</Title>
        {mayBegin && !isBeginning && <NewButton onClick={() => setIsBeginning(true)}>{t('new')}</NewButton>}
      </Group>
      {isBeginning && <NewShipment onClose={() => setIsBeginning(false)} />}
      <RecordTable family={families.shipment} extra={extra} onShown={setShown} />
    </Stack>
  );
}
