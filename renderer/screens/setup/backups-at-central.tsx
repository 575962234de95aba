import { Alert, Button, Group, NumberInput, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupStateAnswer } from '../../../shared/operations/backup-operations.ts';
import { asTyped } from '../../../shared/operations/client.ts';
import { useWrite } from '../../api/calls.ts';
import { useSession } from '../../api/session.ts';
import type { Settings } from '../../api/settings.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useSizes } from '../../i18n/sizes.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { Failure } from '../../ui/failure.tsx';

interface BackupsAtCentralProps {
  state: BackupStateAnswer['at_central'];
  settings: Settings;
}

/** At a station: whether its backups go to central too. At central: how many of each station stay. */
export function BackupsAtCentral({ state, settings }: BackupsAtCentralProps) {
  const { t } = useTranslation('setup');
  const { session } = useSession();
  const role = session?.station.role;
  if (role !== 'central' && role !== 'station') return null;
  return (
    <Stack>
      <Title order={2} size="h3">
        {t(role === 'central' ? 'central-backup.of-stations' : 'central-backup.title')}
      </Title>
      {role === 'central' ? <OfStations settings={settings} /> : <Sending state={state} />}
    </Stack>
  );
}

function Sending({ state }: Pick<BackupsAtCentralProps, 'state'>) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const sizes = useSizes();
  const change = useWrite('x.settings.update');
  return (
    <>
      <Text maw="45rem">{t('central-backup.text')}</Text>
      {state && (
        <Text role="status">
          {state.kept === null
            ? t('central-backup.none')
            : t('central-backup.kept', {
                at: formats.moment(state.kept.at),
                size: sizes.bytes(state.kept.bytes),
              })}{' '}
          {state.sending &&
            t('central-backup.sending', {
              sent: sizes.bytes(state.sending.sent),
              size: sizes.bytes(state.sending.bytes),
            })}
        </Text>
      )}
      <Failure error={change.error} />
      {state?.is_by_policy ? (
        <Alert color="gray" variant="light" icon={<IconLock aria-hidden />}>
          {t('policy.locked')}
        </Alert>
      ) : (
        <Group>
          <Button
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate({ body: { sends_backups: state === null } })}
          >
            {t(state === null ? 'central-backup.begin' : 'central-backup.end')}
          </Button>
        </Group>
      )}
    </>
  );
}

function OfStations({ settings }: Pick<BackupsAtCentralProps, 'settings'>) {
  const { t } = useTranslation('setup');
  const [isSetting, set] = useDisclosure(false);
  const { mutateAsync } = useWrite('x.settings.update');
  const [keep, setKeep] = useState<string | number>(settings.station_backups_keep);
  const [days, setDays] = useState<string | number>(settings.station_backups_days);
  if (!isSetting)
    return (
      <>
        <Text maw="45rem">
          {settings.station_backups_keep === 0
            ? t('central-backup.takes-none')
            : t('central-backup.keeps', {
                keep: settings.station_backups_keep,
                days: settings.station_backups_days,
              })}
        </Text>
        <Group>
          <Button variant="default" onClick={set.open}>
            {t('central-backup.change')}
          </Button>
        </Group>
      </>
    );
  return (
    <ActionForm
      title={t('central-backup.change')}
      submit={t('app:save')}
      onClose={set.close}
      onSubmit={() =>
        mutateAsync({
          body: asTyped<'x.settings.update'>({ station_backups_keep: keep, station_backups_days: days }),
        })
      }
    >
      {errors => (
        <>
          <NumberInput
            label={t('central-backup.keep')}
            description={t('central-backup.keep.hint')}
            hideControls
            allowDecimal={false}
            value={keep}
            onChange={setKeep}
            error={errors('station_backups_keep')}
          />
          <NumberInput
            label={t('central-backup.days')}
            description={t('central-backup.days.hint')}
            hideControls
            allowDecimal={false}
            value={days}
            onChange={setDays}
            error={errors('station_backups_days')}
          />
        </>
      )}
    </ActionForm>
  );
}
