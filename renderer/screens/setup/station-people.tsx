import { Button, Checkbox, Group, Select, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { stationSchema } from '../../../shared/operations/sync-operations.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';

interface StationPeopleProps {
  station: Pick<z.infer<typeof stationSchema>, 'id' | 'name' | 'group'>;
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
  const [isWhole, setIsWhole] = useState(false);
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
              <Table.Td>{t(`people.why.${why}`, { group: station.group })}</Table.Td>
              <Table.Td>
                <ConfirmButton
                  label={t('people.remove')}
                  named={t(why === 'group' ? 'people.remove.group' : 'people.remove.named', {
                    name,
                    group: station.group,
                  })}
                  sure={t(why === 'group' ? 'people.remove.group.sure' : 'people.remove.sure')}
                  onSure={() =>
                    unassign.mutate({ params, body: { user_id: id, whole_group: why === 'group' } })
                  }
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </TitledTable>
      )}
      {station.group !== null && (
        <Checkbox
          label={t('people.whole', { group: station.group })}
          checked={isWhole}
          onChange={event => setIsWhole(event.currentTarget.checked)}
        />
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
            assign.mutate({ params, body: { user_id: Number(chosen), whole_group: isWhole } });
            setChosen(null);
          }}
        >
          {t('people.assign')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('people.close')}
        </Button>
      </Group>
      <StationGroup station={station} />
    </Stack>
  );
}

/** Which group the station is in: who is assigned to that signs in there. */
function StationGroup({ station }: Pick<StationPeopleProps, 'station'>) {
  const { t } = useTranslation('setup');
  const move = useWrite('x.stations.group');
  const [group, setGroup] = useState(station.group ?? '');
  const given = group.trim() === '' ? null : group.trim();
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        move.mutate({ params: { id: station.id }, body: { group: given } });
      }}
    >
      <Failure error={move.error} />
      <Group align="end">
        <TextInput
          label={t('people.group', { name: station.name })}
          description={t('people.group.hint')}
          value={group}
          onChange={event => setGroup(event.currentTarget.value)}
          autoComplete="off"
        />
        <Button type="submit" variant="default" disabled={given === station.group} loading={move.isPending}>
          {t('people.group.set')}
        </Button>
      </Group>
    </form>
  );
}
