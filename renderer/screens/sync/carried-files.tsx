import { Button, FileButton, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { IconFileExport, IconFileImport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppError } from '../../../shared/contract/errors.ts';
import type { CarriedAnswer, CarryState } from '../../../shared/operations/carry-operations.ts';
import { callOptions, useCall } from '../../api/calls.ts';
import { client } from '../../api/client.ts';
import { useMay } from '../../api/may.ts';
import { sendFile } from '../../desktop/send-file.ts';
import { useFormats } from '../../i18n/formats.ts';
import { Failure } from '../../ui/failure.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Section } from '../../ui/section.tsx';
import { TitledTable } from '../../ui/titled-table.tsx';
import { useTask } from '../../ui/use-task.ts';

type Other = CarryState['others'][number];

/** The exchange by files on a stick, where there is no line: at a station with its central, at central with each station. */
export function CarriedFiles() {
  const { t } = useTranslation('sync');
  const may = useMay();
  const isAllowed = may('x.carry.out') && may('x.carry.in');
  const { data, refetch } = useCall('x.carry.read', {}, { isEnabled: isAllowed });
  if (!isAllowed || !data || data.data.others.length === 0) return null;
  const { role, others } = data.data;
  return (
    <Section title={t('carry')}>
      <Text mb="sm">{t(`carry.text.${role}`)}</Text>
      <Stack>
        <Others role={role} others={others} onWritten={() => void refetch()} />
        <ReadIn onRead={() => void refetch()} />
      </Stack>
    </Section>
  );
}

interface OthersProps {
  role: CarryState['role'];
  others: readonly Other[];
  onWritten: () => void;
}

function Others({ role, others, onWritten }: OthersProps) {
  const { t } = useTranslation('sync');
  const columns = ['for', 'waiting', 'out', 'in', 'write'];
  return (
    <TitledTable
      columns={columns.map(column => t(`carry.column.${column}`))}
      minWidth={720}
      withTableBorder
      aria-label={t('carry')}
    >
      {others.map(other => (
        <OtherRow key={other.id} role={role} other={other} onWritten={onWritten} />
      ))}
    </TitledTable>
  );
}

function OtherRow({ role, other, onWritten }: { other: Other } & Pick<OthersProps, 'role' | 'onWritten'>) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const { run, isBusy, failure } = useTask();
  const { id, waiting, out_at: outAt, in_at: inAt } = other;
  const name = role === 'station' ? t('carry.central') : other.name;
  const write = () =>
    run(async () => {
      const response = await client.stream('x.carry.out', { body: id === null ? {} : { station: id } });
      const [, file = 'holdpoint.carry'] =
        /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? [];
      saveFile(await response.blob(), file);
      onWritten();
    });
  return (
    <Table.Tr>
      <Table.Th scope="row" className="typed">
        {name}
      </Table.Th>
      <Table.Td>{formats.number(waiting)}</Table.Td>
      <Table.Td>{outAt === null ? t('fact.never') : formats.moment(outAt)}</Table.Td>
      <Table.Td>{inAt === null ? t('fact.never') : formats.moment(inAt)}</Table.Td>
      <Table.Td>
        <Button
          variant="default"
          leftSection={<IconFileExport aria-hidden />}
          loading={isBusy}
          aria-label={t('carry.write.for', { name })}
          onClick={() => void write()}
        >
          {t('carry.write')}
        </Button>
        <Failure error={failure} />
      </Table.Td>
    </Table.Tr>
  );
}

function ReadIn({ onRead }: { onRead: () => void }) {
  const { t } = useTranslation('sync');
  const reset = useRef<() => void>(null);
  const cancel = useRef<AbortController>(null);
  const [answer, setAnswer] = useState<CarriedAnswer | null>(null);
  const { run, isBusy, failure } = useTask();
  const [chosen, setChosen] = useState<File | null>(null);
  const read = (file: File, key?: string) =>
    run(async () => {
      setAnswer(null);
      setChosen(file);
      // One that is brought again has the same name, and is to be chosen again.
      reset.current?.();
      const leave = new AbortController();
      cancel.current = leave;
      try {
        const { signal } = leave;
        const query = key === undefined ? {} : { query: { key } };
        const { data } = await sendFile(file, body => client.call('x.carry.in', { body, signal, ...query }));
        setAnswer(data);
      } catch (error) {
        if (!leave.signal.aborted) throw error;
      }
      onRead();
    });
  return (
    <Stack gap="xs">
      <Group>
        <FileButton resetRef={reset} accept=".carry" onChange={file => file && void read(file)}>
          {props => (
            <Button {...props} leftSection={<IconFileImport aria-hidden />} loading={isBusy}>
              {t('carry.read')}
            </Button>
          )}
        </FileButton>
        {isBusy && (
          <Button variant="default" onClick={() => cancel.current?.abort()}>
            {t('carry.cancel')}
          </Button>
        )}
      </Group>
      {isBusy && <Progress />}
      <Failure error={failure} />
      {chosen && isOfOtherKey(failure) && <OtherKey onGiven={key => void read(chosen, key)} />}
      {answer && !isBusy && <Taken {...answer} />}
    </Stack>
  );
}

/** Whether the file was refused for the key that signed it, which somebody there can name. */
function isOfOtherKey(failure: unknown): boolean {
  return failure instanceof AppError && failure.code === 'conflict' && failure.errors?.key !== undefined;
}

function OtherKey({ onGiven }: { onGiven: (key: string) => void }) {
  const { t } = useTranslation('sync');
  const [key, setKey] = useState('');
  // As it is read out, in groups.
  const plain = key.replace(/[\s:]/g, '');
  const give = (event: FormEvent) => {
    event.preventDefault();
    if (plain !== '') onGiven(plain);
  };
  return (
    <form onSubmit={give}>
      <Stack gap="xs" maw={640}>
        <TextInput
          label={t('carry.key')}
          description={t('carry.key.help')}
          value={key}
          onChange={event => setKey(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" variant="default" w="fit-content">
          {t('carry.key.read')}
        </Button>
      </Stack>
    </form>
  );
}

const POLL_MS = 1_000;

function Progress() {
  const { t } = useTranslation('sync');
  const { data } = useQuery({ ...callOptions('x.carry.read'), refetchInterval: POLL_MS });
  const running = data?.data.running;
  return (
    <Text role="status">{running && running.of > 0 ? t('carry.progress', running) : t('carry.looking')}</Text>
  );
}

function Taken({ name, written_at: at, changes, known }: CarriedAnswer) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const of = { name: name ?? t('carry.central'), at: formats.moment(at) };
  return (
    <div role="status">
      <Text className="typed">
        {t(changes === 0 ? 'carry.nothing' : 'carry.taken', { ...of, count: changes })}
      </Text>
      {known > 0 && changes > 0 && <Text>{t('carry.known', { count: known })}</Text>}
      <Text>{t('carry.back')}</Text>
    </div>
  );
}
