import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/calls.ts';
import { Failure } from '../../ui/failure.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { CertificateTable } from './certificate-table.tsx';

/** Shown of one lot, newest first. */
const SHOWN = 20;

/** The certificates that were issued of a lot, what each is today, and what is done with it. */
export function CertificateList({ lot }: { lot: number }) {
  const { t } = useTranslation('certificates');
  const { data, error, refetch } = useCall('x.certificates.list', {
    query: { inventory_id: lot, per_page: SHOWN, order: 'desc' },
  });
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  const total = Number(data?.meta.total ?? 0);
  return (
    <section aria-label={t('title')}>
      <Title order={2}>{t('title')}</Title>
      {data && total === 0 && <Text>{t('none')}</Text>}
      {data && total > 0 && <CertificateTable certificates={data.data} />}
      {total > SHOWN && <Text size="sm">{t('more', { count: total - SHOWN })}</Text>}
    </section>
  );
}

/** A certificate on its own page. */
export function OneCertificate({ id }: { id: number }) {
  const query = useCall('x.certificates.read', { params: { id } });
  if (!query.data) return <Waiting query={query} />;
  return <CertificateTable certificates={[query.data.data]} />;
}
