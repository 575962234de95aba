import { Group, Text } from '@mantine/core';
import { IconCheck, IconClock, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Trace, traceGroups } from '../../../shared/operations/trace-schemas.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { useFormats } from '../../i18n/formats.ts';
import { type RecallColumn, RecallTable } from './recall-table.tsx';

type GroupName = keyof typeof traceGroups | 'lots';

/** Everything shipped, where it came from, what was found, who complained, and what came with it. */
export function RecallStory({ trace }: { trace: Trace }) {
  const { t } = useTranslation('quality');
  const formats = useFormats();
  const quantity = useQuantity();
  const lots = new Map(trace.lots.map(lot => [lot.id, lot.batch_number]));
  const isPart = trace.subject.family === 'part';
  const group = <Name extends GroupName>(name: Name) => ({
    title: t(`recall.${String(name)}`),
    rows: trace[name],
    total: trace.left_out.find(each => each.group === name)?.total,
  });
  /** Of a part's recall, which lot it is about. */
  const lotColumn: RecallColumn<{ inventory_id: number | null }>[] = isPart
    ? [
        {
          label: t('lot'),
          leadsTo: one => ['inventory', one.inventory_id],
          show: one => lots.get(one.inventory_id ?? 0),
        },
      ]
    : [];
  return (
    <>
      <RecallTable
        {...group('shipments')}
        keyOf={one => `${one.id} ${one.item_id} ${one.inventory_id}`}
        columns={[
          {
            label: t('recall.shipment'),
            leadsTo: one => ['shipment', one.id],
            show: one => one.shipment_number,
          },
          { label: t('day'), show: one => formats.day(one.date) },
          { label: t('customer'), leadsTo: one => ['customer', one.customer_id], show: one => one.customer },
          ...lotColumn,
          { label: t('quantity'), isNumber: true, show: one => quantity(one.quantity, one.unit) },
        ]}
      />
      <RecallTable
        {...group('receipts')}
        keyOf={one => `${one.id} ${one.item_id}`}
        columns={[
          {
            label: t('recall.receipt'),
            leadsTo: one => ['receiving-inspection', one.id],
            show: one => one.po_number,
          },
          { label: t('day'), show: one => formats.day(one.date) },
          { label: t('supplier'), leadsTo: one => ['supplier', one.supplier_id], show: one => one.supplier },
          ...lotColumn,
          { label: t('accepted'), isNumber: true, show: one => quantity(one.quantity_accepted, one.unit) },
          { label: t('rejected'), isNumber: true, show: one => quantity(one.quantity_rejected, one.unit) },
          ...(trace.receipts.some(one => one.serial_numbers)
            ? [
                {
                  label: t('recall.serials'),
                  show: (one: Trace['receipts'][number]) => one.serial_numbers?.join(', '),
                },
              ]
            : []),
        ]}
      />
      {isPart && (
        <RecallTable
          {...group('lots')}
          keyOf={({ id }) => id}
          columns={[
            { label: t('lot'), leadsTo: one => ['inventory', one.id], show: one => one.batch_number },
            { label: t('expiry'), show: one => formats.day(one.expiry_date) },
            { label: t('sum.shipped'), isNumber: true, show: one => quantity(one.shipped, one.unit) },
            { label: t('sum.on_hand'), isNumber: true, show: one => quantity(one.on_hand, one.unit) },
            { label: t('recall.locks'), show: one => one.locks.map(({ reason }) => reason).join(' ') },
          ]}
        />
      )}
      <RecallTable
        {...group('inspections')}
        keyOf={({ id }) => id}
        columns={[
          {
            label: t('recall.inspection'),
            leadsTo: one => ['inspection', one.id],
            show: one => (one.template ? `${one.id} · ${one.template}` : one.id),
          },
          { label: t('day'), show: one => formats.moment(one.date ?? one.finalised_at ?? one.created_at) },
          ...lotColumn,
          {
            label: t('recall.samples'),
            isNumber: true,
            show: one =>
              t('recall.samples.of', {
                failed: one.failed_samples,
                measured: one.measured_samples ?? one.samples,
                samples: one.samples,
              }),
          },
          { label: t('verdict'), show: one => <Verdict passed={one.passed} /> },
        ]}
      />
      <RecallTable
        {...group('lab_results')}
        keyOf={({ id }) => id}
        columns={[
          {
            label: t('recall.lab_result'),
            leadsTo: one => ['lab-result', one.id],
            show: one => [one.testing_id ?? one.id, one.template].filter(Boolean).join(' · '),
          },
          { label: t('day'), show: one => formats.day(one.date) },
          ...lotColumn,
          {
            label: t('verdict'),
            show: one => (
              <Verdict
                passed={one.failed_measurements.length === 0}
                detail={one.failed_measurements.join(', ')}
              />
            ),
          },
        ]}
      />
      <RecallTable
        {...group('complaints')}
        keyOf={one => `${one.id} ${one.inventory_id}`}
        columns={[
          { label: t('complaint'), leadsTo: one => ['complaint', one.id], show: one => one.complaint_number },
          { label: t('day'), show: one => formats.day(one.date) },
          { label: t('recall.complainant'), show: one => one.complainant },
          { label: t('recall.comments'), show: one => one.comments },
          { label: t('status'), show: one => t(one.is_closed ? 'status.closed' : 'status.open') },
        ]}
      />
      <RecallTable
        {...group('ncrs')}
        keyOf={one => `${one.id} ${one.inventory_id}`}
        columns={[
          { label: t('ncr'), leadsTo: one => ['ncr', one.id], show: one => one.ncr_number },
          { label: t('day'), show: one => formats.moment(one.at) },
          { label: t('status'), show: one => one.status && t(`status.${one.status}`) },
          { label: t('recall.comments'), show: one => one.description },
          {
            label: t('disposition'),
            show: one => t(one.disposition ? `disposition.${one.disposition}` : 'disposition.undecided'),
          },
        ]}
      />
      <RecallTable
        {...group('cars')}
        keyOf={({ id }) => id}
        columns={[
          { label: t('car'), leadsTo: one => ['car', one.id], show: one => one.car_number },
          { label: t('car.opened'), show: one => formats.day(one.date_opened) },
          { label: t('car.closed'), show: one => formats.day(one.date_closed) },
        ]}
      />
      <RecallTable
        {...group('related_lots')}
        keyOf={({ id }) => id}
        columns={[
          { label: t('lot'), leadsTo: one => ['inventory', one.id], show: one => one.batch_number },
          { label: t('part'), leadsTo: one => ['part', one.part_id], show: one => one.part },
          {
            label: t('recall.receipt'),
            leadsTo: one => ['receiving-inspection', one.receipt_id],
            show: one => one.receipt_id,
          },
        ]}
      />
    </>
  );
}

/** By shape and by word. */
function Verdict({ passed, detail }: { passed: boolean | null; detail?: string }) {
  const { t } = useTranslation('quality');
  const Icon = passed === null ? IconClock : passed ? IconCheck : IconX;
  return (
    <Group gap="xs" wrap="nowrap">
      <Icon aria-hidden />
      <Text>
        {t(passed === null ? 'verdict.open' : passed ? 'verdict.passed' : 'verdict.failed')}
        {detail ? `: ${detail}` : ''}
      </Text>
    </Group>
  );
}
