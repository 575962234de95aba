import { Alert, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDeviceFloppy, IconLock, IconLockOpen, IconPrinter } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupKeyAnswer, NewBackupKey } from '../../../shared/operations/backup-operations.ts';
import { useWrite } from '../../api/calls.ts';
import type { Settings } from '../../api/settings.ts';
import { useIsKiosk } from '../../desktop/desktop-calls.ts';
import { useFormats } from '../../i18n/formats.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { saveFile } from '../../ui/save-file.ts';

interface BackupKeyProps {
  present: BackupKeyAnswer | null;
  settings: Settings;
}

/** The recovery key: whether there is one, making it, writing it down, and doing without. */
export function BackupKey({ present, settings }: BackupKeyProps) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const make = useWrite('x.backup-key.create');
  const remove = useWrite('x.backup-key.remove');
  const mean = useWrite('x.settings.update');
  const [isBringing, bring] = useDisclosure(false);
  const made = make.data?.data;
  const isPlainMeant = settings.is_backup_plain;
  return (
    <Stack>
      <Title order={2} size="h3">
        {t('key.title')}
      </Title>
      {present ? (
        <Group wrap="nowrap" align="start">
          <IconLock aria-hidden />
          <Text>
            {t('key.present', {
              name: present.name,
              at: formats.moment(present.since),
              by: present.by ?? t('key.nobody'),
            })}
          </Text>
        </Group>
      ) : (
        <Alert
          color={isPlainMeant ? 'gray' : 'yellow'}
          variant="light"
          icon={<IconLockOpen aria-hidden />}
          title={t(isPlainMeant ? 'key.plain-meant' : 'key.plain')}
        >
          {t('key.plain.text')}
        </Alert>
      )}
      <Failure error={make.error ?? remove.error ?? mean.error} />
      {made && <Paper made={made} onClose={make.reset} />}
      {isBringing && <Bring onClose={bring.close} />}
      {!made && !isBringing && (
        <Group>
          <Button
            variant={present ? 'default' : 'filled'}
            onClick={() => make.mutate({})}
            loading={make.isPending}
          >
            {t(present ? 'key.other' : 'key.make')}
          </Button>
          <Button variant="default" onClick={bring.open}>
            {t('key.bring')}
          </Button>
          {present && (
            <ConfirmButton
              label={t('key.remove')}
              named={t('key.remove')}
              sure={t('key.remove.sure')}
              onSure={() => remove.mutate({})}
            />
          )}
          {!present && (
            <Button
              variant="default"
              onClick={() => mean.mutate({ body: { is_backup_plain: !isPlainMeant } })}
              loading={mean.isPending}
            >
              {t(isPlainMeant ? 'key.remind' : 'key.stay-plain')}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}

/** What is written down, and typed back in part: a key that nobody has locks the backups away from everybody. */
function Paper({ made, onClose }: { made: NewBackupKey; onClose: () => void }) {
  const { t } = useTranslation('setup');
  const { mutateAsync } = useWrite('x.backup-key.update');
  const [typed, setTyped] = useState('');
  const { data: isKiosk } = useIsKiosk();
  const paper = useRef<HTMLElement>(null);
  useLayoutEffect(() => paper.current?.focus(), []);
  const { name, recipient, identity, groups } = made;
  const file = `# ${t('key.paper', { name })}\n# public key: ${recipient}\n${identity}\n`;
  return (
    <Stack>
      <section className="recovery-paper" ref={paper} tabIndex={-1} aria-label={t('key.paper', { name })}>
        <Title order={3} size="h4">
          {t('key.paper', { name })}
        </Title>
        <Text component="code" ff="monospace" size="xl" fw={700} className="recovery-key" data-secret>
          <span>{identity.slice(0, identity.length - groups.join('').length)}</span>
          {groups.map((group, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: groups may be alike, and their order is all that they are
            <span key={index}>{group}</span>
          ))}
        </Text>
        <Text>{t('key.paper.once')}</Text>
        <Text fw={700}>{t('key.paper.lost')}</Text>
        <Text>{t('key.paper.use')}</Text>
      </section>
      {isKiosk ? (
        <Text role="status">{t('key.kiosk')}</Text>
      ) : (
        <Group>
          <Button variant="default" leftSection={<IconPrinter aria-hidden />} onClick={() => window.print()}>
            {t('key.print')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDeviceFloppy aria-hidden />}
            onClick={() => saveFile(new Blob([file], { type: 'text/plain' }), `holdpoint-key-${name}.txt`)}
          >
            {t('key.save')}
          </Button>
        </Group>
      )}
      <ActionForm
        title={t('key.confirm')}
        submit={t('key.confirm.submit')}
        onClose={onClose}
        onSubmit={() => mutateAsync({ body: { recipient, typed } })}
      >
        {errors => (
          <TextInput
            label={t('key.typed')}
            description={t('key.typed.hint', { before: groups.at(-3) })}
            value={typed}
            onChange={event => setTyped(event.currentTarget.value)}
            error={errors('typed') ?? errors('recipient')}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            required
          />
        )}
      </ActionForm>
    </Stack>
  );
}

/** A key that was made elsewhere never was on this machine. */
function Bring({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('setup');
  const { mutateAsync } = useWrite('x.backup-key.update');
  const [recipient, setRecipient] = useState('');
  return (
    <ActionForm
      title={t('key.bring')}
      submit={t('app:save')}
      onClose={onClose}
      onSubmit={() => mutateAsync({ body: { recipient } })}
    >
      {errors => (
        <TextInput
          label={t('key.recipient')}
          description={t('key.recipient.hint')}
          value={recipient}
          onChange={event => setRecipient(event.currentTarget.value)}
          error={errors('recipient')}
          autoComplete="off"
          spellCheck={false}
          required
        />
      )}
    </ActionForm>
  );
}
