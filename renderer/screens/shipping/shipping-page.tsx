import { Group, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { families } from '../../../shared/families/registry.ts';
import { useWrite } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { RecordTable } from '../../record/record-table.tsx';
import { Failure } from '../../ui/failure.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { today } from '../../ui/today.ts';
import { useHotkeys } from '../../ui/use-hotkeys.ts';

/** All shipments, newest first. A new one is made at once; what goes into it is scanned or typed on its page. */
export function Component() {
  const { t } = useTranslation('shipping');
  const navigate = useNavigate();
  const may = useMay();
  const { mutateAsync, isPending } = useWrite<{ id: number }>('shipments.create');
  const [failure, setFailure] = useState<unknown>(null);
  const begin = async () => {
    if (isPending) return;
    setFailure(null);
    try {
      const { data } = await mutateAsync({ body: { requested_ship_date: today() } });
      await navigate(`/app/shipping/${data.id}`);
    } catch (error) {
      setFailure(error);
    }
  };
  const mayBegin = may('shipments.create');
  useHotkeys(mayBegin ? [['n', () => void begin()]] : []);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{t('title')}</Title>
        {mayBegin && (
          <NewButton loading={isPending} onClick={() => void begin()}>
            {t('new')}
          </NewButton>
        )}
      </Group>
      <Failure error={failure} />
      <RecordTable family={families.shipment} />
    </Stack>
  );
}
