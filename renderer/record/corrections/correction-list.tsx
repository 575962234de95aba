import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../../shared/contract/define-family.ts';
import { families } from '../../../shared/families/registry.ts';
import { useCall } from '../../api/calls.ts';
import { Failure } from '../../ui/failure.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { CorrectionTable } from './correction-table.tsx';

/** Shown of one record, newest first. */
const SHOWN = 20;
/** Read where only some of them are shown: a page holds no more. */
const ALL = 500;
/** Shown of all that wait, the oldest first. */
const WAITING_SHOWN = 50;

export interface CorrectionListProps {
  family: Pick<Family, 'name'>;
  id: number;
  /** What the record is called, on the page of another. */
  of?: string | undefined;
  /** Only of these values: what their paths begin with. */
  within?: string;
}

/** The values of a record that were replaced, how many they are, and what stood before; nothing where none was. */
export function CorrectionList({ family, id, of, within }: CorrectionListProps) {
  const { t } = useTranslation('corrections');
  const { data, error, refetch } = useCall('x.corrections.list', {
    query: { subject: `${family.name}:${id}`, per_page: within ? ALL : SHOWN, order: 'desc' },
  });
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  const found = data?.data.filter(({ path }) => within === undefined || path?.startsWith(within)) ?? [];
  const total = within === undefined ? Number(data?.meta.total ?? 0) : found.length;
  if (total === 0) return null;
  const own = t('title', { count: total });
  const title = of === undefined ? own : `${of}: ${own}`;
  return (
    <section aria-label={title}>
      <Title order={2}>{title}</Title>
      <CorrectionTable label={title} corrections={found.slice(0, SHOWN)} />
      {total > SHOWN && <Text size="sm">{t('more', { count: total - SHOWN })}</Text>}
    </section>
  );
}

/** Of a lot: its own, and those of the lines of receipts that fed it, which its number and expiry follow from. */
export function LotCorrections({ id, of }: { id: number; of?: string | undefined }) {
  const { data } = useCall('x.inventory.facts', { params: { id } });
  const lines = data?.data.facts.filter(({ family }) => family === families['receiving-inspection'].name);
  return (
    <>
      <CorrectionList family={families.inventory} id={id} of={of} />
      {lines?.map(({ id: receipt, item_id: item }) => (
        <CorrectionList
          key={`${receipt} ${item}`}
          family={families['receiving-inspection']}
          id={receipt}
          of={of}
          within={`items.${item}.`}
        />
      ))}
    </>
  );
}

/** Everything that quality has to accept, or to have changed again. */
export function WaitingCorrections() {
  const { t } = useTranslation('corrections');
  const query = useCall('x.corrections.list', {
    query: { status: 'awaiting', per_page: WAITING_SHOWN },
  });
  if (!query.data) return <Waiting query={query} />;
  const { data, meta } = query.data;
  const total = Number(meta.total ?? data.length);
  if (data.length === 0) return <Text role="status">{t('waiting.none')}</Text>;
  return (
    <>
      <Text>{t('waiting.text')}</Text>
      <CorrectionTable label={t('waiting')} corrections={data} showsSubject />
      {total > data.length && <Text size="sm">{t('waiting.more', { count: total - data.length })}</Text>}
    </>
  );
}

/** A correction on its own page: what it replaced, and for quality what accepts it. */
export function OneCorrection({ id }: { id: number }) {
  const { t } = useTranslation('corrections');
  const query = useCall('x.corrections.read', { params: { id } });
  if (!query.data) return <Waiting query={query} />;
  return <CorrectionTable label={t('title', { count: 1 })} corrections={[query.data.data]} showsSubject />;
}
