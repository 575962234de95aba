import { Alert, Button, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CallError } from '../../shared/client.ts';
import { AppError } from '../../shared/errors.ts';

/** What went wrong, in words, where it happened: never only a passing note. Field errors that no field shows are listed. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation('app');
  if (!error) return null;
  const isAway = error instanceof AppError && error.code === 'unavailable';
  const message = error instanceof Error ? error.message : String(error);
  const fields = error instanceof AppError ? Object.entries(error.errors ?? {}) : [];
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={t('error.title')}
      role="alert"
    >
      <Stack gap="xs">
        <Text>{isAway ? t('error.unavailable') : message}</Text>
        {fields.length > 1 && (
          <List>
            {fields.map(([path, messages]) => (
              <List.Item key={path}>
                {path}: {messages.join(' ')}
              </List.Item>
            ))}
          </List>
        )}
        {error instanceof CallError && error.status >= 500 && (
          <Text size="sm">{t('error.number', { id: error.requestId })}</Text>
        )}
        {onRetry && (
          <Button variant="default" onClick={onRetry} w="fit-content">
            {t('error.retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
