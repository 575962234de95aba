import { Badge, Button, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconLock, IconPencil } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { families } from '../../../shared/families/registry.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { useTitles } from '../../api/titles.ts';
import { useFormats } from '../../i18n/formats.ts';
import { PrintMenu } from '../../record/print/print-menu.tsx';
import { RecordHistory } from '../../record/record-history.tsx';
import { itemsIn, useWholeRecord } from '../../record/whole-record.ts';
import { Failure } from '../../ui/failure.tsx';
import { CommandCodes } from './command-codes.tsx';
import { ReceiptLines, type ReceiptLinesHandle } from './receipt-lines.tsx';
import { ReceiveLine } from './receive-line.tsx';
import { useReceiving } from './use-receiving.ts';

/** A delivery: its lines so far, and the next one by scanner or keyboard. */
export function Component() {
  const id = Number(useParams().id);
  return <ReceiptPage key={id} id={id} />;
}

function ReceiptPage({ id }: { id: number }) {
  const { t } = useTranslation('receiving');
  const formats = useFormats();
  const may = useMay();
  const { data, error, refetch } = useWholeRecord('receiving-inspection', id);
  const answer = useCall<{ is_over_received: boolean | null }>('receiving-inspections.read', {
    params: { id },
  });
  const update = useWrite('receiving-inspections.update.patch');
  const [failure, setFailure] = useState<unknown>(null);
  const fields = data?.data.fields ?? {};
  const titleOf = useTitles(fields.supplier_id ? [`supplier:${fields.supplier_id}`] : []);
  if (!data) {
    return error ? (
      <Failure error={error} onRetry={() => void refetch()} />
    ) : (
      <Text role="status">{t('reading')}</Text>
    );
  }
  const isClosed = fields.is_closed === true;
  const isQuarantined = fields.is_quarantined === true;
  const canChange = may('receiving-inspections.update');
  const items = itemsIn(families['receiving-inspection'].collections.items, fields.items);
  const supplier = fields.supplier_id ? titleOf('supplier', fields.supplier_id) : undefined;
  const set = (body: Record<string, unknown>) => {
    setFailure(null);
    update.mutateAsync({ params: { id }, body }).catch(setFailure);
  };
  return (
    <Stack>
      <Group justify="space-between" align="start">
        <div>
          <Text c="dimmed">{t('receipt')}</Text>
          <Title order={1} className="typed">
            {String(fields.po_number ?? t('receipt.number', { id }))}
          </Title>
          <Text className="typed">
            {[supplier, formats.day(fields.actual_arrival_date as string | null)].filter(Boolean).join(' · ')}
          </Text>
        </div>
        <Group>
          {answer.data?.data.is_over_received === true && (
            <Mark color="yellow.9" icon={IconAlertTriangle} text={t('over')} />
          )}
          {isQuarantined && <Mark color="red" icon={IconLock} text={t('quarantined')} />}
          {isClosed && <Mark color="green.9" icon={IconCheck} text={t('closed')} />}
        </Group>
      </Group>
      {canChange && (
        <Group>
          <Button variant="default" onClick={() => set({ is_closed: !isClosed })}>
            {t(isClosed ? 'reopen' : 'close')}
          </Button>
          <Button variant="default" onClick={() => set({ is_quarantined: !isQuarantined })}>
            {t(isQuarantined ? 'quarantine.lift' : 'quarantine')}
          </Button>
          <Button
            component={Link}
            to={`/app/records/receiving-inspection/${id}/edit`}
            variant="default"
            leftSection={<IconPencil aria-hidden />}
          >
            {t('change')}
          </Button>
          <PrintMenu family="receiving-inspection" id={id} />
        </Group>
      )}
      <Failure error={failure} />
      <Lines id={id} items={items} canReceive={canChange} />
      <Tabs defaultValue={null} allowTabDeactivation keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="commands">{t('commands')}</Tabs.Tab>
          <Tabs.Tab value="history">{t('history')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="commands" pt="md">
          <CommandCodes />
        </Tabs.Panel>
        <Tabs.Panel value="history" pt="md">
          <RecordHistory family={families['receiving-inspection']} id={id} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Lines(props: { id: number; items: Record<string, unknown>[]; canReceive: boolean }) {
  const { id, items, canReceive } = props;
  const lines = useRef<ReceiptLinesHandle>(null);
  const receiving = useReceiving({ receipt: id, onReport: () => lines.current?.reportNewest() });
  return (
    <>
      {canReceive && <ReceiveLine receiving={receiving} />}
      <ReceiptLines ref={lines} receipt={id} items={items} />
    </>
  );
}

function Mark(props: { color: string; icon: typeof IconCheck; text: string }) {
  const { color, icon: Icon, text } = props;
  return (
    <Badge
      size="xl"
      color={color}
      leftSection={<Icon size={18} aria-hidden />}
      styles={{ root: { textTransform: 'none' } }}
    >
      {text}
    </Badge>
  );
}
