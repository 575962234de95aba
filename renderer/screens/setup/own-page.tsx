import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { languages } from '../../i18n/i18n.ts';
import { Failure } from '../../ui/failure.tsx';
import { ChangePassword } from '../session/change-password.tsx';
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
