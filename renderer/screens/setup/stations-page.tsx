import { Anchor, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../../api/session.ts';
import { CentralStations } from './central-stations.tsx';
import { Enrol } from './enrol.tsx';

/** At a central: its stations and the codes with which they enrol. Elsewhere: joining a central. */
export function StationsPage() {
  const { t } = useTranslation('setup');
  const { session } = useSession();
  const role = session?.station.role;
  return (
    <Stack>
      <Title order={1}>{t('section.stations')}</Title>
      {role === 'central' && <CentralStations />}
      {role === 'station' && (
        <Text>
          {t('stations.joined', { name: session?.station.name })}{' '}
          <Anchor component={Link} to="/app/sync">
            {t('stations.state')}
          </Anchor>
        </Text>
      )}
      {role !== undefined && role !== 'central' && <Enrol isJoined={role === 'station'} />}
    </Stack>
  );
}
