import { Button, Group, Select, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { countReasons } from '../../../shared/contract/count-standing.ts';
import type { Role } from '../../../shared/contract/role.ts';
import { useWrite } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { Failure } from '../../ui/failure.tsx';
import { RecordLink } from '../../ui/links.tsx';
import { isAboutReason } from '../../ui/reason/about-reason.ts';
import { ForRole } from '../../ui/reason/for-role.tsx';
import { ReasonForm } from '../../ui/reason-form.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';
import type { Count, CountedItem } from './count.ts';

/** As every other correction of stock. */
const POSTER: Role = 'quality';

interface CountedLotsProps {
  count: Count;
  nameOf: (lot: number) => string;
  onWithdraw: () => void;
}

/** A finished count: what was counted of each lot, by how much it differs from the books, why, and the posting. */
export function CountedLots({ count, nameOf, onWithdraw }: CountedLotsProps) {
  const { t } = useTranslation('floor');
  const may = useMay();
  const post = useWrite('x.stock-counts.post');
  const update = useWrite('x.stock-counts.update.patch');
  const [failure, setFailure] = useState<unknown>(null);
  const isAsked = isAboutReason(failure);
  const { id, items, standing } = count;
  const isWaiting = standing === 'differs';
  const mayChange = may('x.stock-counts.update.patch');
  const mayPost = may('x.stock-counts.post');
  const lacks = items.some(item => item.quantity_difference !== 0 && item.reason === null);
  const change = (write: Promise<unknown>) => {
    setFailure(null);
    write.catch(setFailure);
  };
  const postIt = (reason?: string) => post.mutateAsync({ params: { id }, body: { reason } });
  return (
    <Stack>
      {isWaiting && <Text>{t('post.first')}</Text>}
      <TitledTable
        aria-label={t('counted-lots')}
        minWidth={600}
        columns={[t('lot'), t('counted'), t('difference'), t('why-differs')]}
      >
        {items.map(item => (
          <Row
            key={item.id}
            item={item}
            name={nameOf(item.inventory_id)}
            onReason={
              isWaiting && mayChange
                ? reason =>
                    change(update.mutateAsync({ params: { id }, body: { items: [{ id: item.id, reason }] } }))
                : undefined
            }
          />
        ))}
      </TitledTable>
      {items.length === 0 && <Text>{t('counted-lots.none')}</Text>}
      <Failure error={failure} />
      {isWaiting && lacks && <Text>{t('post.reasons')}</Text>}
      {isWaiting && isAsked && (
        <ReasonForm
          title={t('post.anyway')}
          label={t('reason:reason')}
          onClose={() => setFailure(null)}
          onSubmit={postIt}
        />
      )}
      {isWaiting && !isAsked && (
        <Group className="page-end">
          {mayPost ? (
            <Button disabled={lacks} loading={post.isPending} onClick={() => change(postIt())}>
              {t('post')}
            </Button>
          ) : (
            <>
              <Text>{t('post')}</Text>
              <ForRole role={POSTER} />
            </>
          )}
          {mayChange && (
            <Button variant="default" onClick={onWithdraw}>
              {t('withdraw')}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}

function Row(props: {
  item: CountedItem;
  name: string;
  onReason: ((reason: string | null) => void) | undefined;
}) {
  const { item, name, onReason } = props;
  const { t } = useTranslation('floor');
  const { choice } = useFamilyTexts();
  const quantityOf = useQuantity();
  const difference = item.quantity_difference ?? 0;
  return (
    <Table.Tr>
      <Table.Td>
        <RecordLink family="inventory" id={item.inventory_id}>
          {name}
        </RecordLink>
      </Table.Td>
      <Table.Td>
        {quantityOf(item.quantity_recounted ?? item.quantity_counted ?? 0, item.unit_of_measure)}
        {item.quantity_recounted !== null && (
          <Text size="sm">
            {t('first-count', { quantity: quantityOf(item.quantity_counted ?? 0, item.unit_of_measure) })}
          </Text>
        )}
      </Table.Td>
      <Table.Td fw={difference === 0 ? 400 : 700}>
        {difference === 0
          ? t('none')
          : `${difference > 0 ? '+' : ''}${quantityOf(difference, item.unit_of_measure)}`}
      </Table.Td>
      <Table.Td>
        {difference === 0 ? (
          '–'
        ) : onReason ? (
          <Select
            aria-label={t('why-differs.of', { goods: name })}
            data={countReasons.map(reason => ({ value: reason, label: choice(reason) }))}
            value={item.reason}
            onChange={onReason}
          />
        ) : (
          item.reason && choice(item.reason)
        )}
      </Table.Td>
    </Table.Tr>
  );
}
