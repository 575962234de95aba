import { Group, Text } from '@mantine/core';
import { IconCheck, IconClock, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Trace } from '../../../shared/operations/trace-schemas.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { useFormats } from '../../i18n/formats.ts';
import { RecallTable, RecordLink } from './recall-table.tsx';

/** Everything shipped, where it came from, what was found, who complained, and what came with it. */
export function RecallStory({ trace }: { trace: Trace }) {
  const { t } = useTranslation('quality');
  const formats = useFormats();
  const quantity = useQuantity();
  const lots = new Map(trace.lots.map(lot => [lot.id, lot.batch_number]));
  const isPart = trace.subject.family === 'part';
  const totalOf = (group: string) => trace.left_out.find(each => each.group === group)?.total;
  /** Of a part's recall, which lot it is about. */
  const lotColumn = isPart
    ? [
        {
          label: t('lot'),
          show: (one: { inventory_id: number | null }) => (
            <RecordLink family="inventory" id={one.inventory_id}>
              {lots.get(one.inventory_id ?? 0)}
            </RecordLink>
          ),
        },
      ]
    : [];
  return (
    <>
      <RecallTable
        title={t('recall.shipments')}
        rows={trace.shipments}
        total={totalOf('shipments')}
        keyOf={one => `${one.id} ${one.item_id} ${one.inventory_id}`}
        columns={[
          {
            label: t('recall.shipment'),
            show: one => (
              <RecordLink family="shipment" id={one.id}>
                {one.shipment_number}
              </RecordLink>
            ),
          },
          { label: t('day'), show: one => formats.day(one.date) },
          {
            label: t('customer'),
            show: one => (
              <RecordLink family="customer" id={one.customer_id}>
                {one.customer}
              </RecordLink>
            ),
          },
          ...lotColumn,
          { label: t('quantity'), isNumber: true, show: one => quantity(one.quantity, one.unit) },
        ]}
      />
      <RecallTable
        title={t('recall.receipts')}
        rows={trace.receipts}
        total={totalOf('receipts')}
        keyOf={one => `${one.id} ${one.item_id}`}
        columns={[
          {
            label: t('recall.receipt'),
            show: one => (
              <RecordLink family="receiving-inspection" id={one.id}>
                {one.po_number}
              </RecordLink>
            ),
          },
          { label: t('day'), show: one => formats.day(one.date) },
          {
            label: t('supplier'),
            show: one => (
              <RecordLink family="supplier" id={one.supplier_id}>
                {one.supplier}
              </RecordLink>
            ),
          },
          ...lotColumn,
          { label: t('accepted'), isNumber: true, show: one => quantity(one.quantity_accepted, one.unit) },
          { label: t('rejected'), isNumber: true, show: one => quantity(one.quantity_rejected, one.unit) },
        ]}
      />
      {isPart && (
        <RecallTable
          title={t('recall.lots')}
          rows={trace.lots}
          total={totalOf('lots')}
          keyOf={({ id }) => id}
          columns={[
            {
              label: t('lot'),
              show: one => (
                <RecordLink family="inventory" id={one.id}>
                  {one.batch_number}
                </RecordLink>
              ),
            },
            { label: t('expiry'), show: one => formats.day(one.expiry_date) },
            { label: t('sum.shipped'), isNumber: true, show: one => quantity(one.shipped, one.unit) },
            { label: t('sum.on_hand'), isNumber: true, show: one => quantity(one.on_hand, one.unit) },
            { label: t('recall.locks'), show: one => one.locks.map(({ reason }) => reason).join(' ') },
          ]}
        />
      )}
      <RecallTable
        title={t('recall.inspections')}
        rows={trace.inspections}
        total={totalOf('inspections')}
        keyOf={({ id }) => id}
        columns={[
          {
            label: t('recall.inspection'),
            show: one => (
              <RecordLink family="inspection" id={one.id}>
                {one.template ? `${one.id} · ${one.template}` : one.id}
              </RecordLink>
            ),
          },
          { label: t('day'), show: one => formats.moment(one.date ?? one.finalised_at ?? one.created_at) },
          ...lotColumn,
          {
            label: t('recall.samples'),
            isNumber: true,
            show: one => t('recall.samples.of', { failed: one.failed_samples, samples: one.samples }),
          },
          { label: t('verdict'), show: one => <Verdict passed={one.passed} /> },
        ]}
      />
      <RecallTable
        title={t('recall.lab_results')}
        rows={trace.lab_results}
        total={totalOf('lab_results')}
        keyOf={({ id }) => id}
        columns={[
          {
            label: t('recall.lab_result'),
            show: one => (
              <RecordLink family="lab-result" id={one.id}>
                {[one.testing_id ?? one.id, one.template].filter(Boolean).join(' · ')}
              </RecordLink>
            ),
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
        title={t('recall.complaints')}
        rows={trace.complaints}
        total={totalOf('complaints')}
        keyOf={one => `${one.id} ${one.inventory_id}`}
        columns={[
          {
            label: t('complaint'),
            show: one => (
              <RecordLink family="complaint" id={one.id}>
                {one.complaint_number}
              </RecordLink>
            ),
          },
          { label: t('day'), show: one => formats.day(one.date) },
          { label: t('recall.complainant'), show: one => one.complainant },
          { label: t('recall.comments'), show: one => one.comments },
          { label: t('status'), show: one => t(one.is_closed ? 'status.closed' : 'status.open') },
        ]}
      />
      <RecallTable
        title={t('recall.ncrs')}
        rows={trace.ncrs}
        total={totalOf('ncrs')}
        keyOf={one => `${one.id} ${one.inventory_id}`}
        columns={[
          {
            label: t('ncr'),
            show: one => (
              <RecordLink family="ncr" id={one.id}>
                {one.ncr_number}
              </RecordLink>
            ),
          },
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
        title={t('recall.cars')}
        rows={trace.cars}
        total={totalOf('cars')}
        keyOf={({ id }) => id}
        columns={[
          {
            label: t('car'),
            show: one => (
              <RecordLink family="car" id={one.id}>
                {one.car_number}
              </RecordLink>
            ),
          },
          { label: t('car.opened'), show: one => formats.day(one.date_opened) },
          { label: t('car.closed'), show: one => formats.day(one.date_closed) },
        ]}
      />
      <RecallTable
        title={t('recall.related_lots')}
        rows={trace.related_lots}
        total={totalOf('related_lots')}
        keyOf={({ id }) => id}
        columns={[
          {
            label: t('lot'),
            show: one => (
              <RecordLink family="inventory" id={one.id}>
                {one.batch_number}
              </RecordLink>
            ),
          },
          {
            label: t('part'),
            show: one => (
              <RecordLink family="part" id={one.part_id}>
                {one.part}
              </RecordLink>
            ),
          },
          {
            label: t('recall.receipt'),
            show: one => (
              <RecordLink family="receiving-inspection" id={one.receipt_id}>
                {one.receipt_id}
              </RecordLink>
            ),
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
