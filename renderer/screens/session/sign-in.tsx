import { Button, Center, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '../../api/calls.ts';
import type { Session } from '../../api/session.ts';
import { ClockNotice } from './clock-notice.tsx';
import { focusInput, typedIn } from './focus-input.ts';
import { knownUsers, rememberUser } from './known-users.ts';
import { usePageTitle } from './page-title.ts';
import { Resume, returningOf } from './resume.tsx';
import { SignInFailure } from './sign-in-failure.tsx';
import { leaveWord } from './word-left.ts';
import { WordLeftNotice } from './word-left-notice.tsx';

/** Name and password, with the people of this station one key away. */
export function SignIn({ session, onBack }: { session: Session; onBack?: () => void }) {
  const { t } = useTranslation('session');
  const { mutateAsync, error, isPending } = useWrite('x.session.create');
  const people = returningOf(session);
  const known = useRef(knownUsers()).current;
  const form = useRef<HTMLFormElement>(null);

  usePageTitle(t('sign-in'));
  useLayoutEffect(() => focusInput(form, 'login'), []);

  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    const body = typedIn(event, ['login', 'password']);
    try {
      const { data } = await mutateAsync({ body });
      if (data.user) rememberUser(data.user);
      leaveWord(null);
    } catch {
      // Shown by `error`.
      focusInput(form, 'password', '');
    }
  };

  return (
    <Center mih="100vh" p="lg" component="main">
      <Stack w="100%" maw="26rem" gap="lg">
        <Group>
          <img src="/icon.svg" width={56} height={56} alt="" />
          <div>
            <Title order={1}>Holdpoint</Title>
            <Text className="typed">{session.station.name}</Text>
          </div>
        </Group>
        <ClockNotice />
        <WordLeftNotice />
        {people.length > 0 && !onBack && <Resume people={people} first={null} />}
        {known.length > 0 && (
          <fieldset style={{ border: 0, padding: 0, margin: 0 }}>
            <legend>{t('known')}</legend>
            <Group gap="xs" mt="xs">
              {known.map(({ login, name }) => (
                <Button
                  key={login}
                  variant="default"
                  onClick={() => {
                    focusInput(form, 'login', login);
                    focusInput(form, 'password');
                  }}
                >
                  {name}
                </Button>
              ))}
            </Group>
          </fieldset>
        )}
        <form ref={form} onSubmit={event => void signIn(event)} aria-label={t('sign-in')}>
          <Stack>
            <TextInput label={t('login')} autoComplete="username" required name="login" />
            <PasswordInput
              label={t('password')}
              autoComplete="current-password"
              required
              visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
              name="password"
            />
            <SignInFailure error={error} />
            <Button type="submit" loading={isPending} loaderProps={{ 'aria-label': t('signing-in') }}>
              {t('sign-in')}
            </Button>
            {onBack && (
              <Button variant="default" onClick={onBack}>
                {t('back')}
              </Button>
            )}
          </Stack>
        </form>
      </Stack>
    </Center>
  );
}
