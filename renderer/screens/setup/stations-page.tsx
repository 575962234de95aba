import { Anchor, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCall } from '../../api/calls.ts';
import { useSession } from '../../api/session.ts';
import { WordLeftNotice } from '../session/word-left-notice.tsx';
import { CentralStations } from './central-stations.tsx';
import { Enrol } from './enrol.tsx';

/** At a central: its stations and the codes with which they enrol. Elsewhere: joining a central. */
export function StationsPage() {
  const { t } = useTranslation('setup');
  const { session } = useSession();
  const role = session?.station.role;
  const { data: sync } = useCall('x.sync.read', {}, { isEnabled: role === 'station' });
  const [separating, setSeparating] = useState<string | null>(null);
  const central = sync?.data.doubled?.is_held_off ? sync.data.central : null;
  // It stays, and says so, once the machine is a station of its own.
  if (central && separating === null) setSeparating(central.address);
  return (
    <Stack>
      <Title order={1}>{t('section.stations')}</Title>
      {role === 'central' && <CentralStations />}
      {role === 'station' && (
        <Text>
          {t('stations.joined', { name: session?.station.name })}{' '}
          <Anchor component={Link} to="/app/sync" underline="always">
            {t('stations.state')}
          </Anchor>
        </Text>
      )}
      {/* Where this screen went away in between: what became of it is still said. */}
      {separating === null && <WordLeftNotice />}
      {separating !== null && <Enrol key="separate" kind="separate" central={separating} />}
      {role !== undefined && role !== 'central' && separating === null && (
        <Enrol key="join" kind={role === 'station' ? 'again' : 'join'} />
      )}
    </Stack>
  );
}
