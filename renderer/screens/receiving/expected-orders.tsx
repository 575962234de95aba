import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { ExpectedOrder } from '../../../shared/operations/overview-operations.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { useFormats } from '../../i18n/formats.ts';
import { Failure } from '../../ui/failure.tsx';
import { today } from '../../ui/today.ts';
import { OrderNumber } from './order-number.tsx';
import { useIsBlind } from './use-is-blind.ts';

const SHOWN = 5;

/** What is to come, the earliest first: one press begins its receipt, or goes on with the one that is open. */
export function ExpectedOrders() {
  const { t } = useTranslation('receiving');
  const formats = useFormats();
  const may = useMay();
  const isBlind = useIsBlind();
  const navigate = useNavigate();
  const { data, error } = useCall('x.expected.list');
  const { mutateAsync, isPending } = useWrite('receiving-inspections.create');
  const [isWhole, setIsWhole] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const orders = data?.data ?? [];
  if (orders.length === 0) return <Failure error={error} />;
  const canReceive = may('receiving-inspections.create');
  const receive = async ({ id, receipt_id: open }: ExpectedOrder) => {
    setFailure(null);
    try {
      const body = { purchase_order_id: id, actual_arrival_date: today() };
      await navigate(`/app/receiving/${open ?? (await mutateAsync({ body })).data.id}`);
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <section aria-label={t('expected')}>
      <Title order={2} size="h3">
        {t('expected')}
      </Title>
      <Failure error={failure} />
      <Stack gap={4} component="ul" className="plain-list" role="list">
        {orders.slice(0, isWhole ? orders.length : SHOWN).map(order => (
          <Group key={order.id} component="li" justify="space-between" mih={48}>
            <Group gap="sm">
              <OrderNumber id={order.id} number={order.po_number} isBlind={isBlind} />
              <Text className="typed">
                {[order.supplier, formats.day(order.expected_date)].filter(Boolean).join(' · ')}
              </Text>
              {order.is_late && (
                <Badge size="lg" color="red" leftSection={<IconAlertTriangle size={16} aria-hidden />}>
                  {t('expected.late')}
                </Badge>
              )}
              {order.has_receipts && <Badge size="lg">{t('expected.partly')}</Badge>}
            </Group>
            {canReceive && (
              <Button
                variant="default"
                disabled={isPending}
                aria-label={`${t(begin(order))} ${order.po_number}`}
                onClick={() => void receive(order)}
              >
                {t(begin(order))}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      {orders.length > SHOWN && (
        <Button variant="subtle" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {t(isWhole ? 'expected.fewer' : 'expected.all', { count: orders.length })}
        </Button>
      )}
    </section>
  );
}

function begin({ receipt_id: open }: ExpectedOrder): string {
  return open === null ? 'expected.receive' : 'expected.go-on';
}
