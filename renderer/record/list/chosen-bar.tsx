import { Alert, Button, Group, List, Paper, Select, Stack, Text } from '@mantine/core';
import { IconPencil, IconPrinter, IconX } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../../shared/contract/define-family.ts';
import type { Field } from '../../../shared/contract/fields.ts';
import { type BulkRow, isBulkFamily } from '../../../shared/operations/bulk-operations.ts';
import { useWrite } from '../../api/calls.ts';
import { useLackedRole } from '../../api/may.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { useServerMessage } from '../../i18n/use-server-message.ts';
import { Failure } from '../../ui/failure.tsx';
import { ReasonInput } from '../../ui/reason/reason-input.tsx';
import { reasonKindOf } from '../../ui/reason/reasons.ts';
import { FieldInput } from '../field-input.tsx';
import { ChosenLabels, labelKindOf } from '../print/chosen-labels.tsx';

/** What records that were chosen are called, by their ids. */
export type Chosen = ReadonlyMap<number, string>;

/** What else a screen does with many of its records, in a form of its own. */
export interface ChosenAct {
  name: string;
  title: string;
  icon: ReactNode;
  /** @param onDone what became of each, in the order of the ids: what was refused stays chosen */
  form: (chosen: Chosen, onDone: (rows: readonly BulkRow[], ids: readonly number[]) => void) => ReactNode;
}

interface ChosenBarProps {
  family: Family;
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
  acts: readonly ChosenAct[];
}

interface Done {
  changed: number;
  /** Of those that were refused, what they are called and why. */
  refused: { index: number; name: string; why: readonly string[] }[];
}

/** What can be done with the chosen records of a list. */
export function ChosenBar({ family, chosen, onChoose, acts }: ChosenBarProps) {
  const { t } = useTranslation('record');
  const mayChange = useMayChangeMany(family);
  const labels = labelKindOf(family.name);
  const [opened, open] = useState<string | null>(null);
  const [done, setDone] = useState<Done>();
  const settle = (rows: readonly BulkRow[], ids: readonly number[]) => {
    const refused = rows.filter(({ outcome }) => outcome === 'refused');
    const isRefused = new Set(refused.map(({ index }) => ids[index]));
    setDone({
      changed: rows.length - refused.length,
      refused: refused.map(({ index, message, errors }) => {
        const faults = Object.values(errors ?? {}).flat();
        const name = chosen.get(ids[index] ?? 0) ?? '';
        return { index, name, why: faults.length > 0 ? faults : [message ?? ''] };
      }),
    });
    open(null);
    onChoose(new Map([...chosen].filter(([id]) => isRefused.has(id))));
  };
  const change: ChosenAct = {
    name: 'change',
    title: t('chosen.change'),
    icon: <IconPencil aria-hidden />,
    form: (all, onDone) => <ChangeForm family={family} chosen={all} onDone={onDone} />,
  };
  const print: ChosenAct = {
    name: 'labels',
    title: t('chosen.labels'),
    icon: <IconPrinter aria-hidden />,
    form: all => labels && <ChosenLabels kind={labels} ids={[...all.keys()]} />,
  };
  const all = [...acts, ...(mayChange ? [change] : []), ...(labels ? [print] : [])];
  return (
    <>
      {chosen.size > 0 && (
        <Group role="group" aria-label={t('chosen')}>
          <Text role="status" fw={600}>
            {t('chosen.count', { count: chosen.size })}
          </Text>
          {all.map(({ name, title, icon }) => (
            <Button
              key={name}
              variant="default"
              leftSection={icon}
              aria-expanded={opened === name}
              onClick={() => {
                open(opened === name ? null : name);
                setDone(undefined);
              }}
            >
              {title}
            </Button>
          ))}
          <Button variant="subtle" leftSection={<IconX aria-hidden />} onClick={() => onChoose(new Map())}>
            {t('chosen.none')}
          </Button>
        </Group>
      )}
      {chosen.size > 0 && all.find(({ name }) => name === opened)?.form(chosen, settle)}
      {done && <Outcome done={done} />}
    </>
  );
}

function Outcome({ done: { changed, refused } }: { done: Done }) {
  const { t } = useTranslation('record');
  const say = useServerMessage();
  return (
    <Alert
      role="status"
      color={refused.length > 0 ? 'orange' : 'green'}
      variant="light"
      title={t('chosen.changed', { count: changed })}
    >
      {refused.length > 0 && (
        <>
          <Text>{t('chosen.refused', { count: refused.length })}</Text>
          <List>
            {refused.map(({ index, name, why }) => (
              <List.Item key={index} className="typed">
                {name}: {why.map(say).join(' ')}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Alert>
  );
}

interface ChangeFormProps {
  family: Family;
  chosen: Chosen;
  onDone: (rows: readonly BulkRow[], ids: readonly number[]) => void;
}

/** One field of all of them: each is judged by itself, as if it were changed alone. */
function ChangeForm({ family, chosen, onDone }: ChangeFormProps) {
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  const fields = useChangeable(family);
  const [name, setName] = useState<string | null>(null);
  const [value, setValue] = useState<unknown>(null);
  const [reason, setReason] = useState('');
  const write = useWrite('x.bulk.update');
  const field = name === null ? undefined : fields.get(name);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name === null) return;
    const ids = [...chosen.keys()];
    const rows = ids.map(id => ({ id, [name]: value === '' ? null : value }));
    const body = { rows, mode: 'each' as const, ...(reason !== '' && { reason }) };
    const answer = await write.mutateAsync({ params: { family: family.name }, body }).catch(() => undefined);
    if (answer) onDone(answer.data, ids);
  };
  return (
    <Paper withBorder p="md" component="form" onSubmit={event => void submit(event)}>
      <Stack gap="sm">
        <Select
          label={t('chosen.field')}
          searchable
          autoFocus
          data={[...fields].map(([each, { label }]) => ({ value: each, label: texts.label({ label }) }))}
          value={name}
          onChange={next => {
            setName(next);
            setValue(null);
          }}
        />
        {field && (
          <>
            <FieldInput key={name} field={field} value={value} onChange={setValue} />
            <ReasonInput kind={reasonKindOf([name ?? ''])} value={reason} onChange={setReason} />
          </>
        )}
        <Failure error={write.error} />
        <Button type="submit" disabled={!field} loading={write.isPending} w="fit-content">
          {t(value === null || value === '' ? 'chosen.clear' : 'chosen.save', { count: chosen.size })}
        </Button>
      </Stack>
    </Paper>
  );
}

/** What a person may give many records at once: no numbers and names that each has of its own, and no lists. */
function useChangeable(family: Family): ReadonlyMap<string, Field> {
  const lackedRole = useLackedRole();
  return new Map(
    Object.entries(family.fields).filter(
      ([name, field]) =>
        field.writable &&
        !OF_EACH.has(field.kind) &&
        field.reference !== 'entity' &&
        !family.unique.includes(name) &&
        lackedRole(family, name, undefined) === null,
    ),
  );
}

const OF_EACH: ReadonlySet<Field['kind']> = new Set<Field['kind']>(['json', 'text-list']);

/** Whether this user may do something with many records of the family at once. */
export function useMayChoose(family: Family, acts: readonly ChosenAct[]): boolean {
  return useMayChangeMany(family) || acts.length > 0 || labelKindOf(family.name) !== undefined;
}

function useMayChangeMany(family: Family): boolean {
  const fields = useChangeable(family);
  return isBulkFamily(family, 'update') && fields.size > 0;
}
