import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readInput } from '../../../shared/contract/parse-input.ts';
import { families } from '../../../shared/families/registry.ts';
import { useWrite } from '../../api/calls.ts';
import { pathsInNeed, useJudge } from '../../api/may.ts';
import { changedValues, changesOf, type Values } from '../../record/form-values.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { reasonKindOf } from '../../ui/reason/reasons.ts';
import type { ReceiptItem } from './receipt-row.tsx';

interface CorrectLineProps {
  receipt: number;
  item: ReceiptItem;
  /** What its part is called. */
  part: string;
  onClose: () => void;
}

const family = families['receiving-inspection'];
const quantities = ['quantity_accepted', 'quantity_rejected'] as const;

/** Corrects what was saved of a line, where it stands; why is asked for as soon as it is due. */
export function CorrectLine({ receipt, item, part, onClose }: CorrectLineProps) {
  const { t, i18n } = useTranslation('receiving');
  const judge = useJudge();
  const { mutateAsync } = useWrite('receiving-inspections.items.update.patch');
  const [before] = useState<Values>(() => ({
    ...Object.fromEntries(quantities.map(name => [name, numberText(item[name] ?? 0, i18n.language)])),
    serial_number: item.serial_number ?? '',
    expiry_date: item.expiry_date ?? '',
  }));
  const [typed, setTyped] = useState(before);
  const set = (name: string) => (event: { currentTarget: HTMLInputElement }) =>
    setTyped({ ...typed, [name]: event.currentTarget.value });
  const changed = Object.entries(changesOf({ collections: {} }, before, typed)).map(([name, value]) => [
    name,
    typeof value === 'string' && name.startsWith('quantity') ? value.replace(',', '.') : value,
  ]);
  const body: Values = Object.fromEntries(changed);
  const read = readInput(family, { items: [{ id: item.id, ...body }] }, { mode: 'patch' }, {});
  const changes = changedValues({ items: [item] }, read);
  const inNeed = pathsInNeed(judge(family, changes));
  return (
    <ActionForm
      title={t('correct.of', { part })}
      submit={t('correct.save')}
      reason={{ kind: reasonKindOf(inNeed), isDue: inNeed.length > 0, description: t('correct.kept') }}
      onClose={onClose}
      onSubmit={async reason => {
        if (Object.keys(body).length === 0) return;
        await mutateAsync({
          params: { receiving_inspection_id: receipt, id: Number(item.id) },
          body: { ...body, ...(reason !== '' && { reason }) },
        });
      }}
    >
      {errors => (
        <>
          {quantities.map(name => (
            <TextInput
              key={name}
              label={t(name === 'quantity_accepted' ? 'accepted' : 'rejected')}
              value={String(typed[name])}
              onChange={set(name)}
              error={errors(name)}
              inputMode="decimal"
              autoComplete="off"
            />
          ))}
          <TextInput
            label={t('lot')}
            value={String(typed.serial_number)}
            onChange={set('serial_number')}
            error={errors('serial_number')}
            autoComplete="off"
          />
          <TextInput
            type="date"
            label={t('expiry')}
            value={String(typed.expiry_date)}
            onChange={set('expiry_date')}
            error={errors('expiry_date')}
          />
        </>
      )}
    </ActionForm>
  );
}

function numberText(value: unknown, language: string): string {
  return String(value).replace('.', language === 'de' ? ',' : '.');
}
