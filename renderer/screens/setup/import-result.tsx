import { Alert, Button, Group, List, Progress, Stack, Table, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/formats.ts';
import { useServerMessage } from '../../i18n/use-server-message.ts';
import { Failure } from '../../ui/failure.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';
import type { ImportJob, ImportRun } from './use-import.ts';

export interface ImportResultProps {
  run: ImportRun;
  onImport: (skipsBad: boolean) => void;
}

/** How far a check or an import is, what it found, and what can be done next. */
export function ImportResult({ run, onImport }: ImportResultProps) {
  const { t } = useTranslation('setup');
  const { job, kind, isRunning, failure } = run;
  const panel = useRef<HTMLDivElement>(null);
  const isEnded = !isRunning && job !== null;
  // Whoever pressed the button, which rests while it runs, goes on at what came of it.
  useEffect(() => {
    if (isEnded) panel.current?.focus();
  }, [isEnded]);
  if (isRunning) return <Running job={job} kind={kind} onCancel={() => void run.cancel()} />;
  if (failure) return <Failure error={failure} />;
  if (!job) return null;
  return (
    <Stack ref={panel} tabIndex={-1} component="section" aria-label={t('result')}>
      <Title order={2} size="h3">
        {t(kind === 'trial' ? 'result.trial' : 'result')}
      </Title>
      <Outcome job={job} isTrial={kind === 'trial'} />
      {Object.entries(job.unmapped_columns).map(([file, columns]) => (
        <Text key={file} className="typed">
          {t('result.unmapped', { file, columns: columns.join(', ') })}
        </Text>
      ))}
      {job.bad > 0 && <BadRows job={job} />}
      {kind === 'trial' && job.state === 'done' && <Next job={job} onImport={onImport} />}
    </Stack>
  );
}

function Running(props: { job: ImportJob | null; kind: ImportRun['kind']; onCancel: () => void }) {
  const { job, kind, onCancel } = props;
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const total = job?.rows_total ?? null;
  return (
    <Stack gap="xs">
      <Text role="status">
        {job
          ? t(kind === 'trial' ? 'running.trial' : 'running.import', {
              read: formats.number(job.rows_read),
              total: total === null ? '…' : formats.number(total),
            })
          : t('running.files')}
      </Text>
      <Progress
        value={total ? (100 * (job?.rows_read ?? 0)) / total : 0}
        aria-label={t('result')}
        transitionDuration={0}
        size="lg"
      />
      {job && (
        <Button variant="default" onClick={onCancel} w="fit-content">
          {t('running.cancel')}
        </Button>
      )}
    </Stack>
  );
}

function Outcome({ job, isTrial }: { job: ImportJob; isTrial: boolean }) {
  const { t } = useTranslation('setup');
  const say = useServerMessage();
  const { state, bad } = job;
  if (state === 'cancelled' || state === 'failed') {
    return (
      <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
        {state === 'cancelled' ? t('result.cancelled') : say(job.message)}
      </Alert>
    );
  }
  const isClean = bad === 0;
  return (
    <Alert
      color={isClean ? 'green' : 'yellow'}
      variant="light"
      icon={isClean ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
      role="status"
      title={isTrial ? t('result.nothing-written') : t('result.written')}
    >
      <List>
        <List.Item>{t('result.created', { count: job.created })}</List.Item>
        <List.Item>{t('result.updated', { count: job.updated })}</List.Item>
        <List.Item>{t('result.unchanged', { count: job.unchanged })}</List.Item>
        {bad > 0 && <List.Item>{t('result.bad', { count: bad })}</List.Item>}
      </List>
    </Alert>
  );
}

function BadRows({ job }: { job: ImportJob }) {
  const { t } = useTranslation('setup');
  return (
    <Stack gap="xs">
      <Title order={3} size="h4">
        {t('bad.title')}
      </Title>
      {job.bad_rows.length < job.bad && <Text>{t('bad.first', { count: job.bad_rows.length })}</Text>}
      <TitledTable
        minWidth={700}
        maxHeight="30rem"
        verticalSpacing="xs"
        aria-label={t('bad.title')}
        columns={[t('bad.line'), t('column'), t('bad.value'), t('bad.message')]}
      >
        {job.bad_rows.map(({ file, line, column, value, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one line can have several faults
          <Table.Tr key={`${file} ${line} ${column} ${index}`}>
            <Table.Td className="date">
              {file} {line}
            </Table.Td>
            <Table.Td className="typed">{column}</Table.Td>
            <Table.Td className="typed">{value}</Table.Td>
            <Table.Td className="typed">{message}</Table.Td>
          </Table.Tr>
        ))}
      </TitledTable>
    </Stack>
  );
}

function Next({ job, onImport }: { job: ImportJob; onImport: (skipsBad: boolean) => void }) {
  const { t } = useTranslation('setup');
  const good = job.created + job.updated + job.unchanged;
  if (good === 0) return <Text>{t('next.none')}</Text>;
  if (job.bad === 0) {
    return (
      <Group>
        <Button onClick={() => onImport(false)}>{t('next.import', { count: good })}</Button>
      </Group>
    );
  }
  return (
    <Stack gap="xs" align="start">
      <Text>{t('next.mend')}</Text>
      <Button variant="default" onClick={() => onImport(true)}>
        {t('next.skip', { count: good, bad: job.bad })}
      </Button>
    </Stack>
  );
}
