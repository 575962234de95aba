import { Alert, Button, Group, Progress, Stack, Table, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ValidationState } from '../../../shared/operations/validation-operations.ts';
import { callOptions, useWrite } from '../../api/calls.ts';
import { client } from '../../api/client.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { useServerMessage } from '../../i18n/use-server-message.ts';
import { Failure } from '../../ui/failure.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { TitledTable } from '../../ui/titled-table.tsx';

/** While one runs. In milliseconds. */
const LOOK_MS = 1_000;
type Report = ValidationState['reports'][number];

/** Validating this installation: begin, watch, cancel, and the reports of former ones. */
export function ValidationPage() {
  const { t } = useTranslation('setup');
  const say = useServerMessage();
  const queries = useQueryClient();
  const options = callOptions('x.validation.list');
  const { data, error, refetch } = useQuery({
    ...options,
    refetchInterval: ({ state }) => (state.data?.data.running ? LOOK_MS : false),
  });
  const start = useWrite('x.validation.create');
  const cancel = useWrite('x.validation.cancel');
  const state = data?.data;
  const [newest] = state?.reports ?? [];
  const isRunning = state?.running != null;
  const again = () => void queries.invalidateQueries({ queryKey: options.queryKey });
  return (
    <Stack>
      <Title order={1}>{t('section.validation')}</Title>
      <Text maw="45rem">{t('validation.text')}</Text>
      <Failure error={error} onRetry={() => void refetch()} />
      {!state && !error && <Text role="status">{t('app:reading')}</Text>}
      <Failure error={start.error ?? cancel.error} />
      {state?.running && <Running running={state.running} />}
      {state?.failure && !isRunning && (
        <Alert
          color="yellow"
          variant="light"
          icon={<IconAlertTriangle aria-hidden />}
          title={t('validation.failure')}
          role="status"
        >
          {say(state.failure)}
        </Alert>
      )}
      {newest && !isRunning && !state?.failure && <Verdict report={newest} />}
      {state && (
        <Group>
          {isRunning ? (
            <Button
              variant="default"
              loading={cancel.isPending}
              onClick={() => cancel.mutate({ body: {} }, { onSettled: again })}
            >
              {t('validation.cancel')}
            </Button>
          ) : (
            <Button
              loading={start.isPending}
              onClick={() => start.mutate({ body: {} }, { onSettled: again })}
            >
              {t('validation.start')}
            </Button>
          )}
        </Group>
      )}
      {state && <Reports reports={state.reports} />}
    </Stack>
  );
}

function Running({ running }: { running: NonNullable<ValidationState['running']> }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const language = useLanguage();
  const { began_at: began, by, done, total, doing } = running;
  const told =
    total === 0
      ? t('validation.beginning')
      : t('validation.progress', { done: formats.number(done), total: formats.number(total) });
  return (
    <Stack gap="xs">
      <Text>{t('validation.running', { at: formats.moment(began), by })}</Text>
      <Progress value={total === 0 ? 0 : (done / total) * 100} aria-label={told} size="lg" />
      <Text role="status">{told}</Text>
      {doing && <Text c="dimmed">{doing[language]}</Text>}
    </Stack>
  );
}

function Verdict({ report: { verdict, counts } }: { report: Report }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const isValid = verdict === 'passed';
  return (
    <Alert
      color={isValid ? 'green' : 'red'}
      variant="light"
      icon={isValid ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
      title={t(isValid ? 'validation.met' : 'validation.not-met')}
      role="status"
    >
      {t('validation.counts', {
        passed: formats.number(counts.passed),
        failed: formats.number(counts.failed),
        notTried: formats.number(counts.not_tried),
      })}
    </Alert>
  );
}

function Reports({ reports }: { reports: readonly Report[] }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const [failure, setFailure] = useState<unknown>(null);
  const language = useLanguage();
  const take = async (read: Promise<Response>, file: string) => {
    setFailure(null);
    try {
      saveFile(await (await read).blob(), file);
    } catch (error) {
      setFailure(error);
    }
  };
  const columns = (['at', 'by', 'version', 'result', 'files'] as const).map(name => t(`validation.${name}`));
  return (
    <Stack gap="xs">
      <Title order={2} size="h3">
        {t('validation.reports')}
      </Title>
      <Text maw="45rem">{t(reports.length === 0 ? 'validation.none' : 'validation.keep')}</Text>
      <Failure error={failure} />
      {reports.length > 0 && (
        <TitledTable
          minWidth={700}
          verticalSpacing={0}
          aria-label={t('validation.reports')}
          columns={columns}
        >
          {reports.map(({ name, began_at: began, by, version, verdict, counts }) => {
            const at = formats.moment(began);
            return (
              <Table.Tr key={name}>
                <Table.Td className="date">{at}</Table.Td>
                <Table.Td className="typed">{by}</Table.Td>
                <Table.Td>{version}</Table.Td>
                <Table.Td>
                  {t(`validation.${verdict}`)} ({formats.number(counts.passed)}/
                  {formats.number(counts.passed + counts.failed + counts.not_tried)})
                </Table.Td>
                <Table.Td>
                  <Button
                    variant="subtle"
                    px="xs"
                    aria-label={t('validation.of', { what: t('validation.pdf'), at })}
                    onClick={() =>
                      void take(
                        client.stream('x.validation.paper', { params: { name }, query: { language } }),
                        `${name}.pdf`,
                      )
                    }
                  >
                    {t('validation.pdf')}
                  </Button>
                  <Button
                    variant="subtle"
                    px="xs"
                    aria-label={t('validation.of', { what: t('validation.json'), at })}
                    onClick={() =>
                      void take(client.stream('x.validation.read', { params: { name } }), `${name}.json`)
                    }
                  >
                    {t('validation.json')}
                  </Button>
                </Table.Td>
              </Table.Tr>
            );
          })}
        </TitledTable>
      )}
    </Stack>
  );
}
