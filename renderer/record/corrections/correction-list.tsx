import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../../shared/contract/define-family.ts';
import { useCall } from '../../api/calls.ts';
import { Failure } from '../../ui/failure.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import type { Correction } from './correction.ts';
import { CorrectionTable } from './correction-table.tsx';

/** Shown of one record, newest first. */
const SHOWN = 20;
/** Shown of all that wait, the oldest first. */
const WAITING_SHOWN = 50;

/** The values of a record that were replaced, how many they are, and what stood before; nothing where none was. */
export function CorrectionList({ family, id }: { family: Pick<Family, 'name'>; id: number }) {
  const { t } = useTranslation('corrections');
  const { data, error, refetch } = useCall<Correction[]>('x.corrections.list', {
    query: { subject: `${family.name}:${id}`, per_page: SHOWN, order: 'desc' },
  });
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  const total = Number(data?.meta.total ?? 0);
  if (!data || total === 0) return null;
  const title = t('title', { count: total });
  return (
    <section aria-label={title}>
      <Title order={2}>{title}</Title>
      <CorrectionTable label={title} corrections={data.data} />
      {total > SHOWN && <Text size="sm">{t('more', { count: total - SHOWN })}</Text>}
    </section>
  );
}

/** Everything that quality has to accept, or to have changed again. */
export function WaitingCorrections() {
  const { t } = useTranslation('corrections');
  const query = useCall<Correction[]>('x.corrections.list', {
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
  const query = useCall<Correction>('x.corrections.read', { params: { id } });
  if (!query.data) return <Waiting query={query} />;
  return <CorrectionTable label={t('title', { count: 1 })} corrections={[query.data.data]} showsSubject />;
}
