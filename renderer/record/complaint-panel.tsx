import { Anchor, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { IconPlus, IconReportSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { FoundRecord } from '../../shared/operations/overview-operations.ts';
import { useCall } from '../api/calls.ts';
import { useMay } from '../api/may.ts';
import { useQuantity } from '../i18n/families/use-quantity.ts';
import { useFormats } from '../i18n/formats.ts';
import { recordPath } from '../ui/record-path.ts';

const MOST_LOTS = 5;

/** What a complaint touches: the lots of its number, what was shipped of them and to whom, and the reports about it. */
export function ComplaintPanel({ id, fields }: { id: number; fields: Record<string, unknown> }) {
  const { t } = useTranslation('quality');
  const may = useMay();
  const batch = typeof fields.batch_number === 'string' ? fields.batch_number : '';
  const part = typeof fields.part_id === 'number' ? fields.part_id : undefined;
  const lots = useCall(
    'x.find.list',
    { query: { text: batch, family: 'inventory', limit: 50 } },
    { isEnabled: batch !== '' },
  );
  const touched = (lots.data?.data ?? []).filter(lot => lot.is_exact && lot.title === batch);
  return (
    <section aria-label={t('complaint.touches')}>
      <Group justify="space-between">
        <Title order={2}>{t('complaint.touches')}</Title>
        {may('ncrs.create') && (
          <Button
            component={Link}
            to={`/app/records/ncr/new?from=complaint:${id}`}
            variant="default"
            leftSection={<IconPlus aria-hidden />}
          >
            {t('new.ncr')}
          </Button>
        )}
      </Group>
      <Stack mt="sm">
        <Reports id={id} />
        {batch === '' && <Text>{t('complaint.lotless')}</Text>}
        {lots.data && batch !== '' && touched.length === 0 && (
          <Text>{t('complaint.unknown', { lot: batch })}</Text>
        )}
        {touched.slice(0, MOST_LOTS).map(lot => (
          <TouchedLot key={lot.id} lot={lot} part={part} />
        ))}
        {touched.length > MOST_LOTS && <Text>{t('board.more', { count: touched.length - MOST_LOTS })}</Text>}
      </Stack>
    </section>
  );
}

function Reports({ id }: { id: number }) {
  const { t } = useTranslation('quality');
  const { data } = useCall('ncrs.list', { query: { complaint_id: id, per_page: 50 } });
  if (!data) return null;
  if (data.data.length === 0) return <Text>{t('complaint.reportless')}</Text>;
  return (
    <List listStyleType="none">
      {data.data.map(one => (
        <List.Item key={one.id} py={6}>
          <Anchor component={Link} to={recordPath('ncr', one.id)} underline="always" className="typed">
            {one.ncr_number}
          </Anchor>{' '}
          · {t(`status.${one.status}`)}
        </List.Item>
      ))}
    </List>
  );
}

function TouchedLot({ lot, part }: { lot: FoundRecord; part: number | undefined }) {
  const { t } = useTranslation('quality');
  const formats = useFormats();
  const quantity = useQuantity();
  const { data } = useCall('x.trace.inventory', { params: { id: lot.id } });
  const trace = data?.data;
  const others = trace?.ncrs ?? [];
  // Another part may have a lot of the same number.
  if (!trace || (part !== undefined && trace.part?.id !== part)) return null;
  return (
    <section>
      <Group>
        <Title order={3}>
          <Anchor component={Link} to={recordPath('inventory', lot.id)} underline="always" className="typed">
            {t('card.lot', { lot: lot.title })}
          </Anchor>
        </Title>
        <Button
          component={Link}
          to={`/app/recall/inventory/${lot.id}`}
          variant="subtle"
          leftSection={<IconReportSearch aria-hidden />}
        >
          {t('recall')}
        </Button>
      </Group>
      <List listStyleType="none">
        {trace.shipments.map(one => (
          <List.Item key={`${one.id}-${one.item_id}`} py={6}>
            <Anchor component={Link} to={recordPath('shipment', one.id)} underline="always" className="typed">
              {t('complaint.shipment', { number: one.shipment_number ?? one.id })}
            </Anchor>{' '}
            {[formats.day(one.date), one.customer, quantity(one.quantity, one.unit)]
              .filter(Boolean)
              .join(' · ')}
          </List.Item>
        ))}
        {trace.shipments.length === 0 && <List.Item>{t('complaint.unshipped')}</List.Item>}
        {others.map(one => (
          <List.Item key={`ncr-${one.id}`} py={6}>
            <Anchor component={Link} to={recordPath('ncr', one.id)} underline="always" className="typed">
              {t('complaint.report', { number: one.ncr_number ?? one.id })}
            </Anchor>{' '}
            {one.status && t(`status.${one.status}`)}
          </List.Item>
        ))}
      </List>
    </section>
  );
}
