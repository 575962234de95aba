import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall, useWrite } from '../../api/calls.ts';
import { useSession } from '../../api/session.ts';
import { useFormats } from '../../i18n/formats.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { Failure } from '../../ui/failure.tsx';

/** With which key this installation signs as itself; where it is another one than before, certifying it as an administrator. */
export function AuthorityPage() {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const { session } = useSession();
  const { data, error, refetch } = useCall('x.authority.read');
  const [isCertifying, certifying] = useDisclosure(false);
  const authority = data?.data;
  const isOther = authority !== undefined && authority.former !== null;
  const hasCertified = authority?.certified_by.includes(session?.user?.login ?? '') === true;
  return (
    <Stack>
      <Title order={1}>{t('authority.title')}</Title>
      <Text maw="45rem">{t('authority.text')}</Text>
      <Failure error={error} onRetry={() => void refetch()} />
      {isOther && (
        <Alert
          color="orange"
          variant="outline"
          icon={<IconAlertTriangle aria-hidden />}
          title={t('authority.other')}
        >
          {t('authority.remedy')}
        </Alert>
      )}
      {authority && (
        <dl className="fields">
          <Fact label={t('authority.key')} value={authority.key} />
          {isOther && (
            <>
              <Fact label={t('authority.former')} value={authority.former ?? ''} />
              <Fact label={t('authority.since')} value={formats.moment(authority.since)} />
              <Fact
                label={t('authority.by')}
                value={authority.certified_by.join(', ') || t('authority.nobody')}
              />
            </>
          )}
        </dl>
      )}
      {authority && !isOther && <Text>{t('authority.counts')}</Text>}
      {isOther && isCertifying && <Certify onClose={certifying.close} />}
      {isOther && !isCertifying && !hasCertified && (
        <Group>
          <Button onClick={certifying.open}>{t('authority.certify')}</Button>
        </Group>
      )}
    </Stack>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="typed" style={{ overflowWrap: 'anywhere' }}>
        {value}
      </dd>
    </div>
  );
}

/** What the screen says is what the server says: the fingerprint is typed from the machine, so that nobody certifies what somebody put there. */
function Certify({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('setup');
  const { mutateAsync } = useWrite('x.authority.certify');
  const [fingerprint, setFingerprint] = useState('');
  const [reason, setReason] = useState('');
  const [password, setPassword] = useState('');
  return (
    <ActionForm
      title={t('authority.certify')}
      submit={t('authority.certify')}
      onClose={onClose}
      onSubmit={() =>
        mutateAsync({
          body: { fingerprint: fingerprint.replaceAll(/\s/g, '').toLowerCase(), reason, password },
        })
      }
    >
      {errors => (
        <>
          <TextInput
            label={t('authority.fingerprint')}
            description={t('authority.fingerprint.hint')}
            required
            spellCheck={false}
            autoComplete="off"
            value={fingerprint}
            onChange={event => setFingerprint(event.currentTarget.value)}
            error={errors('fingerprint')}
          />
          <TextInput
            label={t('authority.reason')}
            required
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
            error={errors('reason')}
          />
          <PasswordInput
            label={t('authority.password')}
            required
            value={password}
            onChange={event => setPassword(event.currentTarget.value)}
            error={errors('password')}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t('session:password.show') }}
          />
        </>
      )}
    </ActionForm>
  );
}
