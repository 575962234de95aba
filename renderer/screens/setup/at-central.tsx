import { Alert, Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';

/** The address of the central that this station belongs to; null where what only central changes is changed here. */
export function useCentralAddress(): string | null {
  const { session } = useSession();
  return session?.station.central_address ?? null;
}

interface AtCentralProps {
  address: string;
  /** A part of the setup there: `users`. */
  section: string;
  /** What is done there, in words. */
  text: string;
}

/** In the place of a form that this station would refuse: where it is done, with the way there. */
export function AtCentral({ address, section, text }: AtCentralProps) {
  const { t } = useTranslation('setup');
  return (
    <Alert color="blue" variant="light" title={t('central.title')}>
      <Text>{text}</Text>
      <Anchor href={`${address}/app/setup/${section}`} target="_blank" rel="noreferrer">
        {t('central.open', { address })}
      </Anchor>
    </Alert>
  );
}
