import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle, IconLock } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppError } from '../../../shared/contract/errors.ts';
import { Failure } from '../../ui/failure.tsx';

/** Why signing in did not work. After too many wrong passwords, how long it still will not. */
export function SignInFailure({ error }: { error: unknown }) {
  const { t } = useTranslation('session');
  if (!(error instanceof AppError)) return <Failure error={error} />;
  if (error.code === 'too_many_requests') {
    return <LockedOut key={error.message} seconds={Number(error.headers['Retry-After'] ?? 60)} />;
  }
  // 403: the server asks for a page of its own; anything else is told as it comes.
  if (error.code !== 'unauthenticated') return <Failure error={error} />;
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {t('wrong')}
    </Alert>
  );
}

/** Counts down without reading every second out: the minutes are announced. */
function LockedOut({ seconds }: { seconds: number }) {
  const { t } = useTranslation('session');
  const [endsAt] = useState(() => Date.now() + seconds * 1_000);
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1_000))), 1_000);
    return () => clearInterval(timer);
  }, [endsAt]);
  if (left === 0) return <Text role="status">{t('locked-out.over')}</Text>;
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return (
    <Alert color="red" variant="light" icon={<IconLock aria-hidden />} title={t('locked-out')}>
      <span role="alert">{t('locked-out.text', { count: Math.ceil(left / 60) })}</span>{' '}
      <Text span fw={700} role="timer">
        {t('locked-out.left', { time })}
      </Text>
    </Alert>
  );
}
