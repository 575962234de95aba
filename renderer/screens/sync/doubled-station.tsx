import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { SyncState } from '../../../shared/operations/exchange-operations.ts';
import { useMay } from '../../api/may.ts';
import { useFormats } from '../../i18n/formats.ts';

/** At a station: that another machine has its disk, which of the two central goes on with, and what to do. */
export function DoubledStation({
  noticed_at: at,
  machine,
  is_held_off: isHeldOff,
  is_decided: isDecided,
}: NonNullable<SyncState['doubled']>) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const may = useMay();
  const which = !isHeldOff ? 'goes-on' : isDecided ? 'other-chosen' : 'held-off';
  return (
    <Alert variant="light" color="orange" title={t('doubled.title', { at: formats.moment(at) })}>
      <Stack gap={4}>
        <Text className="typed">{t('doubled.machine', { machine })}</Text>
        <Text>{t(`doubled.${which}`)}</Text>
        <Text>{t('doubled.kept')}</Text>
        {isHeldOff && isDecided && may('x.sync.enrol') && (
          <Group mt="xs">
            <Button component={Link} to="/app/setup/stations">
              {t('doubled.separate')}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
