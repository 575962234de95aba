import { Alert, Badge, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { stationSchema } from '../../../shared/operations/sync-operations.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { useFormats } from '../../i18n/formats.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';

type Station = z.infer<typeof stationSchema>;

/** At central: stations that several machines call as. An administrator says which one goes on as the station. */
export function DoubledStations() {
  const { data } = useCall('x.stations.list');
  const doubled = (data?.data ?? []).filter(({ doubled_at: at }) => at !== null);
  return doubled.map(station => <Doubled key={station.id} station={station} />);
}

function Doubled({ station }: { station: Station }) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const { name, doubled_at: doubledAt, chosen_at: chosenAt, machines, forgotten } = station;
  const title = t('doubled.of', { name, at: formats.moment(doubledAt) });
  const columns = ['machine', 'state', 'first', 'seen', 'unsent', 'choose'];
  return (
    <section>
      <Alert variant="light" color={chosenAt === null ? 'red' : 'gray'} title={title} mb="xs">
        <Text>{t(chosenAt === null ? 'doubled.ask' : 'doubled.chosen')}</Text>
        {forgotten && (
          <Text className="typed">
            {t('doubled.forgotten', { machine: forgotten.machine, at: formats.moment(forgotten.at) })}
          </Text>
        )}
      </Alert>
      <TitledTable
        columns={columns.map(column => t(`doubled.column.${column}`))}
        minWidth={720}
        withTableBorder
        aria-label={title}
      >
        {machines.map(machine => (
          <MachineRow key={machine.machine} station={station} machine={machine} />
        ))}
      </TitledTable>
    </section>
  );
}

function MachineRow({ station, machine: row }: { station: Station; machine: Station['machines'][number] }) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const may = useMay();
  const choose = useWrite('x.stations.choose');
  const { machine, goes_on: goesOn, first_seen_at: first, last_seen_at: seen, unsent } = row;
  const isChosen = goesOn && station.chosen_at !== null;
  return (
    <Table.Tr>
      <Table.Th scope="row" className="typed">
        {machine}
      </Table.Th>
      <Table.Td>
        <Badge
          size="lg"
          variant="outline"
          color={goesOn ? 'green' : 'gray'}
          styles={{ root: { textTransform: 'none' } }}
        >
          {t(goesOn ? 'doubled.is.on' : 'doubled.is.off')}
        </Badge>
      </Table.Td>
      <Table.Td>{formats.moment(first)}</Table.Td>
      <Table.Td>{formats.moment(seen)}</Table.Td>
      <Table.Td>{formats.number(unsent)}</Table.Td>
      <Table.Td>
        <Failure error={choose.error} />
        {may('x.stations.choose') && !isChosen && (
          <ConfirmButton
            label={t('doubled.choose')}
            named={t('doubled.choose.named', { machine, name: station.name })}
            sure={t('doubled.choose.sure')}
            onSure={() => choose.mutate({ params: { id: station.id }, body: { machine } })}
          />
        )}
      </Table.Td>
    </Table.Tr>
  );
}
