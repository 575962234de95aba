import { Group, Stack, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { families } from '../../../shared/families/registry.ts';
import { useWrite } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { RecordTable } from '../../record/record-table.tsx';
import { ReferenceInput } from '../../record/reference-input.tsx';
import { useNamedChoice } from '../../record/use-named-choice.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { today } from '../../ui/today.ts';
import { useHotkeys } from '../../ui/use-hotkeys.ts';
import { ExpectedOrders } from './expected-orders.tsx';

/** All receipts, newest first, and the beginning of a new one: whom it comes from, and the order's number. */
export function Component() {
  const { t } = useTranslation('receiving');
  const may = useMay();
  const [isBeginning, begin] = useDisclosure(false);
  useHotkeys([['n', begin.open]]);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{t('title')}</Title>
        {may('receiving-inspections.create') && !isBeginning && (
          <NewButton onClick={begin.open}>{t('new')}</NewButton>
        )}
      </Group>
      {isBeginning && <NewReceipt onClose={begin.close} />}
      <ExpectedOrders />
      <RecordTable family={families['receiving-inspection']} />
    </Stack>
  );
}

function NewReceipt({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('receiving');
  const navigate = useNavigate();
  const { mutateAsync } = useWrite('receiving-inspections.create');
  const supplier = useNamedChoice();
  const [order, setOrder] = useState('');
  return (
    <ActionForm
      title={t('new')}
      submit={t('begin')}
      onClose={onClose}
      onSubmit={async () => {
        supplier.refuseUnknown('supplier_id');
        const body = { supplier_id: supplier.id, po_number: order || null, actual_arrival_date: today() };
        const { data } = await mutateAsync({ body });
        await navigate(`/app/receiving/${data.id}`);
      }}
    >
      {errors => (
        <>
          <ReferenceInput
            family="supplier"
            label={t('supplier')}
            {...supplier.input}
            error={errors('supplier_id')}
            isAutoFocused
          />
          <TextInput
            label={t('po')}
            value={order}
            onChange={event => setOrder(event.currentTarget.value)}
            error={errors('po_number')}
            autoComplete="off"
          />
        </>
      )}
    </ActionForm>
  );
}
