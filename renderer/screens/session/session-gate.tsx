import { Center, Stack, Text, Title } from '@mantine/core';
import { useIdle } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '../../api/calls.ts';
import { useLive } from '../../api/live.ts';
import { type Session, useSession } from '../../api/session.ts';
import { changeLanguage } from '../../i18n/i18n.ts';
import { Opening } from './opening.tsx';
import { isPasswordDue, PasswordDueNotice, PasswordDuePage } from './password-due.tsx';
import { SignIn } from './sign-in.tsx';
import { Unlock } from './unlock.tsx';

/** Shows what it holds to a signed-in user only. What was being typed is kept as a draft while another signs in. */
export function SessionGate({ children }: { children: ReactNode }) {
  const { t } = useTranslation('session');
  const { session } = useSession();
  const isIn = Boolean(session?.user && !session.is_locked && !isPasswordDue(session));
  const isReached = useLive(isIn);

  useForgetting(session?.user?.id);

  const language = session?.user?.language ?? session?.machine_language;
  useEffect(() => {
    if (language) changeLanguage(language);
  }, [language]);

  if (!session) return <Opening />;
  if (session.is_first_administrator_missing && !session.user) return <FirstLinkNeeded />;
  if (!session.user) return <SignIn session={session} />;
  if (session.is_locked) return <Unlock session={session} user={session.user} />;
  if (isPasswordDue(session)) return <PasswordDuePage session={session} />;
  return (
    <>
      {!isReached && (
        <Text role="status" ta="center" fw={700} p="xs" bg="var(--mantine-color-yellow-2)" c="black">
          {t('away')}
        </Text>
      )}
      <IdleLock session={session} />
      <PasswordDueNotice session={session} />
      {children}
    </>
  );
}

/** What one user was shown is not kept for the next one. */
function useForgetting(user: number | undefined): void {
  const queries = useQueryClient();
  const former = useRef(user);
  useEffect(() => {
    if (former.current !== undefined && former.current !== user) {
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'x.session.read' });
    }
    former.current = user;
  }, [user, queries]);
}

/** Locks when nobody has touched the keyboard, the screen or a scanner for as long as the setting says. */
function IdleLock({ session }: { session: Session }) {
  const { mutate: lock } = useWrite('x.session.lock');
  const minutes = session.idle_lock_minutes;
  const isIdle = useIdle(minutes > 0 ? minutes * 60_000 : 2_147_483_647, { initialState: false });
  useEffect(() => {
    if (isIdle && minutes > 0) lock({ body: {} });
  }, [isIdle, minutes, lock]);
  return null;
}

function FirstLinkNeeded() {
  const { t } = useTranslation('session');
  return (
    <Center mih="100vh" p="lg" component="main">
      <Stack maw="36rem">
        <img src="/icon.svg" width={72} height={72} alt="" />
        <Title order={1}>{t('first.missing')}</Title>
        <Text>{t('first.link')}</Text>
        <Text>{t('first.command')}</Text>
        <code>holdpoint user link</code>
      </Stack>
    </Center>
  );
}
