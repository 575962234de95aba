import { Button, Center, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { useWrite } from '../../api/calls.ts';
import { useFieldErrors } from '../../i18n/use-server-message.ts';
import { Failure } from '../../ui/failure.tsx';
import { useFirstFocus } from '../../ui/first-focus.ts';
import { typedIn } from './focus-input.ts';
import { rememberUser } from './known-users.ts';
import { usePageTitle } from './page-title.ts';

/** What the form always asks for; the code only where the link has none. */
const FIELDS = ['company_name', 'name', 'login', 'password'] as const;

/** Behind the link that the terminal printed: the code stands after the `#`, which a browser sends nowhere. */
export function FirstAdministrator() {
  const { t } = useTranslation('session');
  const navigate = useNavigate();
  const { hash } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  usePageTitle(t('first.title'));
  useFirstFocus(form);
  const [code] = useState(hash.slice(1));
  const { mutateAsync, error, isPending } = useWrite('x.first-administrator.create');
  const fieldError = useFieldErrors(error);
  useLayoutEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    const { company_name, ...typed } = typedIn(event, [...FIELDS, 'code']);
    const body = { ...typed, code: code || typed.code, ...(company_name !== '' && { company_name }) };
    try {
      const { data } = await mutateAsync({ body });
      if (data.user) rememberUser(data.user);
      await navigate('/app', { replace: true });
    } catch {
      // Shown by `error`.
    }
  };

  return (
    <Center mih="100vh" p="lg" component="main">
      <form
        ref={form}
        onSubmit={event => void submit(event)}
        aria-label={t('first.title')}
        style={{ width: '100%', maxWidth: '32rem' }}
      >
        <Stack>
          <Title order={1}>{t('first.title')}</Title>
          <Text>{t('first.text')}</Text>
          {code === '' && (
            <TextInput label={t('first.code')} required error={fieldError('code')} name="code" />
          )}
          <TextInput
            label={t('first.company')}
            description={t('first.company.hint')}
            autoComplete="organization"
            error={fieldError('company_name')}
            data-autofocus
            name="company_name"
          />
          <TextInput label={t('name')} required autoComplete="name" error={fieldError('name')} name="name" />
          <TextInput
            label={t('login')}
            description={t('login.hint')}
            required
            autoComplete="username"
            error={fieldError('login')}
            name="login"
          />
          <PasswordInput
            label={t('password')}
            description={t('password.hint')}
            required
            autoComplete="new-password"
            error={fieldError('password')}
            visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
            name="password"
          />
          <Failure error={error} shownAt={new Set(code ? FIELDS : [...FIELDS, 'code'])} />
          <Button type="submit" loading={isPending}>
            {t('first.create')}
          </Button>
        </Stack>
      </form>
    </Center>
  );
}
