import { Alert, Button, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCall, useWrite } from '../../api/calls.ts';
import { Failure } from '../../ui/failure.tsx';

const LOOK_MS = 1_000;

/**
 * On an installation without records: the sample company, to try everything on.
 * @param isGoneWhenDone where what it brought is seen anyway
 */
export function SampleCompany({ isGoneWhenDone = false }: { isGoneWhenDone?: boolean }) {
  const { t } = useTranslation('setup');
  const queries = useQueryClient();
  const { data } = useCall('x.sample-company.read');
  const start = useWrite('x.sample-company.create');
  const { state, done, steps, message } = data?.data ?? {
    state: 'impossible',
    done: 0,
    steps: null,
    message: '',
  };

  useEffect(() => {
    if (state !== 'running') return;
    const timer = setInterval(() => {
      void queries.invalidateQueries({ queryKey: ['x.sample-company.read'] }, { cancelRefetch: false });
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [state, queries]);

  if (state === 'impossible' || (state === 'done' && isGoneWhenDone)) return null;
  return (
    <Alert color="blue" variant="light" title={t('sample.title')}>
      <Stack gap="sm" align="start">
        {state === 'possible' && (
          <>
            <Text>{t('sample.text')}</Text>
            <Failure error={start.error} />
            <Button onClick={() => start.mutate({ body: {} })} loading={start.isPending}>
              {t('sample.load')}
            </Button>
          </>
        )}
        {state === 'running' && (
          <Stack gap="xs" w="100%">
            <Text
              role="status"
              tabIndex={-1}
              // The button that began it is gone.
              ref={start.isSuccess ? takeFocus : undefined}
            >
              {t('sample.running', { done, steps: steps ?? '…' })}
            </Text>
            <Progress
              value={steps ? (100 * done) / steps : 0}
              aria-label={t('sample.title')}
              transitionDuration={0}
              size="lg"
            />
          </Stack>
        )}
        {state === 'done' && (
          <>
            <Text role="status">{t('sample.done')}</Text>
            <Button component={Link} to="/app">
              {t('sample.look')}
            </Button>
          </>
        )}
        {state === 'failed' && <Text role="alert">{message}</Text>}
      </Stack>
    </Alert>
  );
}

/** One function for all drawings, so that only what has just appeared takes the focus. */
function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
