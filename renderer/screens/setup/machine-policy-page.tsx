import { Alert, List, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { MachinePolicyAnswer } from '../../../shared/operations/machine-policy-operations.ts';
import { useCall } from '../../api/calls.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useServerMessage } from '../../i18n/use-server-message.ts';
import { Failure } from '../../ui/failure.tsx';

const SETTINGS = [
  'central',
  'station_name',
  'authority_file',
  'port',
  'sends_backups',
  'updates',
  'update_ring',
  'update_window',
  'language',
  'printer',
  'starts_at_login',
  'keeps_running',
  'kiosk',
  'kiosk_printer',
] as const;

/** What the administrators of this machine decided for it: shown, and changed nowhere here. */
export function MachinePolicyPage() {
  const { t } = useTranslation('setup');
  const say = useServerMessage();
  const { data, error, refetch } = useCall('x.machine-policy.read');
  const policy = data?.data;
  return (
    <Stack>
      <Title order={1}>{t('section.policy')}</Title>
      <Failure error={error} onRetry={() => void refetch()} />
      {policy && policy.source === null && <Text maw="45rem">{t('policy.none')}</Text>}
      {policy && policy.source !== null && (
        <>
          <Text maw="45rem">{t('policy.set', { source: policy.source })}</Text>
          {policy.faults.length > 0 && (
            <Alert
              color="orange"
              variant="light"
              role="status"
              icon={<IconAlertTriangle aria-hidden />}
              title={t('policy.faults')}
            >
              <List>
                {policy.faults.map(fault => (
                  <List.Item key={fault} className="typed">
                    {say(fault)}
                  </List.Item>
                ))}
              </List>
            </Alert>
          )}
          <Settings policy={policy} />
          <EnrolmentStanding policy={policy} />
        </>
      )}
    </Stack>
  );
}

function Settings({ policy }: { policy: MachinePolicyAnswer }) {
  const { t } = useTranslation('setup');
  const { t: tApp } = useTranslation('app');
  const shown = (value: string | number | boolean) =>
    typeof value === 'boolean' ? tApp(value ? 'yes' : 'no') : String(value);
  return (
    <dl className="fields">
      {SETTINGS.map(name => {
        const value = policy[name];
        if (value === null) return null;
        return (
          <div key={name}>
            <dt>{t(`policy.${name}`)}</dt>
            <dd className="typed">
              {name === 'updates' || name === 'language' ? t(`policy.${name}.${value}`) : shown(value)}
            </dd>
          </div>
        );
      })}
      <div>
        <dt>{t('policy.code')}</dt>
        <dd>{t(policy.has_code ? 'policy.code.set' : 'policy.code.unset')}</dd>
      </div>
      {policy.kiosk === true && (
        <div>
          <dt>{t('policy.kiosk_pin')}</dt>
          <dd>{t(policy.has_kiosk_pin ? 'policy.code.set' : 'policy.code.unset')}</dd>
        </div>
      )}
    </dl>
  );
}

/** How enrolling by the policy stands; nothing where it asks for none. */
export function EnrolmentStanding({ policy }: { policy: MachinePolicyAnswer }) {
  const { t } = useTranslation('setup');
  const say = useServerMessage();
  const formats = useFormats();
  const { state, says, next_at: nextAt } = policy.enrolment;
  if (state === 'none') return null;
  return (
    <Alert
      color={state === 'refused' ? 'orange' : 'blue'}
      variant="light"
      role="status"
      title={t(`policy.enrolment.${state}`, { central: policy.central })}
    >
      {says !== null && <Text className="typed">{say(says)}</Text>}
      {nextAt !== null && <Text>{t('policy.again', { at: formats.moment(nextAt) })}</Text>}
    </Alert>
  );
}
