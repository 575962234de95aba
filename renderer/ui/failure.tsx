import { Alert, Button, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { AppError } from '../../shared/contract/errors.ts';
import { CallError } from '../../shared/operations/send-operation.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { useFailureMessage } from '../i18n/use-server-message.ts';

interface FailureProps {
  error: unknown;
  onRetry?: () => void;
  /** Fields whose own controls say what is wrong with them: it is not said twice. */
  shownAt?: ReadonlySet<string>;
}

/** What went wrong, in words, where it happened: never only a passing note. Errors of fields name their field. */
export function Failure({ error, onRetry, shownAt }: FailureProps) {
  const { t } = useTranslation('app');
  const say = useFailureMessage(error);
  const texts = useFamilyTexts();
  if (!error) return null;
  const refused = Object.entries((error instanceof AppError && error.errors) || {});
  const elsewhere = refused.filter(([path]) => !shownAt?.has(path));
  if (refused.length > 0 && elsewhere.length === 0) return null;
  const isAway = error instanceof AppError && error.code === 'unavailable';
  const message = error instanceof Error ? error.message : String(error);
  const fields = elsewhere.map(([path, messages]) => {
    const label = texts.path(path);
    // What no record has (a password, a choice of the screen) the message itself names.
    return `${label === path ? '' : `${label}: `}${messages.map(say).join(' ')}`;
  });
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={t('error.title')}
      role="alert"
    >
      <Stack gap="xs">
        {fields.length === 0 && (
          <Text className="typed">{isAway ? t('error.unavailable') : say(message)}</Text>
        )}
        {fields.length === 1 && <Text className="typed">{fields[0]}</Text>}
        {fields.length > 1 && (
          <List>
            {fields.map(each => (
              <List.Item key={each} className="typed">
                {each}
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
