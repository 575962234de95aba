import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { families } from '../../../shared/families/registry.ts';
import { LOT_STATES_LIMIT } from '../../../shared/operations/extension-schemas.ts';
import type { Trace } from '../../../shared/operations/trace-schemas.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { useRecordWords } from '../../i18n/families/use-record-words.ts';
import { ReasonForm } from '../../ui/reason-form.tsx';
import { changeOf } from '../../ui/signing/signing.tsx';
import { RecallTable } from './recall-table.tsx';

/** What is still here of the goods, in which places, and the lock of all of it with one reason. */
export function RecallStock({ lots }: { lots: Trace['lots'] }) {
  const { t } = useTranslation('quality');
  const may = useMay();
  const quantity = useQuantity();
  const words = useRecordWords();
  const { mutateAsync } = useWrite('x.inventory.lock');
  const [isLocking, setIsLocking] = useState(false);
  const stock = lots.filter(({ on_hand }) => on_hand > 0);
  const ids = stock.slice(0, LOT_STATES_LIMIT).map(({ id }) => id);
  const states = useCall(
    'x.inventory.states',
    { query: { ids: ids.join() } },
    { isEnabled: ids.length > 0, keepsPrevious: true },
  );
  const places = new Map(states.data?.data.map(({ id, locations }) => [id, locations]));
  const free = stock.filter(({ locks }) => !locks.some(({ lock }) => lock === 'person'));
  return (
    <>
      <RecallTable
        title={t('recall.stock')}
        rows={stock}
        keyOf={({ id }) => id}
        columns={[
          { label: t('lot'), leadsTo: one => ['inventory', one.id], show: one => one.batch_number },
          {
            label: t('recall.places'),
            show: one =>
              places
                .get(one.id)
                ?.map(place => place ?? t('recall.no-place'))
                .join(', '),
          },
          { label: t('sum.on_hand'), isNumber: true, show: one => quantity(one.on_hand, one.unit) },
          {
            label: t('recall.locks'),
            show: one => one.locks.map(({ reason }) => words.reason(reason)).join('; ') || t('recall.free'),
          },
        ]}
      />
      {free.length > 0 && may('x.inventory.lock') && !isLocking && (
        <Button
          color="red"
          w="fit-content"
          leftSection={<IconLock aria-hidden />}
          onClick={() => setIsLocking(true)}
        >
          {t('recall.lock', { count: free.length })}
        </Button>
      )}
      {isLocking && (
        <ReasonForm
          title={t('recall.lock', { count: free.length })}
          label={t('reason:reason')}
          color="red"
          onClose={() => setIsLocking(false)}
          signs={changeOf(families.inventory, {}, { is_locked_by_person: true })}
          onSubmit={async (reason, signature) => {
            // One after the other: what is locked stays so where a later one is refused.
            for (const { id } of free)
              await mutateAsync({ params: { id }, body: { is_locked: true, reason, ...signature } });
          }}
        />
      )}
    </>
  );
}
