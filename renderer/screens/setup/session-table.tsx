import { Group, Stack, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCall, useWrite } from '../../api/calls.ts';
import { useFormats } from '../../i18n/formats.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';
import { agentWords } from './agent-words.ts';

/** One's own sessions, or as an administrator those of a user: where, since when, last used, and ending them. */
export function SessionTable({ user }: { user?: number }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const isOwn = user === undefined;
  const { data, error, refetch } = useCall(
    isOwn ? 'x.sessions.list' : 'x.users.sessions.list',
    isOwn ? {} : { params: { id: user } },
  );
  const endOne = useWrite(isOwn ? 'x.sessions.end' : 'x.users.sessions.end');
  const endAll = useWrite(isOwn ? 'x.sessions.end-others' : 'x.users.sessions.end');
  const sessions = data?.data ?? [];
  const hasOthers = sessions.some(({ is_own: isThis }) => !isThis);
  return (
    <Stack>
      <Title order={2} size="h3">
        {t('sessions')}
      </Title>
      <Text>{t('sessions.text')}</Text>
      <Failure error={error} onRetry={() => void refetch()} />
      <Failure error={endOne.error ?? endAll.error} />
      {data && sessions.length === 0 && <Text role="status">{t('sessions.none')}</Text>}
      {sessions.length > 0 && (
        <TitledTable
          minWidth={700}
          verticalSpacing="xs"
          aria-label={t('sessions')}
          columns={[
            t('sessions.where'),
            t('sessions.since'),
            t('sessions.used'),
            t('sessions.ends'),
            t('token.state'),
          ]}
        >
          {sessions.map(session => (
            <Table.Tr key={session.id}>
              <Table.Td className="typed">
                {[agentWords(session.agent), session.address].filter(Boolean).join(' · ') ||
                  t('sessions.unknown')}
              </Table.Td>
              <Table.Td>{formats.moment(session.began_at)}</Table.Td>
              <Table.Td>{formats.moment(session.used_at)}</Table.Td>
              <Table.Td>{formats.moment(session.ends_at)}</Table.Td>
              <Table.Td>
                {session.is_own ? (
                  <strong>{t('sessions.this')}</strong>
                ) : (
                  <ConfirmButton
                    label={t('sessions.end')}
                    named={t('sessions.end.named', { at: formats.moment(session.began_at) })}
                    sure={t('sessions.end.sure')}
                    onSure={() =>
                      endOne.mutate(
                        isOwn
                          ? { params: { session: session.id }, body: {} }
                          : { params: { id: user }, body: { session: session.id } },
                      )
                    }
                  />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </TitledTable>
      )}
      {hasOthers && (
        <Group>
          <ConfirmButton
            label={t(isOwn ? 'sessions.others' : 'sessions.all')}
            named={t(isOwn ? 'sessions.others' : 'sessions.all')}
            sure={t('sessions.end.sure')}
            onSure={() => endAll.mutate(isOwn ? { body: {} } : { params: { id: user }, body: {} })}
          />
        </Group>
      )}
    </Stack>
  );
}
