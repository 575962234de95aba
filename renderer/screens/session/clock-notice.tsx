import { Alert, Button, Text } from '@mantine/core';
import { IconClockExclamation } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../../api/session.ts';
import { useFormats } from '../../i18n/formats.ts';

/** That this machine's clock is not confirmed, what it says and should at least say; nothing while it is believed. */
export function ClockNotice({ isSignedIn = false }: { isSignedIn?: boolean }) {
  const { t } = useTranslation('session');
  const formats = useFormats();
  const { session } = useSession();
  if (!session?.clock) return null;
  const { at_least: atLeast, offset_ms: offset } = session.clock;
  const says = new Date(Date.parse(atLeast) + offset).toISOString();
  return (
    <Alert
      color="orange"
      variant="outline"
      mb="md"
      icon={<IconClockExclamation aria-hidden />}
      title={t('clock.title')}
      role="status"
    >
      <Text>{t('clock.says', { says: formats.moment(says), least: formats.moment(atLeast) })}</Text>
      <Text>{t('clock.meanwhile')}</Text>
      {isSignedIn ? (
        <Button component={Link} to="/app/setup/clock" variant="default" mt="xs">
          {t('clock.go')}
        </Button>
      ) : (
        <Text>{t('clock.lock')}</Text>
      )}
    </Alert>
  );
}
