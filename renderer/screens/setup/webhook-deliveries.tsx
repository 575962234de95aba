import { Button, Group, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { attemptSchema, Webhook } from '../../../shared/operations/webhook-operations.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { useFormats } from '../../i18n/formats.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';

type Attempt = z.infer<typeof attemptSchema>;

/** What came of an attempt, in words. */
export function useAttemptWords(): (attempt: Attempt) => string {
  const { t } = useTranslation('setup');
  return ({ result, status }) => t(`hook.result.${result}`, { status });
}

/** What a webhook has sent, what it tries again, and what it gave up. */
export function WebhookDeliveries({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const words = useAttemptWords();
  const params = { id: webhook.id };
  const { data, error, refetch } = useCall('x.webhooks.deliveries', { params });
  const replay = useWrite('x.webhooks.replay');
  const discard = useWrite('x.webhooks.discard');
  const { recent = [], waiting = [], dead = [] } = data?.data ?? {};
  return (
    <Section title={t('hook.deliveries.named', { name: webhook.name })}>
      <Stack>
        <Failure error={error ?? replay.error ?? discard.error} onRetry={() => void refetch()} />
        {data && recent.length + waiting.length + dead.length === 0 && (
          <Text>{t('hook.deliveries.none')}</Text>
        )}
        <Messages
          title={t('hook.given-up')}
          columns={[t('hook.at'), t('hook.tries'), t('hook.result')]}
          rows={dead.map(({ failed_at: at, attempts, last, ...message }) => ({
            ...message,
            key: message.id,
            cells: [at === null ? '' : formats.moment(at), formats.number(attempts), last ? words(last) : ''],
          }))}
        />
        {dead.length > 0 && (
          <Group>
            <Button loading={replay.isPending} onClick={() => replay.mutate({ params, body: {} })}>
              {t('hook.replay')}
            </Button>
            <ConfirmButton
              label={t('hook.discard')}
              named={t('hook.discard.named', { name: webhook.name })}
              sure={t('hook.discard.sure')}
              onSure={() => discard.mutate({ params, body: {} })}
            />
          </Group>
        )}
        <Messages
          title={t('hook.late')}
          columns={[t('hook.due'), t('hook.tries'), t('hook.result')]}
          rows={waiting.map(({ due_at: at, attempts, last, ...message }) => ({
            ...message,
            key: message.id,
            cells: [
              last ? formats.moment(at) : '',
              formats.number(attempts),
              last ? words(last) : t('hook.behind'),
            ],
          }))}
        />
        <Messages
          title={t('hook.recent')}
          columns={[t('hook.at'), t('hook.result')]}
          rows={recent.map(({ at, result, status, milliseconds, ...message }, index) => ({
            ...message,
            key: `${message.id} ${recent.length - index}`,
            cells: [formats.moment(at), words({ result, status, milliseconds })],
          }))}
        />
        <Group>
          <Button variant="default" onClick={() => void refetch()}>
            {t('hook.look-again')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('hook.deliveries.hide')}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}

interface MessagesProps {
  title: string;
  columns: readonly string[];
  rows: { key: string; type: string; record: string | null; cells: ReactNode[] }[];
}

function Messages({ title, columns, rows }: MessagesProps) {
  const { t } = useTranslation('setup');
  if (rows.length === 0) return null;
  return (
    <section aria-label={title}>
      <Text fw={700}>{title}</Text>
      <TitledTable
        minWidth={700}
        verticalSpacing="xs"
        aria-label={title}
        columns={[t('hook.message'), t('hook.record'), ...columns]}
      >
        {rows.map(({ key, type, record, cells }) => (
          <Table.Tr key={key}>
            <Table.Td className="typed">{type}</Table.Td>
            <Table.Td className="typed">{record}</Table.Td>
            {cells.map((cell, index) => (
              <Table.Td key={columns[index]}>{cell}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </TitledTable>
    </section>
  );
}
