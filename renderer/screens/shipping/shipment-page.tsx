import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconForklift, IconPencil, IconTruckDelivery } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { differsFromTaken } from '../../../shared/contract/shipped-line.ts';
import { families } from '../../../shared/families/registry.ts';
import { useMay } from '../../api/may.ts';
import { useTitles } from '../../api/titles.ts';
import { useFormats } from '../../i18n/formats.ts';
import { CorrectionList, LotCorrections } from '../../record/corrections/correction-list.tsx';
import { PrintMenu } from '../../record/print/print-menu.tsx';
import { RecordFields } from '../../record/record-fields.tsx';
import { RecordHistory } from '../../record/record-history.tsx';
import { SignatureList } from '../../record/signature-list.tsx';
import { itemsIn, useWholeRecord } from '../../record/whole-record.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { RecordHeading } from '../../ui/record-heading.tsx';
import { SectionTabs } from '../../ui/section-tabs.tsx';
import { useHotkeys } from '../../ui/use-hotkeys.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { AddItem } from './add-item.tsx';
import { CloseShipment } from './close-shipment.tsx';
import { PickingStanding } from './picking-standing.tsx';
import { ReopenShipment } from './reopen-shipment.tsx';
import { ShipmentItem, type ShipmentItemFields } from './shipment-item.tsx';
import { ShipmentStatus, shipmentStatus } from './shipment-status.tsx';

/** A shipment: what goes, from which lots, and the closing that takes them. */
export function Component() {
  const id = Number(useParams().id);
  return <ShipmentPage key={id} id={id} />;
}

function ShipmentPage({ id }: { id: number }) {
  const { t } = useTranslation('shipping');
  const formats = useFormats();
  const may = useMay();
  const [action, setAction] = useState<'close' | 'reopen' | null>(null);
  const query = useWholeRecord('shipment', id);
  const isShipped = typeof query.data?.data.fields.actual_ship_date === 'string';
  const all = itemsIn(
    families.shipment.collections.items,
    query.data?.data.fields.items,
  ) as ShipmentItemFields[];
  // A line that was taken off has nothing in it: history keeps it.
  const items = all.filter(({ quantity }) => isShipped || quantity > 0);
  const lots = [...new Set(items.flatMap(({ taken }) => taken?.map(one => one.inventory_id) ?? []))];
  const titleOf = useTitles(lots.map(lot => `inventory:${lot}`));
  const canShip =
    query.data !== undefined && may('shipments.update') && items.length > 0 && !isShipped && action === null;
  const ship = () => setAction('close');
  useHotkeys(canShip ? [['s', ship]] : []);
  if (!query.data) return <Waiting query={query} />;
  const { fields } = query.data.data;
  const shipDate = typeof fields.actual_ship_date === 'string' ? fields.actual_ship_date : null;
  const canChange = may('shipments.update');
  const finish = () => setAction(null);
  return (
    <Stack>
      <RecordHeading
        kind={t('shipment')}
        title={String(fields.shipment_number ?? id)}
        status={
          <ShipmentStatus
            status={shipmentStatus(fields.requested_ship_date, shipDate)}
            size="xl"
            {...(shipDate && { word: t('shipped', { day: formats.day(shipDate) }) })}
          />
        }
      />
      <Group>
        {!shipDate && items.length > 0 && may('x.inventory.moves.create') && (
          <ButtonLink to={`/app/shipping/${id}/pick`} icon={IconForklift}>
            {t('pick')}
          </ButtonLink>
        )}
        {canChange && (
          <ButtonLink to={`/app/records/shipment/${id}/edit`} icon={IconPencil}>
            {t('app:change')}
          </ButtonLink>
        )}
        <PrintMenu family="shipment" id={id} />
      </Group>
      {shipDate && items.some(differsFromTaken) && (
        <Alert color="red" variant="light" role="alert" title={t('differs.title')}>
          {t('differs.text')}
        </Alert>
      )}
      <RecordFields family={families.shipment} id={id} stored={fields} />

      <section aria-label={t('items')}>
        <Title order={2}>{t('items')}</Title>
        {items.length === 0 && <Text>{t('items.none')}</Text>}
        <Stack mt="sm">
          {items.map(item => (
            <ShipmentItem key={item.id} shipment={id} item={item} isClosed={shipDate !== null} />
          ))}
        </Stack>
      </section>
      {!shipDate && items.length > 0 && may('x.inventory.moves.create') && <PickingStanding shipment={id} />}
      {!shipDate && canChange && <AddItem shipment={id} isFirst={items.length === 0} />}
      {shipDate && canChange && action === null && (
        <Alert variant="light" color="gray">
          <Group justify="space-between">
            <Text>{t('closed.text')}</Text>
            <Button variant="default" onClick={() => setAction('reopen')}>
              {t('reopen')}
            </Button>
          </Group>
        </Alert>
      )}
      {action === 'reopen' && shipDate && <ReopenShipment id={id} day={shipDate} onClose={finish} />}
      <CorrectionList family={families.shipment} id={id} />
      {lots.map(lot => (
        <LotCorrections key={lot} id={lot} of={titleOf('inventory', lot)} />
      ))}
      <SignatureList family="shipment" id={id} />

      <SectionTabs
        defaultValue={null}
        allowTabDeactivation
        tabs={[
          {
            name: 'history',
            title: t('app:history'),
            content: <RecordHistory family={families.shipment} id={id} />,
          },
        ]}
      />
      {canChange && !shipDate && action === 'close' && (
        <div className="page-end">
          <CloseShipment id={id} onClose={finish} />
        </div>
      )}
      {canShip && (
        <Group className="page-end">
          <Button leftSection={<IconTruckDelivery aria-hidden />} onClick={ship}>
            {t('close')}
          </Button>
          <Text size="sm">{t('keys')}</Text>
        </Group>
      )}
    </Stack>
  );
}
