import { Alert, Anchor, Badge, Group, PasswordInput, Stack, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCall, useWrite } from '../../api/calls.ts';
import { useSession } from '../../api/session.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { Failure } from '../../ui/failure.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';
import { useHotkeys } from '../../ui/use-hotkeys.ts';
import { AtCentral, useCentralAddress } from './at-central.tsx';
import { highestRole } from './role-choice.tsx';
import { UserFields, type UserValues, userBody } from './user-fields.tsx';
import { type User, UserState } from './user-state.tsx';

/** Most users that the list shows. */
const MOST = 500;

/** Who may sign in, and what each may do. */
export function UsersPage() {
  const { t } = useTranslation('setup');
  const { data, error, refetch } = useCall('x.users.list', { query: { per_page: MOST } });
  const [isAdding, add] = useDisclosure(false);
  const central = useCentralAddress();
  useHotkeys(central === null ? [['n', add.open]] : []);
  const users = data?.data ?? [];
  const isOfStation = useIsOfStation();
  const ofStations = users.filter(isOfStation).length;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{t('section.users')}</Title>
        {!isAdding && central === null && <NewButton onClick={add.open}>{t('user.new')}</NewButton>}
      </Group>
      {central !== null && <AtCentral address={central} section="users" text={t('central.users')} />}
      {ofStations > 0 && (
        <Alert color="orange" variant="light" title={t('user.of-stations', { count: ofStations })}>
          {t('user.of-stations.text')}
        </Alert>
      )}
      {isAdding && <NewUser onClose={add.close} />}
      <Failure error={error} onRetry={() => void refetch()} />
      {!data && !error && <Text role="status">{t('app:reading')}</Text>}
      <TitledTable
        minWidth={600}
        verticalSpacing="xs"
        aria-label={t('section.users')}
        columns={[t('user.name'), t('user.login'), t('role'), t('user.state')]}
      >
        {users.map(user => {
          const role = highestRole(user.roles as string[] | null);
          return (
            <Table.Tr key={user.id}>
              <Table.Td>
                <Anchor component={Link} to={`/app/setup/users/${user.id}`} className="cell-link typed">
                  {user.name}
                </Anchor>
              </Table.Td>
              <Table.Td className="typed">{user.login}</Table.Td>
              <Table.Td>{t(role === null ? 'role.none' : `role.${role}`)}</Table.Td>
              <Table.Td>
                <Group gap="xs">
                  <UserState user={user} />
                  {isOfStation(user) && (
                    <Badge variant="outline" size="lg" color="gray" tt="none">
                      {t('user.of-station')}
                    </Badge>
                  )}
                </Group>
              </Table.Td>
            </Table.Tr>
          );
        })}
      </TitledTable>
    </Stack>
  );
}

/** At central: whether another machine wrote the user last, and nobody has saved it here since. */
function useIsOfStation(): (user: User) => boolean {
  const { session } = useSession();
  const { role, code } = session?.station ?? {};
  return ({ written_at: at }) => role === 'central' && at !== code;
}

function NewUser({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('setup');
  const { mutateAsync } = useWrite('x.users.create');
  const [values, setValues] = useState<UserValues>({ name: '', login: '', role: 'operator', language: null });
  const [password, setPassword] = useState('');
  return (
    <ActionForm
      title={t('user.new')}
      submit={t('user.create')}
      onClose={onClose}
      onSubmit={() => mutateAsync({ body: { ...userBody(values), ...(password !== '' && { password }) } })}
    >
      {errors => (
        <>
          <UserFields values={values} onChange={setValues} errors={errors} />
          <PasswordInput
            label={t('session:password')}
            description={t('user.password.hint')}
            value={password}
            onChange={event => setPassword(event.currentTarget.value)}
            error={errors('password')}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': t('session:password.show') }}
          />
        </>
      )}
    </ActionForm>
  );
}
