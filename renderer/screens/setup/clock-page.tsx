import { Alert, Button, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconClockExclamation } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { asTyped } from '../../../shared/operations/client.ts';
import type { Clock, ClockFactAnswer } from '../../../shared/operations/clock-operations.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { useFormats } from '../../i18n/formats.ts';
import { Failure } from '../../ui/failure.tsx';
import { ReasonForm } from '../../ui/reason-form.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';

/** The newest; the rest is for programs. */
const MOST_FACTS = 100;

/** Whether this machine's clock is believed, confirming it, and when it was changed. */
export function ClockPage() {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const { data, error, refetch } = useCall('x.clock.read');
  const facts = useCall('x.clock.facts', { query: { per_page: MOST_FACTS } });
  const clock = data?.data;
  return (
    <Stack>
      <Title order={1}>{t('section.clock')}</Title>
      <Failure error={error ?? facts.error} onRetry={() => void Promise.all([refetch(), facts.refetch()])} />
      {clock && (
        <Text size="lg" fw={700}>
          {t('clock.says', { now: formats.exactMoment(clock.now) })} {!clock.standing && t('clock.believed')}
        </Text>
      )}
      {clock?.standing && <Unconfirmed now={clock.now} standing={clock.standing} />}
      <Title order={2} size="h3">
        {t('clock.facts')}
      </Title>
      {facts.data?.data.length === 0 && <Text>{t('clock.none')}</Text>}
      {facts.data && facts.data.data.length > 0 && <Facts facts={facts.data.data} />}
    </Stack>
  );
}

function Unconfirmed({ now, standing }: { now: string; standing: NonNullable<Clock['standing']> }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const may = useMay();
  const { mutateAsync } = useWrite('x.clock.confirm');
  const [isConfirming, confirming] = useDisclosure(false);
  const mayConfirm = may('x.clock.confirm');
  return (
    <>
      <Alert
        color="orange"
        variant="outline"
        icon={<IconClockExclamation aria-hidden />}
        title={t('clock.unconfirmed', { least: formats.exactMoment(standing.at_least) })}
      >
        {t(mayConfirm ? 'clock.set' : 'clock.ask')}
      </Alert>
      {isConfirming ? (
        <ReasonForm
          title={t('clock.confirm')}
          description={t('clock.is-right', { now: formats.exactMoment(now) })}
          onClose={confirming.close}
          onSubmit={reason =>
            mutateAsync({ body: asTyped<'x.clock.confirm'>({ step: standing.step, reason }) })
          }
        />
      ) : (
        mayConfirm && (
          <Group>
            <Button onClick={confirming.open}>{t('clock.confirm')}</Button>
          </Group>
        )
      )}
    </>
  );
}

function Facts({ facts }: { facts: readonly ClockFactAnswer[] }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  return (
    <TitledTable
      minWidth={700}
      verticalSpacing="xs"
      aria-label={t('clock.facts')}
      columns={(['kind', 'clock', 'least', 'user', 'reason'] as const).map(name => t(`clock.${name}`))}
    >
      {facts.map(({ id, kind, clock, at_least: atLeast, user, reason }) => (
        <Table.Tr key={id}>
          <Table.Td>{t(`clock.kind.${kind}`)}</Table.Td>
          <Table.Td className="date">{formats.exactMoment(clock)}</Table.Td>
          <Table.Td className="date">{formats.exactMoment(atLeast)}</Table.Td>
          <Table.Td className="typed">{user}</Table.Td>
          <Table.Td className="typed">{reason}</Table.Td>
        </Table.Tr>
      ))}
    </TitledTable>
  );
}
