import { Center, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { AppError } from '../../../shared/contract/errors.ts';
import { useSession } from '../../api/session.ts';
import { Failure } from '../../ui/failure.tsx';

/** Asked again after so long, once the first tries are over. */
const AGAIN_MS = 3_000;

/** Before it is known who sits here: the server is being asked, or is away and asked again until it answers. */
export function Opening() {
  const { t } = useTranslation('session');
  const { error, failureReason, refetch } = useSession();
  // The first try that fails is told, and stays told while it is tried again.
  const told = useRef<unknown>(null);
  told.current = error ?? failureReason ?? told.current;
  useEffect(() => {
    if (!isUnavailable(error)) return;
    const timer = setTimeout(() => void refetch(), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [error, refetch]);
  return (
    <Center mih="100vh" p="lg" component="main">
      <Stack maw="36rem">
        <img src="/icon.svg" width={72} height={72} alt="" />
        {told.current ? (
          <>
            <Title order={1}>Holdpoint</Title>
            <Failure error={told.current} onRetry={() => void refetch()} />
          </>
        ) : (
          // No heading yet: who looks for one (a screen reader's jump, a test) means the screen that comes.
          <Text role="status">{t('opening')}</Text>
        )}
      </Stack>
    </Center>
  );
}

function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}
