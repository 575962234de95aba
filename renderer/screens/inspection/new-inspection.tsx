import { NumberInput, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useCall, useWrite } from '../../api/calls.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { ReferenceInput } from '../../record/reference-input.tsx';
import { ActionForm } from '../../ui/action-form.tsx';
import { Failure } from '../../ui/failure.tsx';
import { SamplingNotice } from './sampling-notice.tsx';
import { useLotSize, usePlan } from './use-plan.ts';

export interface NewInspectionProps {
  /** What it is begun with, such as by a link from a lot. */
  lot: number | null;
  onClose: () => void;
}

/** What is inspected, by which template, and how many: proposed by the sampling plan, which says why. */
export function NewInspection({ lot: givenLot, onClose }: NewInspectionProps) {
  const { t } = useTranslation('inspection');
  const texts = useFamilyTexts();
  const navigate = useNavigate();
  const { mutateAsync } = useWrite('inspections.create');
  const [kind, setKind] = useState('part');
  const [entity, setEntity] = useState<number | null>(null);
  const [template, setTemplate] = useState<number | null>(null);
  const [lot, setLot] = useState<number | null>(givenLot);
  const [typedLotSize, setTypedLotSize] = useState('');
  const [typedSamples, setTypedSamples] = useState('');
  const isPart = kind === 'part';
  const chosenLot = isPart ? lot : null;
  const lotRecord = useCall(
    'inventory.read',
    { params: { id: chosenLot ?? 0 } },
    { isEnabled: chosenLot !== null },
  );
  // A lot is of one part; whoever names the lot need not name the part.
  const partOfLot = chosenLot === null ? null : (lotRecord.data?.data.part?.id ?? null);
  const part = isPart ? (partOfLot ?? entity) : null;
  const sizeOfLot = useLotSize(chosenLot);
  const lotSize = typedLotSize === '' ? sizeOfLot : Number(typedLotSize);
  const { sampling, error, retry } = usePlan(part, lotSize);
  const samples = typedSamples === '' ? String(sampling?.plan.n ?? 1) : typedSamples;

  return (
    <ActionForm
      title={t('new')}
      submit={t('begin')}
      onClose={onClose}
      onSubmit={async () => {
        const { data } = await mutateAsync({
          body: {
            entity_type: kind,
            entity_id: isPart ? part : entity,
            inventory_id: chosenLot,
            drawing_id: template,
            sample_size: Number(samples),
          },
        });
        await navigate(`/app/inspection/${data.id}`);
      }}
    >
      {errors => (
        <>
          <Select
            label={t('kind')}
            data={['part', 'equipment'].map(value => ({ value, label: t(value) }))}
            value={kind}
            allowDeselect={false}
            onChange={next => {
              setKind(next ?? 'part');
              setEntity(null);
            }}
          />
          {isPart && (
            <ReferenceInput
              family="inventory"
              label={t('lot')}
              value={lot}
              onChange={setLot}
              error={errors('inventory_id')}
              isAutoFocused
            />
          )}
          <ReferenceInput
            key={`${kind} ${partOfLot}`}
            family={kind}
            label={t(kind)}
            value={isPart ? part : entity}
            onChange={setEntity}
            error={errors('entity_id')}
            description={partOfLot === null ? undefined : t('part.of-lot')}
          />
          <ReferenceInput
            family="specification"
            label={t('template')}
            value={template}
            onChange={setTemplate}
            error={errors('drawing_id')}
          />
          {isPart && (
            <NumberInput
              label={t('lot-size')}
              description={t('lot-size.hint')}
              value={typedLotSize === '' ? (sizeOfLot ?? '') : typedLotSize}
              onChange={value => setTypedLotSize(String(value))}
              allowDecimal={false}
              min={1}
              hideControls
            />
          )}
          <NumberInput
            label={texts.word('Sample size')}
            description={sampling ? t('samples.planned', { n: sampling.plan.n }) : t('samples.hint')}
            value={samples}
            onChange={value => setTypedSamples(String(value))}
            error={errors('sample_size')}
            allowDecimal={false}
            min={1}
            hideControls
          />
          <div style={{ gridColumn: '1 / -1' }}>
            {sampling ? <SamplingNotice sampling={sampling} /> : isPart && <Text>{t('plan.none')}</Text>}
            <Failure error={error} onRetry={retry} />
          </div>
        </>
      )}
    </ActionForm>
  );
}
