import { Button, Group, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '../../api/calls.ts';
import { useSession } from '../../api/session.ts';
import { languages } from '../../i18n/i18n.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useOwnLanguage } from '../session/own-language.ts';
import { AtCentral, useCentralAddress } from './at-central.tsx';
import { OwnHand } from './own-hand.tsx';
import { highestRole } from './role-choice.tsx';
import { SessionTable } from './session-table.tsx';

/** Of whoever is signed in: what one may do, one's password, the language of one's screens. */
export function OwnPage() {
  const { t, i18n } = useTranslation('setup');
  const { session } = useSession();
  const [isChanging, change] = useDisclosure(false);
  const [isChanged, setIsChanged] = useState(false);
  const { change: changeLanguage, error } = useOwnLanguage();
  const central = useCentralAddress();
  const user = session?.user;
  if (!user) return null;
  const role = highestRole(user.roles);
  return (
    <Stack>
      <Title order={1} className="typed">
        {user.name}
      </Title>
      <dl className="fields">
        <div>
          <dt>{t('user.login')}</dt>
          <dd className="typed">{user.login}</dd>
        </div>
        <div>
          <dt>{t('role')}</dt>
          <dd>{role === null ? t('role.none') : `${t(`role.${role}`)}: ${t(`role.${role}.may`)}`}</dd>
        </div>
      </dl>
      <Title order={2} size="h3">
        {t('session:password')}
      </Title>
      {central !== null && <AtCentral address={central} section="me" text={t('central.password')} />}
      {central === null && isChanging && (
        <ChangePassword id={user.id} onClose={change.close} onChanged={() => setIsChanged(true)} />
      )}
      {central === null && !isChanging && (
        <Group>
          <Button
            onClick={() => {
              setIsChanged(false);
              change.open();
            }}
          >
            {t('own.password')}
          </Button>
          {isChanged && <Text role="status">{t('own.password.changed')}</Text>}
        </Group>
      )}
      <Title order={2} size="h3">
        {t('user.language')}
      </Title>
      <Text>{t(central === null ? 'own.language.hint' : 'own.language.here')}</Text>
      <Group>
        {languages.map(language => (
          <Button
            key={language}
            lang={language}
            variant={language === i18n.language ? 'filled' : 'default'}
            aria-pressed={language === i18n.language}
            onClick={() => changeLanguage(language)}
          >
            {t(`session:language.${language}`)}
          </Button>
        ))}
      </Group>
      <Failure error={error} />
      <OwnHand />
      <SessionTable />
    </Stack>
  );
}

interface ChangePasswordProps {
  id: number;
  onClose: () => void;
  onChanged: () => void;
}

function ChangePassword({ id, onClose, onChanged }: ChangePasswordProps) {
  const { t } = useTranslation('setup');
  const { mutateAsync } = useWrite('x.users.password');
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const shows = { visibilityToggleButtonProps: { 'aria-label': t('session:password.show') }, required: true };
  return (
    <ActionForm
      title={t('own.password')}
      submit={t('own.password')}
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
            label={t('password.current')}
            value={current}
            onChange={event => setCurrent(event.currentTarget.value)}
            error={errors('current_password')}
            autoComplete="current-password"
          />
          <PasswordInput
            {...shows}
            label={t('password.new')}
            description={t('session:password.hint')}
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
