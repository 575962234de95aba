import { Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/calls.ts';
import { PickLines, Shortages } from '../floor/pick-lines.tsx';

/** What of an open shipment waits to go, and what is still to be picked; nothing where the site picks none. */
export function PickingStanding({ shipment }: { shipment: number }) {
  const { t } = useTranslation('floor');
  const { data } = useCall('x.shipments.picks', { params: { id: shipment } });
  const list = data?.data;
  if (!list || list.staging.length === 0) return null;
  return (
    <section aria-label={t('pick.standing')}>
      <Title order={2}>{t('pick.standing')}</Title>
      <Stack gap="xs" mt="sm">
        <PickLines title={t('picked-lines', { count: list.picked.length })} lines={list.picked} />
        <PickLines title={t('to-pick', { count: list.to_pick.length })} lines={list.to_pick} />
        {list.too_much.length > 0 && <PickLines title={t('too-much')} lines={list.too_much} />}
        <Shortages list={list} />
      </Stack>
    </section>
  );
}
