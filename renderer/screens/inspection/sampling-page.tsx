import { NumberInput, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useCall } from '../../api/calls.ts';
import { ReferenceInput } from '../../record/reference-input.tsx';
import { Failure } from '../../ui/failure.tsx';
import { SamplingLots } from './sampling-lots.tsx';
import { SamplingNow } from './sampling-now.tsx';
import { SamplingStates } from './sampling-states.tsx';
import { usePlan } from './use-plan.ts';

/**
 * How strictly lots are sampled: of all parts and suppliers, or of one with the lots and decisions behind it. What is
 * looked at stands in the address: `?part=3&supplier=2&size=500`.
 */
export function Component() {
  const { t } = useTranslation('inspection');
  const [address, setAddress] = useSearchParams();
  const numberAt = (name: string) => Number(address.get(name)) || null;
  const [part, chosen, size] = [numberAt('part'), numberAt('supplier'), numberAt('size')];
  const set = (name: string, value: number | null) => {
    const next = new URLSearchParams(address);
    if (value === null) next.delete(name);
    else next.set(name, String(value));
    setAddress(next, { replace: true });
  };
  // The state is the same for every lot size; the plan is shown for the one that was given.
  const { sampling, error, isWaiting, retry } = usePlan(part, size ?? 1, chosen);
  const { data } = useCall('parts.read', { params: { id: part ?? 0 } }, { isEnabled: part !== null });
  const ofPart = data?.data.supplier_id ?? null;
  return (
    <Stack>
      <Title order={1}>{t('sampling')}</Title>
      <Text>{t('sampling.text')}</Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }} style={{ alignItems: 'end' }}>
        <ReferenceInput
          family="part"
          label={t('part')}
          value={part}
          onChange={id => setAddress(id === null ? {} : { part: String(id) }, { replace: true })}
        />
        {part !== null && (
          <>
            <ReferenceInput
              family="supplier"
              label={t('supplier')}
              description={t(ofPart === null ? 'supplier.any' : 'supplier.part')}
              value={chosen ?? sampling?.supplier_id ?? null}
              onChange={id => set('supplier', id)}
            />
            <NumberInput
              label={t('lot-size')}
              description={t('lot-size.hint')}
              value={size ?? ''}
              onChange={value => set('size', Number(value) || null)}
              allowDecimal={false}
              min={1}
              hideControls
            />
          </>
        )}
      </SimpleGrid>
      <Failure error={error} onRetry={retry} />
      {part === null && <SamplingStates />}
      {isWaiting && <Text role="status">{t('app:reading')}</Text>}
      {part !== null && sampling && (
        <>
          <SamplingNow sampling={sampling} hasLotSize={size !== null} />
          <SamplingLots sampling={sampling} />
        </>
      )}
    </Stack>
  );
}
