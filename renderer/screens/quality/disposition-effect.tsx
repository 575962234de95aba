import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { fromMicro, toMicro } from '../../../shared/quantities/quantity.ts';
import { useUnit } from '../../i18n/families/use-quantity.ts';
import { useFormats } from '../../i18n/formats.ts';
import type { LotFacts } from '../stock/place-select.tsx';

export interface DispositionEffectProps {
  disposition: string | null;
  facts: LotFacts | undefined;
  /** What goes out of the stock; null: not said yet. */
  quantity: number | null;
  place: number | null;
}

/** What a disposition will do to the stock, in a sentence. */
export function DispositionEffect({ disposition, facts, quantity, place }: DispositionEffectProps) {
  const { t } = useTranslation('quality');
  const formats = useFormats();
  const unitOf = useUnit();
  if (disposition === null) return <Text>{t('effect.none')}</Text>;
  if (!facts) return <Text>{t('effect.lotless')}</Text>;
  if (disposition === 'use-as-is' || disposition === 'rework') {
    return (
      <Text>{t(facts.locks.length === 0 ? `effect.${disposition}.free` : `effect.${disposition}`)}</Text>
    );
  }
  if (quantity === null) return <Text>{t('effect.say')}</Text>;
  if (quantity === 0) return <Text>{t('effect.zero')}</Text>;
  const stands = facts.locations.filter(each => each.quantity !== 0);
  const from = stands.length > 1 ? stands.find(each => each.location_id === place) : stands[0];
  const present = from?.quantity ?? facts.quantity;
  const left = fromMicro(toMicro(present) - toMicro(quantity));
  return (
    <Text fw={left < 0 ? 700 : undefined}>
      {t(left < 0 ? 'effect.below' : 'effect.out', {
        quantity: formats.number(quantity),
        unit: unitOf(facts.unit),
        place: from?.name ?? t('effect.place'),
        present: formats.number(present),
        left: formats.number(left),
      })}
    </Text>
  );
}
