import { Alert, Button, Group, Radio, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CentralCertificate as Certificate } from '../../../shared/operations/renewal-operations.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { useFormats } from '../../i18n/formats.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { Failure } from '../../ui/failure.tsx';

/** At a central: until when its certificate holds, its renewal, and which stations have not heard of the next one. */
export function CentralCertificate() {
  const { t } = useTranslation('setup');
  const { data, error, refetch } = useCall('x.central-certificate.read');
  const [isRenewing, renew] = useDisclosure(false);
  const certificate = data?.data;
  // Beside others that stand on this page: where there is none, there is nothing to say.
  if (!certificate || certificate.origin === 'none')
    return <Failure error={error} onRetry={() => void refetch()} />;
  const { origin, next, fingerprint } = certificate;
  return (
    <Stack component="section" aria-label={t('certificate.title')}>
      <Title order={2} size="h3">
        {t('certificate.title')}
      </Title>
      <Standing certificate={certificate} />
      <dl className="fields">
        <div>
          <dt>{t('certificate.fingerprint')}</dt>
          <dd className="typed">{fingerprint}</dd>
        </div>
        {next && (
          <div>
            <dt>{t('certificate.next')}</dt>
            <dd className="typed">{next.fingerprint}</dd>
          </div>
        )}
      </dl>
      {origin === 'given' && <Text maw="45rem">{t('certificate.given')}</Text>}
      {origin === 'own' &&
        (isRenewing ? (
          <Renew isUnderWay={next !== null} onClose={renew.close} />
        ) : (
          <Group>
            <Button variant="default" onClick={renew.open}>
              {t(next ? 'certificate.change' : 'certificate.renew')}
            </Button>
          </Group>
        ))}
    </Stack>
  );
}

function Standing({ certificate }: { certificate: Certificate }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const { next, valid_until: until, is_ending: isEnding } = certificate;
  const ends = t('certificate.until', { at: formats.moment(until) });
  if (isEnding)
    return (
      <Alert color="orange" variant="light" title={ends}>
        {t('certificate.ending')}
      </Alert>
    );
  if (next === null) return <Text>{ends}</Text>;
  const at = formats.moment(next.goes_over_at);
  const names = next.not_heard.map(({ name }) => name);
  return (
    <Alert color="blue" variant="light" title={t('certificate.announced')} role="status">
      <Stack gap={4}>
        <Text>{t(next.is_once_heard ? 'certificate.once-heard' : 'certificate.at', { at })}</Text>
        <Text className="typed">
          {names.length === 0
            ? t('certificate.all-heard')
            : t('certificate.not-heard', { names: formats.list(names) })}
        </Text>
        <Text>{t('certificate.later')}</Text>
      </Stack>
    </Alert>
  );
}

const CHOICES = ['heard', 'at', 'now', 'compromised'] as const;

function Renew({ isUnderWay, onClose }: { isUnderWay: boolean; onClose: () => void }) {
  const { t } = useTranslation('setup');
  const { mutateAsync } = useWrite('x.central-certificate.renew');
  const [choice, setChoice] = useState<string>('heard');
  const [at, setAt] = useState('');
  const isCompromised = choice === 'compromised';
  return (
    <ActionForm
      title={t(isUnderWay ? 'certificate.change' : 'certificate.renew')}
      submit={t(isCompromised ? 'certificate.break' : isUnderWay ? 'certificate.keep' : 'certificate.renew')}
      {...(isCompromised && { color: 'red.9' })}
      onClose={onClose}
      onSubmit={() => mutateAsync({ body: bodyOf(choice, at) })}
    >
      {errors => (
        <>
          <Radio.Group
            label={t('certificate.when')}
            value={choice}
            onChange={setChoice}
            style={{ gridColumn: '1 / -1' }}
          >
            <Stack gap="xs" mt="xs">
              {CHOICES.map(one => (
                <Radio
                  key={one}
                  value={one}
                  label={t(`certificate.when.${one}`)}
                  description={t(`certificate.when.${one}.hint`)}
                />
              ))}
            </Stack>
          </Radio.Group>
          {choice === 'at' && (
            <TextInput
              type="datetime-local"
              label={t('certificate.time')}
              required
              value={at}
              onChange={event => setAt(event.currentTarget.value)}
              error={errors('goes_over_at')}
            />
          )}
        </>
      )}
    </ActionForm>
  );
}

function bodyOf(choice: string, at: string): object {
  if (choice === 'at') {
    const moment = new Date(at);
    return { goes_over_at: Number.isNaN(moment.getTime()) ? at : moment.toISOString() };
  }
  return choice === 'heard' ? {} : { [choice]: true };
}
