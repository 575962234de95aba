import { Button, Card, Collapse, Group, List, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { differsFromTaken, type Taken } from '../../../shared/contract/shipped-line.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { useTitles } from '../../api/titles.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { useFormats } from '../../i18n/formats.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { Failure } from '../../ui/failure.tsx';
import { RecordLink } from '../../ui/links.tsx';
import { QuantityInput } from '../../ui/pad/quantity-input.tsx';
import { PickList } from './pick-list.tsx';
import { PutLineBack } from './put-line-back.tsx';

export interface ShipmentItemFields extends Record<string, unknown> {
  id: number;
  part_id: number;
  serial_number?: string | null;
  quantity: number;
  taken?: Taken[] | null;
}

/** A line: what goes and from which lots; once shipped, what was taken. */
export function ShipmentItem(props: { shipment: number; item: ShipmentItemFields; isClosed: boolean }) {
  const { shipment, item, isClosed } = props;
  const { t } = useTranslation('shipping');
  const formats = useFormats();
  const inUnit = useQuantity();
  const [isOpen, lots] = useDisclosure(false);
  const [isChanging, change] = useDisclosure(false);
  const [quantity, setQuantity] = useState<string | number>(item.quantity);
  const { mutateAsync } = useWrite('shipments.items.update');
  const takeOff = useWrite('shipments.items.update');
  const part = useCall('parts.read', { params: { id: item.part_id } });
  const taken = item.taken ?? [];
  const titleOf = useTitles([`part:${item.part_id}`, ...taken.map(each => `inventory:${each.inventory_id}`)]);
  return (
    <Card withBorder component="article">
      <Group justify="space-between">
        <div>
          <RecordLink family="part" id={item.part_id} fw={700}>
            {titleOf('part', item.part_id) ?? item.part_id}
          </RecordLink>
          <Text>
            {inUnit(item.quantity, part.data?.data.unit_of_measure)}
            {item.serial_number && ` · ${t('lot')} ${item.serial_number}`}
          </Text>
        </div>
        {!isClosed && (
          <Group>
            <Button variant="default" onClick={change.toggle} aria-expanded={isChanging}>
              {t('item.change')}
            </Button>
            <Button variant="default" onClick={lots.toggle} aria-expanded={isOpen}>
              {t('lots')}
            </Button>
            <Button
              variant="default"
              loading={takeOff.isPending}
              onClick={() =>
                takeOff.mutate({ params: { shipment_id: shipment, id: item.id }, body: { quantity: 0 } })
              }
            >
              {t('item.remove')}
            </Button>
          </Group>
        )}
      </Group>
      <Failure error={takeOff.error} />
      {isChanging && (
        <ActionForm
          title={t('item.change')}
          submit={t('app:save')}
          onClose={change.close}
          onSubmit={() =>
            mutateAsync({
              params: { shipment_id: shipment, id: item.id },
              body: { quantity: Number(quantity) },
            })
          }
        >
          {errors => (
            <QuantityInput
              label={t('quantity')}
              description={t('item.none')}
              value={quantity}
              onChange={setQuantity}
              error={errors('quantity')}
              hideControls
              min={0}
              required
            />
          )}
        </ActionForm>
      )}
      {isClosed && differsFromTaken(item) && <PutLineBack shipment={shipment} item={item} />}
      {taken.length > 0 && (
        <List listStyleType="none" aria-label={t('taken')}>
          {taken.map(each => (
            <List.Item key={`${each.inventory_id} ${each.location_id}`} py={4}>
              {t('taken.from', { quantity: formats.number(each.quantity) })}{' '}
              <RecordLink family="inventory" id={each.inventory_id} underline="always">
                {titleOf('inventory', each.inventory_id) ?? each.inventory_id}
              </RecordLink>
            </List.Item>
          ))}
        </List>
      )}
      {!isClosed && (
        <Collapse expanded={isOpen} keepMounted={false}>
          <PickList part={item.part_id} lot={item.serial_number ?? null} quantity={item.quantity} />
        </Collapse>
      )}
    </Card>
  );
}
