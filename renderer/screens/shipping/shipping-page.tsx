import { Group, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { families } from '../../../shared/families/registry.ts';
import { useMay } from '../../api/may.ts';
import { RecordTable } from '../../record/record-table.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { useHotkeys } from '../../ui/use-hotkeys.ts';
import { NewShipment } from './new-shipment.tsx';

/** All shipments, newest first. */
export function Component() {
  const { t } = useTranslation('shipping');
  const may = useMay();
  const [isBeginning, setIsBeginning] = useState(false);
  const mayBegin = may('shipments.create');
  useHotkeys(mayBegin ? [['n', () => setIsBeginning(true)]] : []);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{t('title')}</Title>
        {mayBegin && !isBeginning && <NewButton onClick={() => setIsBeginning(true)}>{t('new')}</NewButton>}
      </Group>
      {isBeginning && <NewShipment onClose={() => setIsBeginning(false)} />}
      <RecordTable family={families.shipment} />
    </Stack>
  );
}
