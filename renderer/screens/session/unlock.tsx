import { Button, Center, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '../../api/calls.ts';
import type { Session, SessionUser } from '../../api/session.ts';
import { ClockNotice } from './clock-notice.tsx';
import { focusInput, typedIn } from './focus-input.ts';
import { usePageTitle } from './page-title.ts';
import { Resume, returningOf } from './resume.tsx';
import { SignIn } from './sign-in.tsx';
import { SignInFailure } from './sign-in-failure.tsx';
import { WordLeftNotice } from './word-left-notice.tsx';

/** The session rests: its user goes on with the password, or somebody else signs in. */
export function Unlock({ session, user }: { session: Session; user: SessionUser }) {
  const { t } = useTranslation('session');
  const unlock = useWrite('x.session.unlock');
  const end = useWrite('x.session.end');
  const people = returningOf(session);
  const isReturning = people.some(one => one.session === session.session);
  const [isByPassword, setIsByPassword] = useState(!isReturning);
  const [isAnother, setIsAnother] = useState(false);

  const form = useRef<HTMLFormElement>(null);
  usePageTitle(t('locked'));
  useLayoutEffect(() => {
    if (isByPassword) focusInput(form, 'password');
  }, [isByPassword]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    const body = typedIn(event, ['password']);
    try {
      await unlock.mutateAsync({ body });
    } catch {
      // Shown by `unlock.error`.
      focusInput(form, 'password', '');
    }
  };

  if (isAnother) return <SignIn session={session} onBack={() => setIsAnother(false)} />;
  if (!isByPassword)
    return (
      <Center mih="100vh" p="lg" component="main">
        <Stack w="100%" maw="26rem">
          <Title order={1}>{t('locked')}</Title>
          <ClockNotice />
          <WordLeftNotice />
          <Resume people={people} first={session.session} />
          <Button variant="default" onClick={() => setIsByPassword(true)}>
            {t('by-password', { name: user.name })}
          </Button>
          <Button variant="default" onClick={() => setIsAnother(true)}>
            {t('another')}
          </Button>
        </Stack>
      </Center>
    );
  return (
    <Center mih="100vh" p="lg" component="main">
      <form
        ref={form}
        onSubmit={event => void submit(event)}
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
            name="password"
          />
          <SignInFailure error={unlock.error} />
          <Button type="submit" loading={unlock.isPending}>
            {t('unlock')}
          </Button>
          {people.length > 0 && (
            <Button variant="default" onClick={() => setIsByPassword(false)}>
              {t('by-pin')}
            </Button>
          )}
          <Button
            variant="default"
            onClick={() => (isReturning ? setIsAnother(true) : end.mutate({ body: {} }))}
          >
            {t(isReturning ? 'another' : 'switch')}
          </Button>
        </Stack>
      </form>
    </Center>
  );
}
