import { Group, Pagination, Text, TextInput, Title } from '@mantine/core';
import { memo, type Ref, useCallback, useImperativeHandle, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isOfGoods, reportsOfLines } from '../../../shared/families/reports-of-lines.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { useTitles } from '../../api/titles.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { Failure } from '../../ui/failure.tsx';
import { RecordLink } from '../../ui/links.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';
import { CorrectLine } from './correct-line.tsx';
import { isReceived, type Proposal, type ReceiptItem, ReceiptRow } from './receipt-row.tsx';

export interface ReceiptLinesHandle {
  /** Raises the report of the newest rejected line under the next number. @throws when there is none left */
  reportNewest: () => Promise<void>;
}

/** A delivery of some hundred lines is looked through page by page: all at once they take seconds, and names of 200 records come at once. */
const PER_PAGE = 50;

const columns = ['part', 'lot', 'expiry', 'accepted', 'rejected', 'location', 'report.short'] as const;

interface ReceiptLinesProps {
  receipt: number;
  items: ReceiptItem[];
  canCorrect: boolean;
  ref?: Ref<ReceiptLinesHandle>;
}

/** What has been received, newest first; a rejected quantity offers its report, filled in. */
export const ReceiptLines = memo(function ReceiptLines(props: ReceiptLinesProps) {
  const { receipt, canCorrect, ref } = props;
  const items = props.items.filter(isReceived);
  const { t } = useTranslation('receiving');
  const proposals = useCall('x.proposals.list', {
    params: { family: 'receiving-inspection', id: receipt },
  });
  const reports = useCall('ncrs.list', {
    query: { receiving_inspection_id: receipt, per_page: 500 },
  });
  const raisedReports = reports.data?.data ?? [];
  const ofLines = reportsOfLines(items, raisedReports);
  /** What stays of its lot's reports is of the goods that were accepted. */
  const reportOf = (item: ReceiptItem) =>
    ofLines.get(item) ??
    (isRejected(item)
      ? undefined
      : raisedReports.findLast(each => isOfGoods(each, item) && ![...ofLines.values()].includes(each)));
  const raise = useWrite('x.ncrs.create');
  const [reporting, setReporting] = useState<{ proposal: Proposal; number: string } | null>(null);
  const [raised, setRaised] = useState<{ id: number; number: string } | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [correcting, setCorrecting] = useState<ReceiptItem | null>(null);
  const [sought, setSought] = useState('');
  const [turned, setTurned] = useState(1);
  const found = items.filter(({ serial_number: lot }) => contains(lot, sought)).toReversed();
  const pages = Math.max(1, Math.ceil(found.length / PER_PAGE));
  const page = Math.min(turned, pages);
  const shown = found.slice((page - 1) * PER_PAGE, page * PER_PAGE);
  const titleOf = useTitles(
    [...shown, ...(correcting ? [correcting] : [])].flatMap(item => [
      `part:${item.part_id}`,
      ...(item.location_id ? [`location:${item.location_id}`] : []),
      ...(item.plan_id ? [`inspection-plan:${item.plan_id}`] : []),
    ]),
  );
  const proposalOf = (item: ReceiptItem) =>
    proposals.data?.data.find(each => isOfGoods(each, item) && each.quantity === item.quantity_rejected);
  const report = useCallback((proposal: Proposal) => setReporting({ proposal, number: '' }), []);

  const create = async (proposal: Proposal, number: string) => {
    const { data } = await raise.mutateAsync({ body: { ...proposal, ncr_number: number } });
    setRaised({ id: data.id, number: String(data.ncr_number) });
  };

  useImperativeHandle(ref, () => ({
    reportNewest: async () => {
      setFailure(null);
      const { data } = await proposals.refetch();
      const proposal = data?.data.at(-1);
      if (!proposal) throw new Error('Every rejected line has its report.');
      await create(proposal, '');
    },
  }));

  return (
    <section aria-label={t('lines')}>
      <Title order={2}>{t('lines.count', { count: items.length })}</Title>
      <Failure error={failure} />
      {raised && (
        <Text role="status" my="xs">
          {t('report.raised')}{' '}
          <RecordLink family="ncr" id={raised.id} underline="always">
            {raised.number}
          </RecordLink>
        </Text>
      )}
      {reporting && (
        <ActionForm
          title={t('report')}
          submit={t('report.raise')}
          onClose={() => setReporting(null)}
          onSubmit={() => create(reporting.proposal, reporting.number)}
        >
          {errors => (
            <>
              <TextInput
                label={t('report.number')}
                description={t('report.number.hint')}
                value={reporting.number}
                onChange={event => setReporting({ ...reporting, number: event.currentTarget.value })}
                error={errors('ncr_number')}
                data-autofocus
                autoFocus
              />
              <Text className="typed">{String(reporting.proposal.description ?? '')}</Text>
            </>
          )}
        </ActionForm>
      )}
      {correcting && (
        <CorrectLine
          key={String(correcting.id)}
          receipt={receipt}
          item={correcting}
          part={titleOf('part', correcting.part_id) ?? String(correcting.part_id)}
          onClose={() => setCorrecting(null)}
        />
      )}
      {items.length > PER_PAGE && (
        <Group justify="space-between" align="end">
          <TextInput
            label={t('lines.find')}
            value={sought}
            onChange={event => {
              setSought(event.currentTarget.value);
              setTurned(1);
            }}
            autoComplete="off"
          />
          {pages > 1 && (
            <Pagination
              total={pages}
              value={page}
              onChange={setTurned}
              getItemProps={number => ({ 'aria-label': t('record:page', { number }) })}
              getControlProps={control => ({ 'aria-label': t(`record:page.${control}`) })}
            />
          )}
        </Group>
      )}
      {shown.length === 0 ? (
        <Text>{t(items.length === 0 ? 'lines.none' : 'lines.not-found')}</Text>
      ) : (
        <TitledTable
          minWidth={720}
          withTableBorder
          verticalSpacing="sm"
          aria-label={t('lines')}
          columns={[...columns, ...(canCorrect ? ['correct'] : [])].map(column => t(column))}
        >
          {shown.map(item => (
            <ReceiptRow
              key={String(item.id)}
              item={item}
              part={titleOf('part', item.part_id)}
              plan={item.plan_id ? titleOf('inspection-plan', item.plan_id) : undefined}
              place={item.location_id ? titleOf('location', item.location_id) : undefined}
              proposal={proposalOf(item)}
              raised={reportOf(item)}
              onReport={report}
              onCorrect={canCorrect ? setCorrecting : undefined}
            />
          ))}
        </TitledTable>
      )}
    </section>
  );
});

function isRejected({ quantity_rejected: rejected }: ReceiptItem): boolean {
  return Number(rejected ?? 0) > 0;
}

function contains(lot: unknown, sought: string): boolean {
  return String(lot ?? '')
    .toLowerCase()
    .includes(sought.trim().toLowerCase());
}
