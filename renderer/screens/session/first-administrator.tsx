import { Button, Center, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { useWrite } from '../../api/calls.ts';
import { useFieldErrors } from '../../i18n/use-server-message.ts';
import { Failure } from '../../ui/failure.tsx';
import { useFirstFocus } from '../../ui/first-focus.ts';
import { rememberUser } from './known-users.ts';
import { usePageTitle } from './page-title.ts';

interface Typed {
  code: string;
  company_name: string;
  name: string;
  login: string;
  password: string;
}

/** Behind the link that the terminal printed: the code stands after the `#`, which a browser sends nowhere. */
export function FirstAdministrator() {
  const { t } = useTranslation('session');
  const navigate = useNavigate();
  const { hash } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  usePageTitle(t('first.title'));
  useFirstFocus(form);
  const [code] = useState(hash.slice(1));
  const { register, handleSubmit } = useForm<Typed>({
    defaultValues: { code, company_name: '', name: '', login: '', password: '' },
  });
  const { mutateAsync, error, isPending } = useWrite('x.first-administrator.create');
  const fieldError = useFieldErrors(error);

  const submit = handleSubmit(async ({ company_name, ...typed }) => {
    const body = company_name === '' ? typed : { ...typed, company_name };
    try {
      const { data } = await mutateAsync({ body });
      if (data.user) rememberUser(data.user);
      await navigate('/app', { replace: true });
    } catch {
      // Shown by `error`.
    }
  });

  return (
    <Center mih="100vh" p="lg" component="main">
      <form
        ref={form}
        onSubmit={submit}
        aria-label={t('first.title')}
        style={{ width: '100%', maxWidth: '32rem' }}
      >
        <Stack>
          <Title order={1}>{t('first.title')}</Title>
          <Text>{t('first.text')}</Text>
          {code === '' && (
            <TextInput label={t('first.code')} required error={fieldError('code')} {...register('code')} />
          )}
          <TextInput
            label={t('first.company')}
            description={t('first.company.hint')}
            autoComplete="organization"
            error={fieldError('company_name')}
            data-autofocus
            {...register('company_name')}
          />
          <TextInput
            label={t('name')}
            required
            autoComplete="name"
            error={fieldError('name')}
            {...register('name')}
          />
          <TextInput
            label={t('login')}
            description={t('login.hint')}
            required
            autoComplete="username"
            error={fieldError('login')}
            {...register('login')}
          />
          <PasswordInput
            label={t('password')}
            description={t('password.hint')}
            required
            autoComplete="new-password"
            error={fieldError('password')}
            visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
            {...register('password')}
          />
          <Failure error={error} />
          <Button type="submit" loading={isPending}>
            {t('first.create')}
          </Button>
        </Stack>
      </form>
    </Center>
  );
}
