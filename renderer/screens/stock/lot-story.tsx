import { Anchor, List, Stack, Text, Timeline, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Trace } from '../../../shared/operations/trace-schemas.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { useFormats } from '../../i18n/formats.ts';
import { RecordLink } from '../../ui/links.tsx';
import { recordPath } from '../../ui/record-path.ts';

/** Where it came from, what was measured, where it went, who complained: in the order in which it happened. */
export function LotStory({ trace }: { trace: Trace }) {
  const { t } = useTranslation('stock');
  const formats = useFormats();
  const inUnit = useQuantity();
  const { customers, related_lots, events } = trace;
  const suppliers = trace.suppliers.filter(({ id, name }) => id !== null || name !== null);
  return (
    <Stack>
      <Group title={t('story.from')} isEmpty={suppliers.length === 0}>
        {suppliers.map(({ id, name }) => (
          <Entry key={id} family="supplier" id={id}>
            {name}
          </Entry>
        ))}
      </Group>
      <Group title={t('story.to')} isEmpty={customers.length === 0}>
        {customers.map(({ id, name, quantities }) => (
          <Entry key={id ?? 0} family="customer" id={id}>
            {name ?? t('story.unnamed')}:{' '}
            {formats.list(quantities.map(({ quantity, unit }) => inUnit(quantity, unit)))}
          </Entry>
        ))}
      </Group>
      <Group title={t('story.related')} isEmpty={related_lots.length === 0}>
        {related_lots.map(({ id, part, batch_number }) => (
          <Entry key={id} family="inventory" id={id}>
            {part} · {batch_number}
          </Entry>
        ))}
      </Group>
      <section>
        <Title order={3} mb="sm">
          {t('story.events')}
        </Title>
        <Timeline bulletSize={18} lineWidth={2} active={events.length}>
          {events.map((event, index) => (
            <Timeline.Item
              // Events have no id of their own, and the list is only ever read anew as a whole.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              key={index}
              title={
                <Anchor component={Link} to={recordPath(event.family, event.id)}>
                  {t(`event.${event.kind}`)}
                  {event.quantity !== null && ` ${inUnit(event.quantity, event.unit)}`}
                </Anchor>
              }
            >
              <Text size="sm" className="typed">
                {[
                  formats.moment(event.at),
                  event.who,
                  event.passed === null ? null : t(event.passed ? 'event.passed' : 'event.failed'),
                  event.note,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </Timeline.Item>
          ))}
        </Timeline>
      </section>
    </Stack>
  );
}

function Group({ title, isEmpty, children }: { title: string; isEmpty: boolean; children: React.ReactNode }) {
  if (isEmpty) return null;
  return (
    <section>
      <Title order={3}>{title}</Title>
      <List listStyleType="none">{children}</List>
    </section>
  );
}

function Entry({ family, id, children }: { family: string; id: number | null; children: React.ReactNode }) {
  return (
    <List.Item py={4} className="typed">
      {id === null ? (
        children
      ) : (
        <RecordLink family={family} id={id}>
          {children}
        </RecordLink>
      )}
    </List.Item>
  );
}
