import { Button, Fieldset, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type FormEvent, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { receivingUnits } from '../../../shared/quantities/units.ts';
import { useFieldErrors } from '../../i18n/use-server-message.ts';
import { ReferenceInput } from '../../record/reference-input.tsx';
import { QuantityInput } from '../../ui/pad/quantity-input.tsx';
import { isComplete, type Line } from './line.ts';
import type { Receiving } from './use-receiving.ts';

/** A draft is no template to inspect goods by. */
const APPROVED = { 'filter[is_approved]': true } as const;

/** The line by keyboard: what, which lot, how much is good and how much is not. What is left to type after a scan is how much. */
export function ReceiveLine({ receiving, onClose }: { receiving: Receiving; onClose: () => void }) {
  const { t } = useTranslation('receiving');
  const { line, acts, failure, isSending } = receiving;
  const form = useRef<HTMLFormElement>(null);
  const accepted = useRef<HTMLInputElement>(null);
  const errors = useFieldErrors(failure);
  const set = (change: Partial<Line>) => acts.setLine({ ...line, ...change });

  const hasPart = useRef(line.part !== null);
  useLayoutEffect(() => {
    if (hasPart.current) accepted.current?.select();
    else form.current?.querySelector('input')?.focus();
  }, []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const id = await acts.save();
      if (id !== null) form.current?.querySelector('input')?.focus();
    } catch {
      // Shown by `failure`; the line stays as it is.
    }
  };

  return (
    <form
      ref={form}
      onSubmit={event => void submit(event)}
      onKeyDown={event => event.key === 'Escape' && onClose()}
      noValidate
      aria-label={t('line')}
    >
      <Fieldset legend={t('line')} disabled={isSending}>
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} className="form-grid">
            <ReferenceInput
              family="part"
              label={t('part')}
              value={line.part}
              onChange={id => void acts.choosePart(id)}
              error={errors('part_id')}
              required
            />
            <TextInput
              label={t('lot')}
              value={line.lot}
              onChange={event => set({ lot: event.currentTarget.value })}
              error={errors('serial_number')}
              autoComplete="off"
            />
            <TextInput
              type="date"
              label={t('expiry')}
              value={line.expiry}
              onChange={event => set({ expiry: event.currentTarget.value })}
              error={errors('expiry_date')}
            />
            <Select
              label={t('unit')}
              data={[...receivingUnits]}
              value={line.unit}
              onChange={unit => set({ unit })}
              searchable
              error={errors('unit_of_measure')}
            />
            <QuantityInput
              ref={accepted}
              label={t('accepted')}
              value={line.accepted}
              onChange={value => set({ accepted: String(value) })}
              error={errors('quantity_accepted')}
              hideControls
              min={0}
              allowedDecimalSeparators={[',', '.']}
              rightSection={line.unit}
              rightSectionWidth={72}
            />
            <QuantityInput
              label={t('rejected')}
              value={line.rejected}
              onChange={value => set({ rejected: String(value) })}
              error={errors('quantity_rejected')}
              hideControls
              min={0}
              allowedDecimalSeparators={[',', '.']}
              rightSection={line.unit}
              rightSectionWidth={72}
            />
            <ReferenceInput
              family="location"
              label={t('location')}
              value={line.location}
              onChange={location => set({ location })}
              error={errors('location_id')}
            />
            <ReferenceInput
              family="specification"
              only={APPROVED}
              label={t('template')}
              description={t('template.hint')}
              value={line.template}
              onChange={template => set({ template })}
              error={errors('drawing_id')}
            />
          </SimpleGrid>
          <Group>
            <Button type="submit" disabled={!isComplete(line)} leftSection={<IconCheck aria-hidden />}>
              {t('save.typed')}
            </Button>
          </Group>
        </Stack>
      </Fieldset>
    </form>
  );
}
