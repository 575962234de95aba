import { Button, Group, Progress, Table, Text, Title } from '@mantine/core';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/calls.ts';
import { useTitles } from '../../api/titles.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { useFormats } from '../../i18n/formats.ts';
import { Failure } from '../../ui/failure.tsx';
import { RecordLink } from '../../ui/links.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';
import { today } from '../../ui/today.ts';
import { type ExpectedLine, expectedLinesOf } from './expected.ts';
import { OrderNumber } from './order-number.tsx';

/** What the receipt's purchase order expects, line by line, and how much of it is here. */
export const ExpectedLines = memo(function ExpectedLines(props: { order: number; isBlind: boolean }) {
  const { order, isBlind } = props;
  const { t } = useTranslation('receiving');
  const formats = useFormats();
  const { data, error } = useCall('x.purchase-orders.read', {
    params: { id: order },
  });
  const [isWhole, setIsWhole] = useState(false);
  const all = data ? expectedLinesOf(data.data) : [];
  // What has come needs no more looking at; nobody is told by that, either, how much was expected.
  const waiting = all.filter(({ ordered, received, isClosed }) => received !== ordered && !isClosed);
  const lines = isWhole || isBlind ? all : waiting;
  const titleOf = useTitles(lines.map(({ part }) => `part:${part}`));
  const columns = [
    'part',
    'expected.announced',
    ...(isBlind ? [] : ['expected.ordered', 'expected.here', 'expected.open']),
  ];
  const day = data?.data.expected_date;
  return (
    <section aria-label={t('expected')}>
      <Group gap="xs">
        <Title order={2} size="h3">
          {t('expected')}
        </Title>
        {data && <OrderNumber id={order} number={String(data.data.po_number)} isBlind={isBlind} />}
        {typeof day === 'string' && <Text>{t('expected.on', { day: formats.day(day) })}</Text>}
      </Group>
      <Failure error={error} />
      {isBlind && <Text>{t('expected.blind')}</Text>}
      <TitledTable aria-label={t('expected')} minWidth={420} columns={columns.map(name => t(name))}>
        {lines.map(line => (
          <Row
            key={line.id}
            line={line}
            day={line.day ?? (typeof day === 'string' ? day : null)}
            part={titleOf('part', line.part)}
            isBlind={isBlind}
          />
        ))}
      </TitledTable>
      {!isBlind && waiting.length < all.length && (
        <Button variant="subtle" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {t(isWhole ? 'expected.waiting' : 'expected.whole', { count: all.length })}
        </Button>
      )}
    </section>
  );
});

interface RowProps {
  line: ExpectedLine;
  /** When it is expected. */
  day: string | null;
  part: string | undefined;
  isBlind: boolean;
}

function Row({ line, day, part, isBlind }: RowProps) {
  const { t } = useTranslation('receiving');
  const formats = useFormats();
  const quantity = useQuantity();
  const { ordered, received, open, lot, expiry, sscc, unit } = line;
  const over = received > ordered;
  const word = wordOf(line, day);
  const announced = [lot, expiry && formats.day(expiry), sscc && `SSCC ${sscc}`].filter(Boolean).join(' · ');
  return (
    <Table.Tr>
      <Table.Td>
        <RecordLink family="part" id={line.part}>
          {part ?? String(line.part)}
        </RecordLink>
      </Table.Td>
      <Table.Td className="typed">
        {announced || (word ? '' : '–')}
        {word && (
          <Text span fw={700}>
            {announced && ' · '}
            {t(word)}
            {word !== 'expected.closed' && `: ${t('expected.on', { day: formats.day(day) })}`}
          </Text>
        )}
      </Table.Td>
      {!isBlind && (
        <>
          <Table.Td>{quantity(ordered, unit)}</Table.Td>
          <Table.Td>
            {quantity(received, unit)}
            <Progress
              aria-label={t('expected.here')}
              value={Math.min(100, ordered > 0 ? (received / ordered) * 100 : 0)}
              color={over ? 'red.9' : 'green.9'}
            />
          </Table.Td>
          <Table.Td>
            {over ? (
              <Text span fw={700} c="red.9">
                {t('expected.over', { quantity: quantity(received - ordered, unit) })}
              </Text>
            ) : (
              quantity(open, unit)
            )}
          </Table.Td>
        </>
      )}
    </Table.Tr>
  );
}

/** What is to be said of a line beside how much is here; null: nothing. */
function wordOf({ open, isClosed }: ExpectedLine, day: string | null): string | null {
  if (isClosed) return 'expected.closed';
  if (day === null || open <= 0 || day === today()) return null;
  return day > today() ? 'expected.early' : 'expected.late';
}
