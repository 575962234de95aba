import {
  Button,
  Fieldset,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconArrowBackUp, IconBarcode, IconCheck } from '@tabler/icons-react';
import { type FormEvent, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { receivingUnits } from '../../../shared/quantities/units.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useFieldErrors } from '../../i18n/use-server-message.ts';
import { ReferenceInput } from '../../record/reference-input.tsx';
import { Failure } from '../../ui/failure.tsx';
import { isComplete, type Line } from './line.ts';
import { QuestionNotice } from './question-notice.tsx';
import { ScanList } from './scan-list.tsx';
import type { useReceiving } from './use-receiving.ts';

/** One line of the delivery, by scanner or keyboard: what, which lot, how much is good and how much is not. */
export function ReceiveLine({ receiving }: { receiving: ReturnType<typeof useReceiving> }) {
  const { t } = useTranslation('receiving');
  const formats = useFormats();
  const { line, setLine, choosePart, save, failure, question, bestBefore, scans } = receiving;
  const hasScanned = useSyncExternalStore(scans.subscribe, () => scans.entries().length > 0);
  const form = useRef<HTMLFormElement>(null);
  const accepted = useRef<HTMLInputElement>(null);
  const errors = useFieldErrors(failure);
  const set = (change: Partial<Line>) => setLine({ ...line, ...change });

  // What is left to type after a scan is how much.
  const { part } = line;
  useLayoutEffect(() => {
    let newest: number | undefined;
    const select = () => {
      const last = scans.entries().at(-1)?.id;
      if (last === newest) return;
      newest = last;
      if (part !== null) accepted.current?.select();
    };
    select();
    return scans.subscribe(select);
  }, [part, scans]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const id = await save();
      if (id !== null) form.current?.querySelector('input')?.focus();
    } catch {
      // Shown by `failure`; the line stays as it is.
    }
  };

  return (
    <Stack gap="sm">
      <QuestionNotice receiving={receiving} question={question} />
      <form ref={form} onSubmit={event => void submit(event)} noValidate aria-label={t('line')}>
        <Fieldset legend={t('line')}>
          <Stack>
            <Group gap="xs">
              <IconBarcode aria-hidden />
              <Text>{t('line.hint')}</Text>
            </Group>
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} className="form-grid">
              <ReferenceInput
                family="part"
                label={t('part')}
                value={line.part}
                onChange={id => void choosePart(id)}
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
                description={bestBefore ? t('best-before', { day: formats.day(bestBefore) }) : undefined}
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
              <NumberInput
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
              <NumberInput
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
                label={t('template')}
                description={t('template.hint')}
                value={line.template}
                onChange={template => set({ template })}
                error={errors('drawing_id')}
              />
            </SimpleGrid>
            <Failure error={failure} />
            <Group>
              <Button type="submit" disabled={!isComplete(line)} leftSection={<IconCheck aria-hidden />}>
                {t('save')}
              </Button>
              <Button
                variant="default"
                leftSection={<IconArrowBackUp aria-hidden />}
                disabled={!hasScanned}
                onClick={() => void scans.undoLast()}
              >
                {t('undo')}
              </Button>
              <Button variant="default" onClick={receiving.begin}>
                {t('clear')}
              </Button>
            </Group>
          </Stack>
        </Fieldset>
      </form>
      <ScanList scans={scans} />
    </Stack>
  );
}
