import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '../../api/calls.ts';
import { ActionForm } from '../../ui/action-form.tsx';

export interface ChangePasswordProps {
  id: number;
  onClose: () => void;
  onChanged: () => void;
}

/** The password of whoever is signed in: the one until now, and another one. */
export function ChangePassword({ id, onClose, onChanged }: ChangePasswordProps) {
  const { t } = useTranslation('session');
  const { mutateAsync } = useWrite('x.users.password');
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const shows = { visibilityToggleButtonProps: { 'aria-label': t('password.show') }, required: true };
  return (
    <ActionForm
      title={t('setup:own.password')}
      submit={t('setup:own.password')}
      onClose={onClose}
      onSubmit={async () => {
        await mutateAsync({ params: { id }, body: { current_password: current, password } });
        onChanged();
      }}
    >
      {errors => (
        <>
          <PasswordInput
            {...shows}
            label={t('setup:password.current')}
            value={current}
            onChange={event => setCurrent(event.currentTarget.value)}
            error={errors('current_password')}
            autoComplete="current-password"
          />
          <PasswordInput
            {...shows}
            label={t('setup:password.new')}
            description={t('password.hint')}
            value={password}
            onChange={event => setPassword(event.currentTarget.value)}
            error={errors('password')}
            autoComplete="new-password"
          />
        </>
      )}
    </ActionForm>
  );
}
