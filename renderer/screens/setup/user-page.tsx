import { Alert, Anchor, Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { useCall, useWrite } from '../../api/calls.ts';
import { useSession } from '../../api/session.ts';
import { useFormats } from '../../i18n/formats.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { Failure } from '../../ui/failure.tsx';
import { genericPath } from '../../ui/record-path.ts';
import { Waiting } from '../../ui/waiting.tsx';
import { AtCentral, useCentralAddress } from './at-central.tsx';
import { highestRole } from './role-choice.tsx';
import { SessionTable } from './session-table.tsx';
import { UserFields, type UserValues, userBody } from './user-fields.tsx';
import type { User } from './user-state.tsx';
import { lockoutOf, UserState } from './user-state.tsx';

/** One user: who it is and what it may do, its password, whether it can sign in. */
export function UserPage() {
  const { t } = useTranslation('setup');
  const id = Number(useParams().id);
  const { session } = useSession();
  const formats = useFormats();
  const central = useCentralAddress();
  const { data, error, refetch } = useCall('x.users.read', { params: { id } });
  const [open, setOpen] = useState<'change' | 'password' | 'revoke' | null>(null);
  const update = useWrite('x.users.update.patch');
  const user = data?.data;
  if (!user) return <Waiting query={{ error, refetch }} />;
  const role = highestRole(user.roles as string[] | null);
  const lockedOut = lockoutOf(user);
  const close = () => setOpen(null);
  const isOwn = session?.user?.id === id;
  return (
    <Stack>
      <Group>
        <Title order={1} className="typed">
          {user.name}
        </Title>
        <UserState user={user} />
      </Group>
      {lockedOut && (
        <Alert color="red" variant="light" title={t('user.locked-out', { at: formats.moment(lockedOut) })}>
          {t('user.locked-out.help')}
        </Alert>
      )}
      <dl className="fields">
        <div>
          <dt>{t('user.login')}</dt>
          <dd className="typed">{user.login}</dd>
        </div>
        <div>
          <dt>{t('role')}</dt>
          <dd>{role === null ? t('role.none') : `${t(`role.${role}`)}: ${t(`role.${role}.may`)}`}</dd>
        </div>
        <div>
          <dt>{t('user.language')}</dt>
          <dd>{user.language ? t(`session:language.${user.language}`) : t('user.language.browser')}</dd>
        </div>
        <div>
          <dt>{t('password.changed')}</dt>
          <dd>{formats.moment(user.password_changed_at) || t('password.never')}</dd>
        </div>
      </dl>
      {open === 'change' && <ChangeUser user={user} onClose={close} />}
      {open === 'password' && <SetPassword user={user} onClose={close} />}
      {open === 'revoke' && <RevokePassword user={user} onClose={close} />}
      <Failure error={update.error} />
      {central !== null && (
        <>
          <AtCentral address={central} section={`users/${id}`} text={t('central.users')} />
          <Anchor component={Link} to={genericPath('user', id)} className="cell-link">
            {t('user.history')}
          </Anchor>
        </>
      )}
      {open === null && central === null && (
        <Group>
          <Button onClick={() => setOpen('change')}>{t('user.change')}</Button>
          {isOwn ? (
            <Button component={Link} to="/app/setup/me" variant="default">
              {t('own.password')}
            </Button>
          ) : (
            <>
              <Button variant="default" onClick={() => setOpen('password')}>
                {t('password.set')}
              </Button>
              {!user.password_revoked_at && (
                <Button variant="default" onClick={() => setOpen('revoke')}>
                  {t('user.revoke')}
                </Button>
              )}
              <Button
                variant="default"
                loading={update.isPending}
                onClick={() => update.mutate({ params: { id }, body: { is_active: !user.is_active } })}
              >
                {t(user.is_active ? 'user.deactivate' : 'user.activate')}
              </Button>
            </>
          )}
          <Anchor component={Link} to={genericPath('user', id)} className="cell-link">
            {t('user.history')}
          </Anchor>
        </Group>
      )}
      {!isOwn && <SessionTable user={id} />}
    </Stack>
  );
}

function ChangeUser({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('setup');
  const { mutateAsync } = useWrite('x.users.update.patch');
  const [values, setValues] = useState<UserValues>({
    name: user.name ?? '',
    login: user.login ?? '',
    role: highestRole(user.roles as string[] | null),
    language: user.language,
  });
  return (
    <ActionForm
      title={t('user.change')}
      submit={t('app:save')}
      onClose={onClose}
      onSubmit={() => mutateAsync({ params: { id: Number(user.id) }, body: userBody(values) })}
    >
      {errors => <UserFields values={values} onChange={setValues} errors={errors} />}
    </ActionForm>
  );
}

function RevokePassword({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('setup');
  const { mutateAsync } = useWrite('x.users.revoke');
  const [reason, setReason] = useState('');
  return (
    <ActionForm
      title={t('user.revoke')}
      submit={t('user.revoke')}
      onClose={onClose}
      onSubmit={() => mutateAsync({ params: { id: Number(user.id) }, body: { reason } })}
    >
      {errors => (
        <>
          <Text maw="45rem" style={{ gridColumn: '1 / -1' }}>
            {t('user.revoke.text')}
          </Text>
          <TextInput
            label={t('reason:reason')}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
            error={errors('reason')}
          />
        </>
      )}
    </ActionForm>
  );
}

function SetPassword({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('setup');
  const { mutateAsync } = useWrite('x.users.password');
  const [password, setPassword] = useState('');
  return (
    <ActionForm
      title={t('password.set')}
      submit={t('password.set')}
      onClose={onClose}
      onSubmit={() => mutateAsync({ params: { id: Number(user.id) }, body: { password } })}
    >
      {errors => (
        <PasswordInput
          label={t('password.new')}
          description={t('password.set.hint')}
          required
          value={password}
          onChange={event => setPassword(event.currentTarget.value)}
          error={errors('password')}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('session:password.show') }}
        />
      )}
    </ActionForm>
  );
}
