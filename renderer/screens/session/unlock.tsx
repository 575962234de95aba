import { Button, Center, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useWrite } from '../../api/calls.ts';
import type { Session, SessionUser } from '../../api/session.ts';
import { ClockNotice } from './clock-notice.tsx';
import { focusInput } from './focus-input.ts';
import { usePageTitle } from './page-title.ts';
import { SignInFailure } from './sign-in-failure.tsx';
import { WordLeftNotice } from './word-left-notice.tsx';

/** The session rests: its user goes on with the password, or somebody else signs in. */
export function Unlock({ user }: { user: SessionUser }) {
  const { t } = useTranslation('session');
  const { register, handleSubmit, reset } = useForm({ defaultValues: { password: '' } });
  const unlock = useWrite<Session>('x.session.unlock');
  const end = useWrite('x.session.end');

  const form = useRef<HTMLFormElement>(null);
  usePageTitle(t('locked'));
  useLayoutEffect(() => focusInput(form, 'password'), []);

  const submit = handleSubmit(async body => {
    try {
      await unlock.mutateAsync({ body });
    } catch {
      // Shown by `unlock.error`.
      reset();
      focusInput(form, 'password');
    }
  });

  return (
    <Center mih="100vh" p="lg" component="main">
      <form
        ref={form}
        onSubmit={submit}
        aria-label={t('unlock')}
        style={{ width: '100%', maxWidth: '26rem' }}
      >
        <Stack>
          <Title order={1}>{t('locked')}</Title>
          <ClockNotice />
          <WordLeftNotice />
          <Text className="typed">{t('locked.text', { name: user.name })}</Text>
          <input type="hidden" autoComplete="username" value={user.login} readOnly />
          <PasswordInput
            label={t('password')}
            autoComplete="current-password"
            required
            visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
            {...register('password', { required: true })}
          />
          <SignInFailure error={unlock.error} />
          <Button type="submit" loading={unlock.isPending}>
            {t('unlock')}
          </Button>
          <Button variant="default" onClick={() => end.mutate({ body: {} })}>
            {t('switch')}
          </Button>
        </Stack>
      </form>
    </Center>
  );
}
