import { Button, Group, Paper, Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BulkRow } from '../../../shared/operations/bulk-operations.ts';
import { useWrite } from '../../api/calls.ts';
import { useFieldErrors } from '../../i18n/use-server-message.ts';
import type { Chosen } from '../../record/list/chosen-bar.tsx';
import { ReferenceInput } from '../../record/reference-input.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useFirstFocus } from '../../ui/first-focus.ts';

interface MoveLotsProps {
  chosen: Chosen;
  onDone: (rows: readonly BulkRow[], ids: readonly number[]) => void;
}

/** All that stands of the chosen lots goes to one place: each lot by itself, or all of them or none. */
export function MoveLots({ chosen, onDone }: MoveLotsProps) {
  const { t } = useTranslation('stock');
  const [to, setTo] = useState<number | null>(null);
  const [mode, setMode] = useState<'each' | 'all'>('each');
  const [reason, setReason] = useState('');
  const form = useRef<HTMLFormElement>(null);
  useFirstFocus(form);
  const write = useWrite('x.bulk.create');
  const errors = useFieldErrors(write.error);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (to === null) return;
    const ids = [...chosen.keys()];
    const rows = ids.map(id => ({ inventory_id: id, to_location_id: to }));
    const body = { rows, mode, ...(reason !== '' && { reason }) };
    const answer = await write.mutateAsync({ params: { family: 'move' }, body }).catch(() => undefined);
    if (answer) onDone(answer.data, ids);
  };
  return (
    <Paper ref={form} withBorder p="md" component="form" onSubmit={event => void submit(event)}>
      <Stack gap="sm">
        <Group grow align="start">
          <ReferenceInput
            family="location"
            label={t('move.to')}
            value={to}
            onChange={setTo}
            error={errors('rows.0.to_location_id')}
            required
            isAutoFocused
            takesScans
          />
          <Select
            label={t('move.mode')}
            data={(['each', 'all'] as const).map(value => ({
              value,
              label: t(value === 'each' ? 'move.each' : 'move.all-or-none'),
            }))}
            value={mode}
            allowDeselect={false}
            onChange={next => setMode(next === 'all' ? 'all' : 'each')}
          />
          <TextInput
            label={t('reason:reason')}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
          />
        </Group>
        <Failure error={write.error} />
        <Button type="submit" disabled={to === null} loading={write.isPending} w="fit-content">
          {t('move.many', { count: chosen.size })}
        </Button>
      </Stack>
    </Paper>
  );
}
