import { Button, Group, Select, Stack, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { stationSchema } from '../../../shared/operations/sync-operations.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';

interface StationPeopleProps {
  station: Pick<z.infer<typeof stationSchema>, 'id' | 'name'>;
  onClose: () => void;
}

/** At a central: whose passwords a station has, so that they sign in there while central is away. */
export function StationPeople({ station, onClose }: StationPeopleProps) {
  const { t } = useTranslation('setup');
  const params = { id: station.id };
  const { data, error, refetch } = useCall('x.stations.people', { params });
  const users = useCall('x.users.list', { query: { per_page: 500 } });
  const assign = useWrite('x.stations.assign');
  const unassign = useWrite('x.stations.unassign');
  const [chosen, setChosen] = useState<string | null>(null);
  const people = data?.data ?? [];
  const title = t('people.of', { name: station.name });
  const others = (users.data?.data ?? []).filter(
    ({ id, is_active: isActive }) => isActive && !people.some(person => person.user_id === id),
  );
  return (
    <Stack>
      <Title order={3} size="h4">
        {title}
      </Title>
      <Text maw="45rem">{t('people.text')}</Text>
      <Failure error={error ?? users.error} onRetry={() => void refetch()} />
      <Failure error={assign.error ?? unassign.error} />
      {data && people.length === 0 && <Text role="status">{t('people.none')}</Text>}
      {people.length > 0 && (
        <TitledTable
          minWidth={480}
          verticalSpacing="xs"
          aria-label={title}
          columns={[t('people.person'), t('people.why'), t('people.remove')]}
        >
          {people.map(({ user_id: id, login, name, why }) => (
            <Table.Tr key={id}>
              <Table.Td>
                {name} ({login})
              </Table.Td>
              <Table.Td>{t(`people.why.${why}`)}</Table.Td>
              <Table.Td>
                <ConfirmButton
                  label={t('people.remove')}
                  named={t('people.remove.named', { name })}
                  sure={t('people.remove.sure')}
                  onSure={() => unassign.mutate({ params, body: { user_id: id } })}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </TitledTable>
      )}
      <Group align="end">
        <Select
          label={t('people.assign.who')}
          data={others.map(({ id, login, name }) => ({ value: String(id), label: `${name} (${login})` }))}
          value={chosen}
          onChange={setChosen}
          searchable
          clearable
        />
        <Button
          disabled={chosen === null}
          loading={assign.isPending}
          onClick={() => {
            assign.mutate({ params, body: { user_id: Number(chosen) } });
            setChosen(null);
          }}
        >
          {t('people.assign')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('people.close')}
        </Button>
      </Group>
    </Stack>
  );
}
