import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconLock, IconLockOpen, IconPencil } from '@tabler/icons-react';
import { type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { isOverReceived } from '../../../shared/families/over-received.ts';
import { families } from '../../../shared/families/registry.ts';
import { useWrite } from '../../api/calls.ts';
import { useLackedRole, useMay } from '../../api/may.ts';
import { useTitles } from '../../api/titles.ts';
import { useFormats } from '../../i18n/formats.ts';
import { CorrectionList } from '../../record/corrections/correction-list.tsx';
import { PrintMenu } from '../../record/print/print-menu.tsx';
import { RecordHistory } from '../../record/record-history.tsx';
import { SignatureList } from '../../record/signature-list.tsx';
import { itemsIn, useWholeRecord } from '../../record/whole-record.ts';
import { Failure } from '../../ui/failure.tsx';
import { type PageAction, PageActions } from '../../ui/page-actions.tsx';
import { ForRole } from '../../ui/reason/for-role.tsx';
import { useReasoned } from '../../ui/reason/use-reasoned.tsx';
import { RecordHeading } from '../../ui/record-heading.tsx';
import { SectionTabs } from '../../ui/section-tabs.tsx';
import { changeOf } from '../../ui/signing/signing.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { CommandCodes } from './command-codes.tsx';
import { ExpectedLines } from './expected-lines.tsx';
import { ReceiptLines, type ReceiptLinesHandle } from './receipt-lines.tsx';
import { ScanSurface } from './scan-surface.tsx';
import { useIsBlind } from './use-is-blind.ts';
import { type Receiving, useReceiving } from './use-receiving.ts';

/** A delivery: its lines so far, and the next one by scanner or keyboard. */
export function Component() {
  const id = Number(useParams().id);
  return <ReceiptPage key={id} id={id} />;
}

function ReceiptPage({ id }: { id: number }) {
  const { t } = useTranslation('receiving');
  const formats = useFormats();
  const may = useMay();
  const lackedRole = useLackedRole();
  const reasoned = useReasoned();
  const query = useWholeRecord('receiving-inspection', id);
  const { data } = query;
  const receiving = useRef<Receiving>(null);
  const [stands, setStands] = useState(0);
  const update = useWrite('receiving-inspections.update.patch');
  const [failure, setFailure] = useState<unknown>(null);
  const isBlind = useIsBlind();
  const fields = data?.data.fields ?? {};
  const order =
    typeof fields.purchase_order_id === 'number' ? { id: fields.purchase_order_id, isBlind } : null;
  const titleOf = useTitles(fields.supplier_id ? [`supplier:${fields.supplier_id}`] : []);
  if (!data) return <Waiting query={query} />;
  const isClosed = fields.is_closed === true;
  const isQuarantined = fields.is_quarantined === true;
  const canChange = may('receiving-inspections.update');
  const family = families['receiving-inspection'];
  const items = itemsIn(family.collections.items, fields.items);
  const supplier = fields.supplier_id ? titleOf('supplier', fields.supplier_id) : undefined;
  const toggle = (path: 'is_closed' | 'is_quarantined', title: string) => {
    setFailure(null);
    const [old, now] = [fields[path] ?? null, fields[path] !== true];
    const send = (reason: string, signature: Record<string, string>) =>
      update.mutateAsync({
        params: { id },
        body: { [path]: now, ...(reason !== '' && { reason }), ...signature },
      });
    const signs = changeOf(family, fields, { [path]: now });
    reasoned.press({ family, changes: [{ path, old, new: now }], title, send, signs }).catch(setFailure);
  };
  /** Nothing that was scanned is closed over. */
  const close = async () => {
    setFailure(null);
    setStands(0);
    const title = t(isClosed ? 'reopen' : 'close');
    if (isClosed) return toggle('is_closed', title);
    try {
      await receiving.current?.acts.finish();
    } catch (error) {
      setFailure(error);
    }
    const open = receiving.current?.openCount() ?? 0;
    if (open > 0) setStands(open);
    else toggle('is_closed', title);
  };
  const quarantining = t(isQuarantined ? 'quarantine.lift' : 'quarantine');
  const lifts = lackedRole(family, 'is_quarantined', fields.is_quarantined);
  const main: PageAction = {
    name: 'close',
    title: t(isClosed ? 'reopen' : 'close'),
    icon: isClosed ? IconLockOpen : IconCheck,
    onPress: () => void close(),
  };
  const actions: PageAction[] = [
    ...(lifts === null
      ? [
          {
            name: 'quarantine',
            title: quarantining,
            icon: IconLock,
            onPress: () => toggle('is_quarantined', quarantining),
          },
        ]
      : []),
    {
      name: 'change',
      title: t('app:change'),
      icon: IconPencil,
      to: `/app/records/receiving-inspection/${id}/edit`,
    },
  ];
  const marks = [
    isOverReceived(fields) && !isBlind && (
      <StatusBadge
        key="over"
        look={{ color: 'yellow.9', icon: IconAlertTriangle }}
        word={t('over')}
        size="xl"
      />
    ),
    isQuarantined && (
      <StatusBadge
        key="quarantined"
        look={{ color: 'red', icon: IconLock }}
        word={t('quarantined')}
        size="xl"
      />
    ),
    isClosed && (
      <StatusBadge key="closed" look={{ color: 'green.9', icon: IconCheck }} word={t('closed')} size="xl" />
    ),
  ].filter(Boolean);
  return (
    <Stack>
      <Group align="start">
        <RecordHeading
          kind={t('receipt')}
          title={String(fields.po_number ?? t('receipt.number', { id }))}
          status={marks.length > 0 && <Group>{marks}</Group>}
        >
          <Text className="typed">
            {[supplier, formats.day(fields.actual_arrival_date as string | null)].filter(Boolean).join(' · ')}
          </Text>
        </RecordHeading>
        {canChange && (
          <PageActions main={main} actions={actions}>
            <PrintMenu family="receiving-inspection" id={id} />
            {lifts !== null && (
              <Group gap="xs" mih={48}>
                <Text>{quarantining}</Text>
                <ForRole role={lifts} />
              </Group>
            )}
          </PageActions>
        )}
      </Group>
      {reasoned.question}
      <Failure error={failure} />
      {stands > 0 && (
        <Alert color="red" variant="outline" role="alert" title={t('stands', { count: stands })}>
          {t('stands.hint')}
        </Alert>
      )}
      {canChange ? (
        <Lines id={id} items={items} isClosed={isClosed} order={order} receiving={receiving} />
      ) : (
        <>
          {order && <ExpectedLines order={order.id} isBlind={order.isBlind} />}
          <ReceiptLines receipt={id} items={items} canCorrect={false} />
        </>
      )}
      <CorrectionList family={family} id={id} />
      <SignatureList family={family.name} id={id} />
      <SectionTabs
        defaultValue={null}
        allowTabDeactivation
        tabs={[
          { name: 'commands', title: t('commands'), content: <CommandCodes /> },
          { name: 'history', title: t('app:history'), content: <RecordHistory family={family} id={id} /> },
        ]}
      />
    </Stack>
  );
}

interface LinesProps {
  id: number;
  items: Record<string, unknown>[];
  isClosed: boolean;
  order: { id: number; isBlind: boolean } | null;
  receiving: RefObject<Receiving | null>;
}

function Lines(props: LinesProps) {
  const { id, items, isClosed, order, receiving: ref } = props;
  const lines = useRef<ReceiptLinesHandle>(null);
  const receiving = useReceiving({
    receipt: id,
    items,
    isClosed,
    order,
    onReport: async () => lines.current?.reportNewest(),
  });
  ref.current = receiving;
  return (
    <>
      <ScanSurface receiving={receiving} items={items} isClosed={isClosed} />
      {order && <ExpectedLines order={order.id} isBlind={order.isBlind} />}
      <ReceiptLines ref={lines} receipt={id} items={items} canCorrect />
    </>
  );
}
