import { Alert, Anchor, Badge, Button, Group, List, Stack, Tabs, Text, Title } from '@mantine/core';
import {
  IconAdjustments,
  IconAlertOctagon,
  IconArrowsTransferDown,
  IconClipboardCheck,
  IconLock,
  IconLockOpen,
  IconReportSearch,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { families } from '../../../shared/families/registry.ts';
import type { Trace } from '../../../shared/operations/trace-schemas.ts';
import { useCall } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { useRecordWords } from '../../i18n/families/use-record-words.ts';
import { useFormats } from '../../i18n/formats.ts';
import { PrintMenu } from '../../record/print/print-menu.tsx';
import { RecordHistory } from '../../record/record-history.tsx';
import { RecordFields } from '../../record/record-page.tsx';
import { Failure } from '../../ui/failure.tsx';
import { genericPath, recordPath } from '../../ui/record-path.ts';
import { AdjustLot } from './adjust-lot.tsx';
import { LockLot } from './lock-lot.tsx';
import { LotStory } from './lot-story.tsx';
import { MoveLot } from './move-lot.tsx';
import type { LotFacts } from './place-select.tsx';

type Action = 'move' | 'adjust' | 'lock';

/** A lot: how much, where, whether it may ship and why not, and its whole story. */
export function Component() {
  const id = Number(useParams().id);
  return <LotPage key={id} id={id} />;
}

function LotPage({ id }: { id: number }) {
  const { t } = useTranslation('stock');
  const formats = useFormats();
  const inUnit = useQuantity();
  const may = useMay();
  const words = useRecordWords();
  const [action, setAction] = useState<Action | null>(null);
  const params = { id };
  const lot = useCall<Record<string, unknown>>('inventory.read', { params });
  const facts = useCall<LotFacts>('x.inventory.facts', { params });
  const trace = useCall<Trace>('x.trace.inventory', { params });
  if (!lot.data || !facts.data) {
    const failed = lot.error ? lot : facts;
    return failed.error ? (
      <Failure error={failed.error} onRetry={() => void failed.refetch()} />
    ) : (
      <Text role="status">{t('reading')}</Text>
    );
  }
  const fields = lot.data.data;
  const { unit, quantity, locations, locks } = facts.data.data;
  const part = fields.part as { id: number; name: string; identification: string } | null;
  const batch = String(fields.batch_number ?? t('lot.unnamed', { id }));
  const isExpired = isBeforeToday(fields.nearest_expiry_date);
  const close = () => setAction(null);
  const stands = locations.filter(place => place.quantity !== 0);
  return (
    <Stack>
      <Group justify="space-between" align="start">
        <div>
          <Text c="dimmed">{t('lot')}</Text>
          <Title order={1} className="typed">
            {batch}
          </Title>
          {part && (
            <Anchor component={Link} to={recordPath('part', part.id)} className="typed">
              {part.name} · {part.identification}
            </Anchor>
          )}
        </div>
        <Stack gap={4} align="end">
          <Text size="xl" fw={700} aria-label={t('quantity')}>
            {inUnit(quantity, unit)}
          </Text>
          {locks.length > 0 ? (
            <Badge color="red" size="xl" leftSection={<IconLock size={18} aria-hidden />} styles={plain}>
              {t('locked')}
            </Badge>
          ) : isExpired ? (
            <Badge
              color="red"
              size="xl"
              leftSection={<IconAlertOctagon size={18} aria-hidden />}
              styles={plain}
            >
              {t('expired')}
            </Badge>
          ) : (
            <Badge
              color="green.9"
              size="xl"
              leftSection={<IconLockOpen size={18} aria-hidden />}
              styles={plain}
            >
              {t('free')}
            </Badge>
          )}
          {typeof fields.nearest_expiry_date === 'string' && (
            <Text>{t('expiry', { day: formats.day(fields.nearest_expiry_date) })}</Text>
          )}
        </Stack>
      </Group>

      {locks.length > 0 && (
        <Alert color="red" variant="light" icon={<IconLock aria-hidden />} title={t('locks')}>
          <List>
            {locks.map(lock => (
              <List.Item key={`${lock.family}:${lock.id}:${lock.reason}`}>
                <Anchor component={Link} to={recordPath(lock.family, lock.id)} className="typed">
                  {words.reason(lock.reason)}
                </Anchor>
              </List.Item>
            ))}
          </List>
        </Alert>
      )}

      <Group>
        {may('x.inventory.moves.create') && (
          <Button
            variant="default"
            leftSection={<IconArrowsTransferDown aria-hidden />}
            aria-expanded={action === 'move'}
            onClick={() => setAction('move')}
          >
            {t('move')}
          </Button>
        )}
        {may('x.adjustments.create') && (
          <Button
            variant="default"
            leftSection={<IconAdjustments aria-hidden />}
            aria-expanded={action === 'adjust'}
            onClick={() => setAction('adjust')}
          >
            {t('adjust')}
          </Button>
        )}
        {may('x.inventory.lock') && (
          <Button
            variant="default"
            leftSection={<IconLock aria-hidden />}
            aria-expanded={action === 'lock'}
            onClick={() => setAction('lock')}
          >
            {t(locks.some(isByPerson) ? 'unlock' : 'lock')}
          </Button>
        )}
        {may('ncrs.create') && (
          <Button
            component={Link}
            to={`/app/records/ncr/new?from=inventory:${id}`}
            variant="default"
            leftSection={<IconAlertOctagon aria-hidden />}
          >
            {t('ncr')}
          </Button>
        )}
        <Button
          component={Link}
          to={`/app/inspection?inventory_id=${id}`}
          variant="default"
          leftSection={<IconClipboardCheck aria-hidden />}
        >
          {t('inspections')}
        </Button>
        <Button
          component={Link}
          to={`/app/recall/inventory/${id}`}
          variant="default"
          leftSection={<IconReportSearch aria-hidden />}
        >
          {t('recall')}
        </Button>
        <PrintMenu family="inventory" id={id} />
      </Group>
      {action === 'move' && <MoveLot id={id} unit={unit} locations={stands} onClose={close} />}
      {action === 'adjust' && <AdjustLot id={id} unit={unit} locations={stands} onClose={close} />}
      {action === 'lock' && <LockLot id={id} isLocked={locks.some(isByPerson)} onClose={close} />}

      <section>
        <Title order={2}>{t('places')}</Title>
        {stands.length === 0 && <Text>{t('places.none')}</Text>}
        <List listStyleType="none">
          {stands.map(place => (
            <List.Item key={place.location_id ?? 0} py={6}>
              {place.location_id === null ? (
                t('places.unnamed')
              ) : (
                <Anchor component={Link} to={genericPath('location', place.location_id)} className="typed">
                  {place.name}
                </Anchor>
              )}
              : {inUnit(place.quantity, unit)}
            </List.Item>
          ))}
        </List>
      </section>

      <Tabs defaultValue="story" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="story">{t('story')}</Tabs.Tab>
          <Tabs.Tab value="fields">{t('fields')}</Tabs.Tab>
          <Tabs.Tab value="history">{t('history')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="story" pt="md">
          <Failure error={trace.error} onRetry={() => void trace.refetch()} />
          {!trace.data && !trace.error && <Text role="status">{t('reading')}</Text>}
          {trace.data && <LotStory trace={trace.data.data} />}
        </Tabs.Panel>
        <Tabs.Panel value="fields" pt="md">
          <RecordFields family={families.inventory} id={id} stored={{}} />
        </Tabs.Panel>
        <Tabs.Panel value="history" pt="md">
          <RecordHistory family={families.inventory} id={id} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

const plain = { root: { textTransform: 'none' as const } };

function isByPerson(lock: LotFacts['locks'][number]): boolean {
  return lock.family === 'inventory';
}

function isBeforeToday(day: unknown): boolean {
  return typeof day === 'string' && day < new Date().toISOString().slice(0, 10);
}
