import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconHourglass, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { LabelJob } from '../../shared/contract/desktop-bridge.ts';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Failure } from '../ui/failure.tsx';
import { isUnderWay, useDecision, useLabelJobs } from './desktop-calls.ts';

const icons: Record<LabelJob['state'], typeof IconX> = {
  queued: IconHourglass,
  handed_over: IconHourglass,
  asking: IconAlertTriangle,
  failed: IconX,
};

/** Labels that are not printed: on their way, or waiting for a person to say what becomes of them. */
export function LabelJobs() {
  const { t } = useTranslation('desktop');
  const heading = useRef<HTMLHeadingElement>(null);
  const { data: jobs = [], error } = useLabelJobs();
  const { mutate, error: undecided } = useDecision();
  const decide = (id: string, decision: 'print_again' | 'drop') => {
    // The button goes with what is decided.
    heading.current?.focus();
    mutate({ id, decision });
  };
  return (
    <section>
      <Title order={2} mb="xs" ref={heading} tabIndex={-1}>
        {t('jobs')}
      </Title>
      <Failure error={error ?? undecided} />
      {jobs.length === 0 && <Text role="status">{t('jobs.none')}</Text>}
      <Stack component="ul" className="members" gap="sm" aria-label={t('jobs')}>
        {jobs.map(job => (
          <li key={job.id} className="tile">
            <Job job={job} onDecide={decision => decide(job.id, decision)} />
          </li>
        ))}
      </Stack>
    </section>
  );
}

function Job({ job, onDecide }: { job: LabelJob; onDecide: (decision: 'print_again' | 'drop') => void }) {
  const { t } = useTranslation('desktop');
  const { title, to, state } = job;
  const Icon = icons[state];
  return (
    <Group justify="space-between" w="100%">
      <Group wrap="nowrap" gap="sm" flex="1 1 20rem">
        <Icon aria-hidden size={28} style={{ flex: 'none' }} />
        <div>
          <Text fw={700} className="typed">
            {title}
          </Text>
          <Text className="typed">{t(`state.${state}`, { to })}</Text>
          <FaultText job={job} />
        </div>
      </Group>
      {!isUnderWay(job) && (
        <Group>
          {state === 'asking' ? (
            <ConfirmButton
              label={t('again')}
              named={t('again.named', { title })}
              sure={t('again.sure')}
              onSure={() => onDecide('print_again')}
            />
          ) : (
            <Button
              variant="default"
              aria-label={t('again.named', { title })}
              onClick={() => onDecide('print_again')}
            >
              {t('again')}
            </Button>
          )}
          <Button variant="default" aria-label={t('drop.named', { title })} onClick={() => onDecide('drop')}>
            {t('drop')}
          </Button>
        </Group>
      )}
    </Group>
  );
}

/** Why a label was not printed, in words; nothing where nothing is known against it. */
export function FaultText({ job: { fault, detail, to } }: { job: LabelJob }) {
  const { t } = useTranslation('desktop');
  if (fault === null) return null;
  return (
    <Text className="typed">
      {t(`fault.${fault}`, { to })}
      {detail !== null && ` (${detail})`}
    </Text>
  );
}
