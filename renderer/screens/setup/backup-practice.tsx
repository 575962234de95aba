import { Alert, Button, Group, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupStateAnswer, RestorePractice } from '../../../shared/operations/backup-operations.ts';
import { useWrite } from '../../api/calls.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useServerMessage } from '../../i18n/use-server-message.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { Failure } from '../../ui/failure.tsx';

/** Practising a restore: the newest backup, with the key where it needs one. */
export function BackupPractice({ state }: { state: BackupStateAnswer }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const practise = useWrite('x.backups.practise');
  const [isAsking, ask] = useDisclosure(false);
  const newest = state.backups.toSorted((one, other) => (one.at < other.at ? 1 : -1))[0];
  const found = practise.data?.data;
  const due = state.practice_due_at;
  return (
    <Stack>
      <Title order={2} size="h3">
        {t('practice.title')}
      </Title>
      <Text>
        {t('practice.text')}{' '}
        {state.practised
          ? t('practice.last', { at: formats.moment(state.practised.at) })
          : t('practice.never')}{' '}
        {due && t('practice.due', { at: formats.moment(due) })}
      </Text>
      <Failure error={isAsking ? null : practise.error} />
      {practise.isPending && <Text role="status">{t('practice.running')}</Text>}
      {found && !practise.isPending && <Found found={found} />}
      {isAsking && newest ? (
        <Ask
          name={newest.key}
          onClose={ask.close}
          onSubmit={key => practise.mutateAsync({ body: { key } })}
        />
      ) : (
        newest && (
          <Group>
            <Button
              variant="default"
              loading={practise.isPending}
              onClick={() => (newest.key === null ? practise.mutate({ body: {} }) : ask.open())}
            >
              {t('practice.now')}
            </Button>
          </Group>
        )
      )}
    </Stack>
  );
}

function Found({ found }: { found: RestorePractice }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const say = useServerMessage();
  const isWell = found.fault === null;
  return (
    <Alert
      color={isWell ? 'green' : 'red'}
      variant="light"
      icon={isWell ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
      title={t(isWell ? 'practice.well' : 'practice.failed')}
      role="status"
    >
      <Text className="typed">
        {found.fault === null
          ? t('practice.found', {
              file: found.file,
              at: formats.moment(found.made_at),
              records: formats.number(found.records),
              commits: formats.number(found.commits),
            })
          : say(found.fault)}
      </Text>
    </Alert>
  );
}

interface AskProps {
  name: string | null;
  onClose: () => void;
  onSubmit: (key: string) => Promise<unknown>;
}

function Ask({ name, onClose, onSubmit }: AskProps) {
  const { t } = useTranslation('setup');
  const [key, setKey] = useState('');
  return (
    <ActionForm
      title={t('practice.now')}
      submit={t('practice.now')}
      onClose={onClose}
      onSubmit={() => onSubmit(key)}
    >
      {errors => (
        <PasswordInput
          label={t('practice.key', { name })}
          description={t('practice.key.hint')}
          value={key}
          onChange={event => setKey(event.currentTarget.value)}
          error={errors('key')}
          visibilityToggleButtonProps={{ 'aria-label': t('practice.key.show') }}
          autoComplete="off"
          spellCheck={false}
          required
        />
      )}
    </ActionForm>
  );
}
