import { Alert, NumberInput, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dispositions, ncr } from '../../../shared/families/ncr.ts';
import { useWrite } from '../../api/calls.ts';
import { useUnit } from '../../i18n/families/use-quantity.ts';
import { ReferenceInput } from '../../record/reference-input.tsx';
import { type WholeRecord, wholeEtag } from '../../record/whole-record.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { ReasonInput, useRememberReason } from '../../ui/reason/reason-input.tsx';
import { changeOf, SigningField, useSigning } from '../../ui/signing/signing.tsx';
import type { LotFacts } from '../stock/place-select.tsx';
import { PlaceSelect } from '../stock/place-select.tsx';
import { DispositionEffect } from './disposition-effect.tsx';

export interface DispositionFormProps {
  report: WholeRecord;
  /** Of the lot that the report names; undefined: it names none. */
  facts: LotFacts | undefined;
  onClose: () => void;
}

/** What becomes of the goods. What that does to the stock is said before it is saved. */
export function DispositionForm({ report, facts, onClose }: DispositionFormProps) {
  const { t } = useTranslation('quality');
  const unitOf = useUnit();
  const { fields } = report;
  const { mutateAsync } = useWrite('ncrs.update.patch');
  const present = typeof fields.disposition === 'string' ? fields.disposition : null;
  const places = (facts?.locations ?? []).filter(({ quantity }) => quantity !== 0);
  const [disposition, setDisposition] = useState<string | null>(present);
  const [quantity, setQuantity] = useState<string | number>(
    Number(fields.disposition_quantity ?? Number.NaN) || '',
  );
  const [place, setPlace] = useState<number | null>(
    Number(fields.disposition_location_id ?? 0) || (places[0]?.location_id ?? null),
  );
  const [cause, setCause] = useState(typeof fields.error_code_id === 'number' ? fields.error_code_id : null);
  const [reason, setReason] = useState('');
  const takesOut = disposition === 'return' || disposition === 'scrap';
  const isQuantified = takesOut && facts !== undefined;
  const decided = {
    disposition,
    disposition_quantity: isQuantified && quantity !== '' ? Number(quantity) : null,
    disposition_location_id: isQuantified && places.length > 1 ? place : null,
    error_code_id: cause,
  };
  const signing = useSigning(changeOf(ncr, fields, decided));
  const remember = useRememberReason();
  return (
    <ActionForm
      title={t('disposition')}
      submit={t('disposition.save')}
      onClose={onClose}
      onSubmit={async () => {
        await mutateAsync({
          params: { id: report.id },
          headers: { 'If-Match': wholeEtag(report) },
          body: { ...decided, reason, ...signing.bodyOf(reason) },
        });
        remember('own', reason);
      }}
    >
      {errors => (
        <>
          <Select
            label={t('disposition.what')}
            data={[
              { value: '', label: t('disposition.undecided') },
              ...dispositions.map(value => ({ value, label: t(`disposition.${value}`) })),
            ]}
            value={disposition ?? ''}
            onChange={next => setDisposition(next || null)}
            allowDeselect={false}
            error={errors('disposition')}
            data-autofocus
          />
          {isQuantified && (
            <NumberInput
              label={t('disposition.quantity')}
              description={t('disposition.quantity.hint')}
              value={quantity}
              onChange={setQuantity}
              error={errors('disposition_quantity') ?? errors('quantity')}
              rightSection={unitOf(facts.unit)}
              rightSectionWidth={80}
              hideControls
              min={0}
              required
            />
          )}
          {isQuantified && (
            <PlaceSelect
              label={t('disposition.place')}
              locations={places}
              value={place}
              onChange={setPlace}
              error={errors('disposition_location_id')}
            />
          )}
          <ReferenceInput
            family="error-code"
            label={t('cause')}
            value={cause}
            onChange={setCause}
            error={errors('error_code_id')}
          />
          <ReasonInput
            kind="own"
            description={t('reason.needed')}
            value={reason}
            onChange={setReason}
            error={errors('reason') ?? errors('esignature_reason')}
            isDue
          />
          <SigningField signing={signing} error={errors('esignature_password')} />
          <Alert
            variant="outline"
            color="gray"
            title={t('effect.before')}
            role="status"
            style={{ gridColumn: '1 / -1' }}
            mt="md"
          >
            {present !== null && present !== disposition && (
              <Text>{t('effect.back', { disposition: t(`disposition.${present}`) })}</Text>
            )}
            <DispositionEffect
              disposition={disposition}
              facts={facts}
              quantity={quantity === '' ? null : Number(quantity)}
              place={place}
            />
          </Alert>
        </>
      )}
    </ActionForm>
  );
}
