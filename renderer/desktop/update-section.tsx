import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { UpdateReport } from '../../shared/contract/desktop-bridge.ts';
import { useFormats } from '../i18n/formats.ts';
import { Failure } from '../ui/failure.tsx';
import { Section } from '../ui/section.tsx';
import { useLookForUpdates, useUpdates, useVersion } from './desktop-calls.ts';

/** Which version this is, whether there is a newer one, and when that was last looked after. */
export function UpdateSection() {
  const { t } = useTranslation('desktop');
  const formats = useFormats();
  const { data: version } = useVersion();
  const { data: report, error } = useUpdates();
  const { mutate: look, error: unlooked } = useLookForUpdates();
  return (
    <Section title={t('updates')}>
      <Failure error={error ?? unlooked} />
      <Stack>
        <div role="status">{report && <Standing state={report.state} />}</div>
        <dl className="fields">
          <div>
            <dt>{t('updates.version')}</dt>
            <dd>{version}</dd>
          </div>
          <div>
            <dt>{t('updates.looked')}</dt>
            <dd>{report?.looked_at ? formats.moment(report.looked_at) : t('updates.never')}</dd>
          </div>
        </dl>
        {report && report.state.kind !== 'off' && report.state.kind !== 'closed' && (
          <Group>
            <Button variant="default" onClick={() => look()}>
              {t('updates.look')}
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  );
}

function Standing({ state }: { state: UpdateReport['state'] }) {
  const { t } = useTranslation('desktop');
  if (state.kind === 'failed') {
    return (
      <>
        <Text fw={700}>{t(`update.failed.${state.why}`)}</Text>
        <Text className="typed">{state.message}</Text>
      </>
    );
  }
  if (state.kind === 'ready' && state.needs_administrator) {
    return <Text fw={700}>{t('update.ready.administrator', { ...state })}</Text>;
  }
  return <Text fw={700}>{t(`update.${state.kind}`, { ...state })}</Text>;
}
