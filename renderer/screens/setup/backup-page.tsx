import { Alert, Button, Group, List, NumberInput, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupStateAnswer as BackupState } from '../../../shared/operations/backup-operations.ts';
import { asTyped } from '../../../shared/operations/client.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { type Settings, useSettings } from '../../api/settings.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useSizes } from '../../i18n/sizes.ts';
import { useServerMessage } from '../../i18n/use-server-message.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';
import { BackupKey } from './backup-key.tsx';
import { BackupPractice } from './backup-practice.tsx';
import { BackupsAtCentral } from './backups-at-central.tsx';

/** How the server's words on it begin. */
const SAME_DISK = 'Backups stand in the data folder only';

/** Backups: now, the age of the last, where they go, and how one is brought back. */
export function BackupPage() {
  const { t } = useTranslation('setup');
  const { data, error, refetch } = useCall('x.backups.list');
  const settings = useSettings();
  const sizes = useSizes();
  const formats = useFormats();
  const say = useServerMessage();
  const backUp = useWrite('x.backups.create');
  const [isSetting, setIsSetting] = useState(false);
  const state = data?.data;
  const done = backUp.data?.data;
  const hasSecondPlace = Boolean(settings.data?.data.backup_folder);
  // The one that it says in its own place.
  const wrong = (state?.warnings ?? []).filter(warning => !warning.startsWith(SAME_DISK));
  return (
    <Stack>
      <Title order={1}>{t('section.backup')}</Title>
      <Failure error={error} onRetry={() => void refetch()} />
      {!state && !error && <Text role="status">{t('app:reading')}</Text>}
      {state && (
        <Text size="lg" fw={700}>
          {state.age_seconds === null
            ? t('backup.never')
            : t('backup.last', { age: sizes.age(state.age_seconds), at: formats.moment(state.last_at) })}
        </Text>
      )}
      {state && !hasSecondPlace && (
        <Alert
          color="yellow"
          variant="light"
          icon={<IconAlertTriangle aria-hidden />}
          title={t('backup.same-disk')}
        >
          {t('backup.same-disk.text')}
        </Alert>
      )}
      {wrong.length > 0 && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title={t('backup.wrong')}>
          {wrong.map(warning => (
            <Text key={warning} className="typed">
              {say(warning)}
            </Text>
          ))}
        </Alert>
      )}
      <Failure error={backUp.error} />
      {backUp.isPending && <Text role="status">{t('backup.running')}</Text>}
      {done && !backUp.isPending && (
        <Alert
          color="green"
          variant="light"
          icon={<IconCircleCheck aria-hidden />}
          title={t('backup.done')}
          role="status"
        >
          <Text className="typed">
            {t('backup.done.text', {
              file: done.file,
              size: sizes.bytes(done.bytes),
              records: formats.number(done.records),
              commits: formats.number(done.commits),
            })}
          </Text>
        </Alert>
      )}
      {isSetting && settings.data ? (
        <Places settings={settings.data.data} onClose={() => setIsSetting(false)} />
      ) : (
        <Group>
          <Button onClick={() => backUp.mutate({ body: {} })} loading={backUp.isPending}>
            {t('backup.now')}
          </Button>
          <Button variant="default" onClick={() => setIsSetting(true)}>
            {t('backup.places')}
          </Button>
        </Group>
      )}
      {state && (
        <Text>
          {t('backup.where')} <span className="typed">{state.folder}</span>.{' '}
          {t('backup.keep.text', { count: state.keep })}
        </Text>
      )}
      {state && settings.data && <BackupKey present={state.key} settings={settings.data.data} />}
      {state && <BackupPractice state={state} />}
      {state && settings.data && <BackupsAtCentral state={state.at_central} settings={settings.data.data} />}
      <Title order={2} size="h3">
        {t('restore.title')}
      </Title>
      <Text>{t('restore.text')}</Text>
      <List type="ordered" spacing="xs">
        <List.Item>{t('restore.stop')}</List.Item>
        <List.Item>
          {t('restore.run')}
          <br />
          <code className="typed">holdpoint restore {state?.backups[0]?.file ?? t('restore.file')}</code>
        </List.Item>
        {state?.backups[0]?.key && <List.Item>{t('restore.key', { name: state.backups[0].key })}</List.Item>}
        <List.Item>{t('restore.start')}</List.Item>
      </List>
      {state && state.backups.length > 0 && (
        <>
          <Title order={2} size="h3">
            {t('backup.all')}
          </Title>
          <BackupTable backups={state.backups} />
        </>
      )}
    </Stack>
  );
}

function BackupTable({ backups }: { backups: BackupState['backups'] }) {
  const { t } = useTranslation('setup');
  const sizes = useSizes();
  const formats = useFormats();
  return (
    <TitledTable
      minWidth={600}
      verticalSpacing="xs"
      aria-label={t('section.backup')}
      columns={[t('backup.at'), t('backup.size'), t('backup.key'), t('backup.file')]}
    >
      {backups.map(({ file, at, bytes, key }) => (
        <Table.Tr key={file}>
          <Table.Td className="date">{formats.moment(at)}</Table.Td>
          <Table.Td className="date">{sizes.bytes(bytes)}</Table.Td>
          <Table.Td className="date">{key ?? t('backup.key.plain')}</Table.Td>
          <Table.Td className="typed">{file}</Table.Td>
        </Table.Tr>
      ))}
    </TitledTable>
  );
}

function Places({ settings, onClose }: { settings: Settings; onClose: () => void }) {
  const { t } = useTranslation('setup');
  const { mutateAsync } = useWrite('x.settings.update');
  const [folder, setFolder] = useState(settings.backup_folder ?? '');
  const [keep, setKeep] = useState<string | number>(settings.backup_keep);
  const [drill, setDrill] = useState<string | number>(settings.backup_drill_days);
  return (
    <ActionForm
      title={t('backup.places')}
      submit={t('app:save')}
      onClose={onClose}
      onSubmit={() =>
        mutateAsync({
          body: asTyped<'x.settings.update'>({
            backup_folder: folder.trim() || null,
            backup_keep: keep,
            backup_drill_days: drill,
          }),
        })
      }
    >
      {errors => (
        <>
          <TextInput
            label={t('backup.folder')}
            description={t('backup.folder.hint')}
            value={folder}
            onChange={event => setFolder(event.currentTarget.value)}
            error={errors('backup_folder')}
            autoComplete="off"
            spellCheck={false}
          />
          <NumberInput
            label={t('backup.keep')}
            description={t('backup.keep.hint')}
            hideControls
            allowDecimal={false}
            value={keep}
            onChange={setKeep}
            error={errors('backup_keep')}
          />
          <NumberInput
            label={t('backup.drill')}
            description={t('backup.drill.hint')}
            hideControls
            allowDecimal={false}
            value={drill}
            onChange={setDrill}
            error={errors('backup_drill_days')}
          />
        </>
      )}
    </ActionForm>
  );
}
