import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { shippedLineOf, type Taken } from '../../../shared/contract/shipped-line.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { useTitles } from '../../api/titles.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { ReasonForm } from '../../ui/reason-form.tsx';

/** What was taken for a line that says something else by now, and the way to have it say that again. */
export function PutLineBack({
  shipment,
  item,
}: {
  shipment: number;
  item: { id: number; part_id: number; taken?: Taken[] | null };
}) {
  const { t } = useTranslation('shipping');
  const inUnit = useQuantity();
  const may = useMay();
  const [isOpen, form] = useDisclosure(false);
  const { mutateAsync } = useWrite('shipments.items.update');
  const shipped = shippedLineOf({ taken: item.taken }) ?? null;
  const part = shipped?.part_id ?? item.part_id;
  const { data } = useCall('parts.read', { params: { id: part } });
  const titleOf = useTitles([`part:${part}`]);
  return (
    <Stack gap="xs" my="xs" align="start">
      <Text fw={700} c="red.9">
        {shipped === null
          ? t('differs.nothing')
          : t('differs.taken', {
              quantity: inUnit(shipped.quantity, data?.data.unit_of_measure),
              part: titleOf('part', part) ?? part,
              lot: shipped.serial_number
                ? t('differs.lot', { lot: shipped.serial_number })
                : t('differs.any'),
            })}
      </Text>
      {may('shipments.items.update') && !isOpen && (
        <Button variant="default" onClick={form.open}>
          {t('put-back')}
        </Button>
      )}
      {isOpen && (
        <ReasonForm
          title={t('put-back')}
          label={t('reason:reason')}
          kind="shipment"
          onClose={form.close}
          onSubmit={reason =>
            mutateAsync({
              params: { shipment_id: shipment, id: item.id },
              body: { ...(shipped ?? { quantity: 0 }), reason },
            })
          }
        />
      )}
    </Stack>
  );
}
