import { Alert, Anchor, Badge, Group, Stack, Tabs, Text } from '@mantine/core';
import { IconArrowsLeftRight, IconGavel, IconPencil, IconPlus, IconReportSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { families } from '../../../shared/families/registry.ts';
import { useCall } from '../../api/calls.ts';
import { useLackedRole, useMay } from '../../api/may.ts';
import { useTitles } from '../../api/titles.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { useUnit } from '../../i18n/families/use-quantity.ts';
import { useFormats } from '../../i18n/formats.ts';
import { CorrectionList, LotCorrections } from '../../record/corrections/correction-list.tsx';
import { PrintMenu } from '../../record/print/print-menu.tsx';
import { RecordFields } from '../../record/record-fields.tsx';
import { RecordHistory } from '../../record/record-history.tsx';
import { RecordReferences } from '../../record/record-references.tsx';
import { SignatureList } from '../../record/signature-list.tsx';
import { useWholeRecord, type WholeRecord } from '../../record/whole-record.ts';
import { type PageAction, PageActions } from '../../ui/page-actions.tsx';
import { ForRole } from '../../ui/reason/for-role.tsx';
import { RecordHeading } from '../../ui/record-heading.tsx';
import { recordPath } from '../../ui/record-path.ts';
import { Section } from '../../ui/section.tsx';
import { useHotkeys } from '../../ui/use-hotkeys.ts';
import { Waiting } from '../../ui/waiting.tsx';
import type { LotFacts } from '../stock/place-select.tsx';
import { DispositionForm } from './disposition-form.tsx';
import { StatusChange } from './status-change.tsx';

/** A report: what it is about, what becomes of the goods and what that did, who signed, and what it led to. */
export function Component() {
  const id = Number(useParams().id);
  return <NcrPage key={id} id={id} />;
}

function NcrPage({ id }: { id: number }) {
  const { t } = useTranslation('quality');
  const formats = useFormats();
  const navigate = useNavigate();
  const may = useMay();
  const lackedRole = useLackedRole();
  const [action, setAction] = useState<'status' | 'disposition' | null>(null);
  const { data, error, refetch } = useWholeRecord('ncr', id);
  const lot = data?.data.fields.inventory_id;
  const facts = useCall(
    'x.inventory.facts',
    { params: { id: Number(lot) } },
    { isEnabled: typeof lot === 'number' },
  );
  const canChange = may('ncrs.update.patch');
  const editPath = `/app/records/ncr/${id}/edit`;
  useHotkeys(
    canChange
      ? [
          ['e', () => void navigate(editPath)],
          ['s', () => setAction('status')],
          ['d', () => setAction('disposition')],
        ]
      : [],
  );
  const isLotKnown = typeof lot !== 'number' || facts.data !== undefined || facts.error !== null;
  if (!data || !isLotKnown) return <Waiting query={{ error, refetch }} />;
  const report = data.data;
  const { fields } = report;
  const status = String(fields.status ?? 'open');
  const number = String(fields.ncr_number ?? id);
  const close = () => setAction(null);
  const form = (name: 'status' | 'disposition', icon: PageAction['icon'], hotkey: string): PageAction => ({
    name,
    title: t(name),
    icon,
    hotkey,
    onPress: () => setAction(name),
    isOpen: action === name,
  });
  const actions: PageAction[] = [
    ...(canChange ? [form('disposition', IconGavel, 'D'), form('status', IconArrowsLeftRight, 'S')] : []),
    ...(may('cars.create')
      ? [{ name: 'car', title: t('car.raise'), icon: IconPlus, to: `/app/records/car/new?from=ncr:${id}` }]
      : []),
    ...(typeof lot === 'number' && may('x.trace.inventory')
      ? [{ name: 'recall', title: t('recall'), icon: IconReportSearch, to: `/app/recall/inventory/${lot}` }]
      : []),
    ...(canChange
      ? [{ name: 'change', title: t('app:change'), icon: IconPencil, hotkey: 'E', to: editPath }]
      : []),
  ];
  // The goods first, then the report itself; a closed one waits for nothing.
  const lacked = lackedRole(families.ncr, 'disposition', fields.disposition);
  const next = status === 'closed' ? null : typeof fields.disposition === 'string' ? 'status' : 'disposition';
  return (
    <Stack>
      <RecordHeading
        kind={t('ncr')}
        title={number}
        status={
          <Badge size="xl" color={status === 'closed' ? 'green.9' : 'blue.9'}>
            {t(`status.${status}`)}
          </Badge>
        }
      >
        <Text size="sm" c="dimmed">
          {t('raised', { at: formats.moment(report.created_at), version: report.version })}
        </Text>
      </RecordHeading>
      <PageActions main={actions.find(({ name }) => name === next)} actions={actions}>
        <PrintMenu family="ncr" id={id} />
        {lacked !== null && next !== null && (
          <Group gap="xs" mih={48}>
            <Text>{t(next)}</Text>
            <ForRole role={lacked} />
          </Group>
        )}
      </PageActions>
      {action === 'status' && (
        <StatusChange
          family="ncr"
          id={id}
          number={number}
          from={status}
          to={status === 'open' ? 'in_review' : status === 'in_review' ? 'closed' : 'open'}
          onClose={close}
        />
      )}
      {action === 'disposition' && (
        <DispositionForm report={report} facts={facts.data?.data} onClose={close} />
      )}

      <Disposition report={report} facts={facts.data?.data} />
      <Section title={t('about')}>
        <RecordFields family={families.ncr} id={id} stored={fields} />
      </Section>
      <Requests report={id} />
      <CorrectionList family={families.ncr} id={id} />
      {typeof fields.inventory_id === 'number' && <LotCorrections id={fields.inventory_id} of={t('lot')} />}
      <SignatureList family="ncr" id={id} />
      <Tabs defaultValue="history" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="history">{t('app:history')}</Tabs.Tab>
          <Tabs.Tab value="references">{t('record:references')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="history" pt="md">
          <RecordHistory family={families.ncr} id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="references" pt="md">
          <RecordReferences family={families.ncr} id={id} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

/** What was decided, and what that did: with links to the records that the station made for it. */
function Disposition({ report, facts }: { report: WholeRecord; facts: LotFacts | undefined }) {
  const { t } = useTranslation('quality');
  const formats = useFormats();
  const unitOf = useUnit();
  const texts = useFamilyTexts();
  const { fields } = report;
  const { disposition, disposition_adjustment_id: adjustment, rework_inspection_id: rework } = fields;
  const lot = typeof fields.inventory_id === 'number' ? fields.inventory_id : null;
  const titleOf = useTitles(lot === null ? [] : [`inventory:${lot}`]);
  return (
    <Section title={t('disposition')}>
      <Alert
        variant="outline"
        color="gray"
        title={typeof disposition === 'string' ? t(`disposition.${disposition}`) : t('disposition.undecided')}
      >
        <Stack gap={4}>
          {typeof adjustment === 'number' && (
            <Anchor component={Link} to={recordPath('adjustment', adjustment)}>
              {t('effect.taken', {
                quantity: formats.number(Number(fields.disposition_quantity)),
                unit: unitOf(facts?.unit),
              })}
            </Anchor>
          )}
          {typeof rework === 'number' && (
            <Anchor component={Link} to={recordPath('inspection', rework)}>
              {t('effect.reinspect', { id: rework })}
            </Anchor>
          )}
          {fields.is_lock_lifted === true && <Text>{t('effect.lifted')}</Text>}
          {lot !== null && facts && (
            <Text>
              <Anchor component={Link} to={recordPath('inventory', lot)} underline="always" className="typed">
                {titleOf('inventory', lot) ?? `${texts.word('Lot')} ${lot}`}
              </Anchor>
              {': '}
              {t('lot.present', { quantity: formats.number(facts.quantity), unit: unitOf(facts.unit) })}{' '}
              {t(facts.locks.length > 0 ? 'lot.locked' : 'lot.free')}
            </Text>
          )}
          {lot === null && <Text>{t('effect.lotless')}</Text>}
        </Stack>
      </Alert>
    </Section>
  );
}

/** Corrective action requests that the report raised. */
function Requests({ report }: { report: number }) {
  const { t } = useTranslation('quality');
  const formats = useFormats();
  const { data } = useCall('cars.list', { query: { ncr_id: report, per_page: 50 } });
  const requests = data?.data ?? [];
  return (
    <Section title={t('cars')}>
      {data && requests.length === 0 && <Text>{t('cars.none')}</Text>}
      {requests.map(one => (
        <Anchor key={one.id} component={Link} to={recordPath('car', one.id)} className="row-link typed">
          {one.car_number}
          <span>
            {one.date_closed
              ? t('cars.closed', { day: formats.day(one.date_closed) })
              : t('cars.open', { day: formats.day(one.date_opened) })}
          </span>
        </Anchor>
      ))}
    </Section>
  );
}
