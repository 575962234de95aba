import { Alert, Badge, Group, List, Stack, Text, Title } from '@mantine/core';
import {
  IconAdjustments,
  IconAlertOctagon,
  IconArrowRight,
  IconArrowsTransferDown,
  IconCertificate,
  IconClipboardCheck,
  IconLock,
  IconLockOpen,
  IconMinus,
  IconPencil,
  IconReportSearch,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { families } from '../../../shared/families/registry.ts';
import { useCall } from '../../api/calls.ts';
import { useLackedRole, useMay } from '../../api/may.ts';
import { useAuthorName } from '../../i18n/author-name.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { useRecordWords } from '../../i18n/families/use-record-words.ts';
import { useFormats } from '../../i18n/formats.ts';
import { CertificateList } from '../../record/certificates/certificate-list.tsx';
import { IssueCertificate } from '../../record/certificates/issue-certificate.tsx';
import { LotCorrections } from '../../record/corrections/correction-list.tsx';
import { CorrectionInShort } from '../../record/corrections/correction-words.tsx';
import { PrintMenu } from '../../record/print/print-menu.tsx';
import { RecordFields } from '../../record/record-fields.tsx';
import { RecordHistory } from '../../record/record-history.tsx';
import { SignatureList } from '../../record/signature-list.tsx';
import { Failure } from '../../ui/failure.tsx';
import { RecordLink } from '../../ui/links.tsx';
import { type PageAction, PageActions } from '../../ui/page-actions.tsx';
import { ForRole } from '../../ui/reason/for-role.tsx';
import { RecordHeading } from '../../ui/record-heading.tsx';
import { SectionTabs } from '../../ui/section-tabs.tsx';
import { today } from '../../ui/today.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { AdjustLot } from './adjust-lot.tsx';
import { LockLot } from './lock-lot.tsx';
import { lotNext } from './lot-next.ts';
import { LotStory } from './lot-story.tsx';
import { MoveLot } from './move-lot.tsx';
import { SerialNumbers } from './serial-numbers.tsx';

type FormName = 'move' | 'adjust' | 'lock' | 'certificate';

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
  const lackedRole = useLackedRole();
  const words = useRecordWords();
  const authorName = useAuthorName();
  const [action, setAction] = useState<FormName | null>(null);
  const params = { id };
  const lot = useCall('inventory.read', { params });
  const facts = useCall('x.inventory.facts', { params });
  const trace = useCall('x.trace.inventory', { params });
  if (!lot.data || !facts.data) return <Waiting query={lot.error ? lot : facts} />;
  const fields = lot.data.data;
  const { unit, quantity, locations, locks } = facts.data.data;
  const part = fields.part as { id: number; name: string; identification: string } | null;
  const batch = String(fields.batch_number ?? t('lot.unnamed', { id }));
  const isExpired = isBeforeToday(fields.nearest_expiry_date);
  const isLocked = locks.some(lock => lock.family === 'inventory');
  const [color, Sign, word] =
    locks.length > 0
      ? ['red', IconLock, t('locked')]
      : isExpired
        ? ['red', IconAlertOctagon, t('expired')]
        : quantity === 0
          ? ['gray.7', IconMinus, t('status.empty')]
          : ['green.9', IconLockOpen, t('free')];
  // Who it was and why stands in the story of the lot.
  const lockedBy = trace.data?.data.locks.findLast(
    ({ inventory_id: lot, is_locked: isLock }) => lot === id && isLock,
  );
  const close = () => setAction(null);
  const family = families.inventory;
  const story = (
    <>
      {trace.data && <Failure error={trace.error} onRetry={() => void trace.refetch()} />}
      {trace.data ? <LotStory trace={trace.data.data} /> : <Waiting query={trace} />}
    </>
  );
  const unlocks = isLocked ? lackedRole(family, 'is_locked_by_person', true) : null;
  const serials = trace.data?.data.receipts.flatMap(({ serial_numbers = [] }) => serial_numbers) ?? [];
  const stands = locations.filter(place => place.quantity !== 0);
  const form = (name: FormName, operation: string, icon: PageAction['icon'], title: string = t(name)) =>
    may(operation) ? [{ name, title, icon, onPress: () => setAction(name), isOpen: action === name }] : [];
  const link = (name: string, to: string, icon: PageAction['icon'], title: string) => ({
    name,
    title,
    icon,
    to,
  });
  const actions: PageAction[] = [
    ...form('move', 'x.inventory.moves.create', IconArrowsTransferDown),
    link('inspections', `/app/inspection?inventory_id=${id}`, IconClipboardCheck, t('inspections')),
    ...(may('ncrs.create')
      ? [link('ncr', `/app/records/ncr/new?from=inventory:${id}`, IconAlertOctagon, t('ncr'))]
      : []),
    ...(unlocks === null
      ? form('lock', 'x.inventory.lock', isLocked ? IconLockOpen : IconLock, t(isLocked ? 'unlock' : 'lock'))
      : []),
    ...form('adjust', 'x.adjustments.create', IconAdjustments),
    ...form('certificate', 'x.certificates.issue', IconCertificate),
    link('recall', `/app/recall/inventory/${id}`, IconReportSearch, t('recall')),
    ...(may('x.inventory.update.patch')
      ? [link('change', `/app/records/inventory/${id}/edit`, IconPencil, t('app:change'))]
      : []),
  ];
  const next = lotNext({ locks, quantity, isExpired });
  const main =
    'settle' in next
      ? link('settle', next.to, IconArrowRight, t(`settle.${next.settle}`))
      : actions.find(({ name }) => name === next.action);
  return (
    <Stack>
      <RecordHeading
        kind={t('lot')}
        title={batch}
        status={
          <Stack gap={4} align="end">
            <Badge color={color} size="xl" leftSection={<Sign size={18} aria-hidden />}>
              {word}
            </Badge>
            <Text size="xl" fw={700} aria-label={t('quantity')}>
              {inUnit(quantity, unit)}
            </Text>
            {typeof fields.nearest_expiry_date === 'string' && (
              <Text>{t('expiry', { day: formats.day(fields.nearest_expiry_date) })}</Text>
            )}
          </Stack>
        }
      >
        {part && (
          <RecordLink family="part" id={part.id}>
            {part.name} · {part.identification}
          </RecordLink>
        )}
      </RecordHeading>

      {locks.length > 0 && (
        <Alert color="red" variant="light" icon={<IconLock aria-hidden />} title={t('locks')}>
          <List>
            {locks.map(lock => (
              <List.Item key={`${lock.family}:${lock.id}:${lock.reason}`}>
                <RecordLink family={lock.family} id={lock.id}>
                  {words.reason(lock.reason)}
                </RecordLink>
                {lock.family === 'inventory' && lockedBy && (
                  <Text size="sm" className="typed">
                    {[authorName(lockedBy.by ?? ''), formats.moment(lockedBy.at), lockedBy.reason]
                      .filter(Boolean)
                      .join(' · ')}
                  </Text>
                )}
                {lock.family === 'correction' && (
                  <Text size="sm">
                    <CorrectionInShort id={lock.id} />
                  </Text>
                )}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}

      <PageActions main={main} actions={actions}>
        <PrintMenu family="inventory" id={id} />
        {unlocks !== null && (
          <Group gap="xs" mih={48}>
            <Text>{t('unlock')}</Text>
            <ForRole role={unlocks} />
          </Group>
        )}
      </PageActions>
      {action === 'move' && <MoveLot id={id} unit={unit} locations={stands} onClose={close} />}
      {action === 'adjust' && <AdjustLot id={id} unit={unit} locations={stands} onClose={close} />}
      {action === 'lock' && <LockLot id={id} isLocked={isLocked} onClose={close} />}
      {action === 'certificate' && <IssueCertificate lot={id} onClose={close} />}

      <section>
        <Title order={2}>{t('places')}</Title>
        {stands.length === 0 && <Text>{t('places.none')}</Text>}
        <List listStyleType="none">
          {stands.map(place => (
            <List.Item key={place.location_id ?? 0} py={6}>
              {place.location_id === null ? (
                t('places.unnamed')
              ) : (
                <RecordLink family="location" id={place.location_id} underline="always">
                  {place.name}
                </RecordLink>
              )}
              {place.within !== null && ` · ${place.within}`}: {inUnit(place.quantity, unit)}
            </List.Item>
          ))}
        </List>
      </section>

      {serials.length > 0 && <SerialNumbers serials={serials} />}
      <CertificateList lot={id} />
      <LotCorrections id={id} />
      <SignatureList family={family.name} id={id} />
      <SectionTabs
        defaultValue="story"
        tabs={[
          { name: 'story', title: t('story'), content: story },
          {
            name: 'fields',
            title: t('fields'),
            content: <RecordFields family={family} id={id} stored={{}} />,
          },
          { name: 'history', title: t('app:history'), content: <RecordHistory family={family} id={id} /> },
        ]}
      />
    </Stack>
  );
}

function isBeforeToday(day: unknown): boolean {
  return typeof day === 'string' && day < today();
}
