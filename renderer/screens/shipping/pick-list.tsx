import { Badge, Button, Table, Text } from '@mantine/core';
import { IconCheck, IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { isSameNumber } from '../../../shared/contract/typed-number.ts';
import { LOT_STATES_LIMIT } from '../../../shared/operations/extension-schemas.ts';
import type { Trace } from '../../../shared/operations/trace-schemas.ts';
import { useCall } from '../../api/calls.ts';
import { useQuantity, useUnit } from '../../i18n/families/use-quantity.ts';
import { useRecordWords } from '../../i18n/families/use-record-words.ts';
import { useFormats } from '../../i18n/formats.ts';
import { RecordLink } from '../../ui/links.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';
import { today } from '../../ui/today.ts';
import { Waiting } from '../../ui/waiting.tsx';

type Lot = Trace['lots'][number];

export interface PickListProps {
  part: number;
  /** Only lots of this number. */
  lot: string | null;
  quantity: number | null;
  onPick?: (lot: string) => void;
}

/** The lots of a part, first expired first: what the closing would take of each, and why the others cannot ship. */
export function PickList({ part, lot, quantity, onPick }: PickListProps) {
  const { t } = useTranslation('shipping');
  const formats = useFormats();
  const inUnit = useQuantity();
  const unitOf = useUnit();
  const words = useRecordWords();
  const query = useCall('x.trace.parts', { params: { id: part } });
  const lots = (query.data?.data.lots ?? []).filter(each => each.on_hand !== 0).toSorted(firstExpiredFirst);
  const ids = lots.slice(0, LOT_STATES_LIMIT).map(({ id }) => id);
  const states = useCall(
    'x.inventory.states',
    { query: { ids: ids.join() } },
    { isEnabled: ids.length > 0, keepsPrevious: true },
  );
  const places = new Map(states.data?.data.map(({ id, locations }) => [id, locations]));
  if (query.error || !query.data) return <Waiting query={query} />;
  if (lots.length === 0) return <Text fw={700}>{t('lots.none')}</Text>;
  let left = quantity ?? 0;
  const rows = lots.map(each => {
    const why = whyNot(each);
    const isMeant = lot === null || isSameNumber(each.batch_number, lot);
    const taken = why === null && isMeant ? Math.max(0, Math.min(left, each.on_hand)) : 0;
    left -= taken;
    return { lot: each, why, taken, isMeant };
  });
  return (
    <>
      <TitledTable
        minWidth={600}
        withTableBorder
        aria-label={t('lots')}
        columns={[
          t('lot'),
          t('places'),
          t('expiry'),
          t('on-hand'),
          t('ships'),
          ...(onPick ? [t('choose')] : []),
        ]}
      >
        {rows.map(({ lot: each, why, taken, isMeant }) => (
          <Table.Tr key={each.id} opacity={isMeant ? 1 : 0.75}>
            <Table.Td>
              <RecordLink family="inventory" id={each.id}>
                {each.batch_number ?? each.id}
              </RecordLink>
            </Table.Td>
            <Table.Td className="typed">{places.get(each.id)?.filter(Boolean).join(', ') || '–'}</Table.Td>
            <Table.Td>{formats.day(each.expiry_date) || '–'}</Table.Td>
            <Table.Td>{inUnit(each.on_hand, each.unit)}</Table.Td>
            <Table.Td>
              {why ? (
                <Badge color="red" size="lg" leftSection={<IconLock size={14} aria-hidden />}>
                  {t(`why.${why.kind}`, { reason: words.reason(why.reason) })}
                </Badge>
              ) : taken > 0 ? (
                <Badge color="green.9" size="lg" leftSection={<IconCheck size={14} aria-hidden />}>
                  {t('takes', { quantity: formats.number(taken), unit: unitOf(each.unit) })}
                </Badge>
              ) : (
                t('may')
              )}
            </Table.Td>
            {onPick && (
              <Table.Td>
                {each.batch_number !== null && (
                  <Button
                    variant="default"
                    // Its text first: who speaks to the screen says what is written.
                    aria-label={`${t(isSameNumber(each.batch_number, lot) ? 'choose.any' : 'choose')}: ${each.batch_number}`}
                    onClick={() =>
                      onPick(isSameNumber(each.batch_number, lot) ? '' : (each.batch_number ?? ''))
                    }
                  >
                    {t(isSameNumber(each.batch_number, lot) ? 'choose.any' : 'choose')}
                  </Button>
                )}
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </TitledTable>
      {left > 0 && (
        <Text fw={700} c="red.9" role="alert">
          {t('short', { quantity: formats.number(Math.round(left * 1e6) / 1e6) })}
        </Text>
      )}
    </>
  );
}

/** Lots without a day come last; of the same day, the one that came first. */
function firstExpiredFirst(one: Lot, other: Lot): number {
  return (one.expiry_date ?? '9999').localeCompare(other.expiry_date ?? '9999') || one.id - other.id;
}

function whyNot(lot: Lot): { kind: 'locked' | 'expired' | 'negative'; reason: string } | null {
  const [lock] = lot.locks;
  if (lock) return { kind: 'locked', reason: lock.reason };
  if (lot.expiry_date !== null && lot.expiry_date < today()) return { kind: 'expired', reason: '' };
  return lot.on_hand < 0 ? { kind: 'negative', reason: '' } : null;
}
