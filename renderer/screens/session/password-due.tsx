import { Alert, Anchor, Center, Stack, Text, Title } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useWrite } from '../../api/calls.ts';
import { type Session, useSession } from '../../api/session.ts';
import { ChangePassword } from './change-password.tsx';
import { usePageTitle } from './page-title.ts';

/** Before anything else another password is chosen; who does not want to signs out. */
export function PasswordDuePage({ session }: { session: Session }) {
  const { t } = useTranslation('session');
  const { refetch } = useSession();
  const end = useWrite('x.session.end');
  const isChanged = useRef(false);
  usePageTitle(t('due'));
  if (!session.user || !session.password_due) return null;
  return (
    <Center mih="100vh" p="lg" component="main" id="main">
      <Stack w="100%" maw="32rem">
        <Title order={1}>{t('due')}</Title>
        <Text>{t(`due.${session.password_due}`)}</Text>
        <ChangePassword
          id={session.user.id}
          onClose={() => isChanged.current || end.mutate({ body: {} })}
          onChanged={() => {
            isChanged.current = true;
            void refetch();
          }}
        />
      </Stack>
    </Center>
  );
}

/** Says why the password is to be changed, where work goes on all the same. */
export function PasswordDueNotice({ session }: { session: Session }) {
  const { t } = useTranslation('session');
  const { password_due: due, station } = session;
  if (!due) return null;
  const address = station.central_address;
  return (
    <Alert variant="light" color="orange" icon={<IconKey aria-hidden />} role="status">
      {t(`due.${due}`)} {(due === 'temporary' || due === 'revoked') && address !== null && t('due.unsigned')}{' '}
      {address === null ? (
        <Anchor component={Link} to="/app/setup/me" inherit>
          {t('setup:own.password')}
        </Anchor>
      ) : (
        <Anchor href={`${address}/app/setup/me`} target="_blank" rel="noreferrer" inherit>
          {t('due.central', { address })}
        </Anchor>
      )}
    </Alert>
  );
}

/** Whether the session does nothing before: a station cannot change it, and lets people work. */
export function isPasswordDue({ password_due: due, station }: Session): boolean {
  return due !== null && due !== 'weak' && station.role !== 'station';
}
