import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Failure } from './failure.tsx';

/** What stands in the place of an answer until it is there: that it is being read, or why it cannot be. */
export function Waiting({
  query: { error, refetch },
}: {
  query: { error: unknown; refetch: () => unknown };
}) {
  const { t } = useTranslation('app');
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return <Text role="status">{t('reading')}</Text>;
}
