import { Button, Table, Text } from '@mantine/core';
import { IconAlertOctagon } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListedBy } from '../../../shared/operations/operation-types.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { useFormats } from '../../i18n/formats.ts';
import { TypedText } from '../../record/field-value.tsx';
import { RecordLink } from '../../ui/links.tsx';

export type ReceiptItem = Record<string, unknown>;

/** A line that was undone has nothing in it: history keeps it. */
export function isReceived({ quantity_accepted, quantity_rejected }: ReceiptItem): boolean {
  return Number(quantity_accepted ?? 0) > 0 || Number(quantity_rejected ?? 0) > 0;
}

/** A report that was raised of it. */
export interface RaisedReport {
  id: number;
  ncr_number: string | null;
  part_id: number | null;
  lot_number: string | null;
}

/** A report that a rejected line suggests, filled in: `GET /x/proposals/receiving-inspection/{id}`. */
export type Proposal = ListedBy<'x.proposals.list'>;

interface ReceiptRowProps {
  item: ReceiptItem;
  /** What its part and place are called. */
  part: string | undefined;
  place: string | undefined;
  plan: string | undefined;
  proposal: Proposal | undefined;
  raised: RaisedReport | undefined;
  onReport: (proposal: Proposal) => void;
  /** Undefined: this user changes nothing of it. */
  onCorrect: ((item: ReceiptItem) => void) | undefined;
}

/** A line that was received. Drawn again only when it has changed: a receipt can have hundreds, and each scan saves one. */
export const ReceiptRow = memo(function ReceiptRow({
  item,
  part,
  place,
  plan,
  proposal,
  raised,
  onReport,
  onCorrect,
}: ReceiptRowProps) {
  const { t } = useTranslation('receiving');
  const formats = useFormats();
  const quantity = useQuantity();
  const unit = String(item.unit_of_measure ?? '');
  const serials = Array.isArray(item.serial_numbers) ? item.serial_numbers.map(String) : [];
  return (
    <Table.Tr>
      <Table.Td>
        <RecordLink family="part" id={Number(item.part_id)}>
          {part ?? String(item.part_id)}
        </RecordLink>
        {typeof item.plan_id === 'number' && (
          <Text size="sm" className="typed">
            {t(planKey(item), { plan: plan ?? String(item.plan_id) })}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {item.inventory_id ? (
          <RecordLink family="inventory" id={Number(item.inventory_id)}>
            <TypedText text={String(item.serial_number ?? t('lot.unnamed'))} />
          </RecordLink>
        ) : (
          <TypedText text={String(item.serial_number ?? '–')} />
        )}
        {serials.length > 0 && (
          <Text size="sm" className="typed">
            {t('serials')}: {formats.list(serials)}
          </Text>
        )}
        {typeof item.sscc === 'string' && (
          <Text size="sm" className="typed">
            {t('pallet')}: {item.sscc}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="date">{formats.day(item.expiry_date as string | null) || '–'}</Table.Td>
      <Table.Td>{quantity(Number(item.quantity_accepted ?? 0), unit)}</Table.Td>
      <Table.Td>
        {Number(item.quantity_rejected ?? 0) > 0 ? (
          <Text span fw={700} c="red.9">
            {quantity(Number(item.quantity_rejected), unit)}
          </Text>
        ) : (
          '0'
        )}
      </Table.Td>
      <Table.Td className="typed">{item.location_id ? (place ?? '') : '–'}</Table.Td>
      <Table.Td>
        {proposal ? (
          <Button
            variant="light"
            color="red"
            leftSection={<IconAlertOctagon aria-hidden />}
            onClick={() => onReport(proposal)}
          >
            {t('report')}
          </Button>
        ) : raised ? (
          <RecordLink family="ncr" id={raised.id}>
            {raised.ncr_number ?? String(raised.id)}
          </RecordLink>
        ) : (
          '–'
        )}
      </Table.Td>
      {onCorrect && (
        <Table.Td>
          <Button
            variant="default"
            aria-label={t('correct.line', { number: Number(item.order ?? item.id) })}
            onClick={() => onCorrect(item)}
          >
            {t('correct')}
          </Button>
        </Table.Td>
      )}
    </Table.Tr>
  );
});

/** What the inspection plan of the goods made of the line. */
function planKey({ is_certificate_missing, is_inspection_skipped }: ReceiptItem): string {
  if (is_certificate_missing === true) return 'plan.certificate';
  return is_inspection_skipped === true ? 'plan.skipped' : 'plan.applied';
}
