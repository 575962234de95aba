import { Alert, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PickList } from '../../../shared/operations/place-operations.ts';
import { useQuantity } from '../../i18n/families/use-quantity.ts';
import { useServerMessage } from '../../i18n/use-server-message.ts';
import { nameOf } from './read-goods.ts';

/** What stands somewhere of a lot; of a line of the shipment, or of none any more. */
export type Stand = PickList['too_much'][number] & { item_id?: number };

interface PickLinesProps {
  title: string;
  lines: readonly Stand[];
  /** Takes what was picked back to a place. */
  onBack?: (line: Stand) => void;
}

/** What stands where of a shipment, one line after the other. */
export function PickLines({ title, lines, onBack }: PickLinesProps) {
  const { t } = useTranslation('floor');
  const quantityOf = useQuantity();
  return (
    <section aria-label={title}>
      <Text fw={700}>{title}</Text>
      <ol className="plain-list floor-list">
        {lines.map(line => (
          <li key={`${line.item_id} ${line.inventory_id} ${line.location_id}`} className="typed">
            {[placeOf(line, t('no-place')), nameOf(line), quantityOf(line.quantity, line.unit)].join(' · ')}
            {onBack && (
              <Button
                variant="subtle"
                ml="xs"
                onClick={() => onBack(line)}
                aria-label={t('put-back.of', { goods: nameOf(line) })}
              >
                {t('put-back')}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What a shipment asks for and there is not enough of, with why. */
export function Shortages({ list }: { list: PickList }) {
  const { t } = useTranslation('floor');
  const quantityOf = useQuantity();
  const say = useServerMessage();
  if (list.short.length === 0) return null;
  return (
    <Alert color="red" variant="outline" role="alert" title={t('short')}>
      {list.short.map(({ item_id: item, part, quantity, unit, reasons }) => (
        <Text key={item}>
          {part} · {quantityOf(quantity, unit)}
          {reasons.length > 0 && ` · ${reasons.map(say).join('; ')}`}
        </Text>
      ))}
    </Alert>
  );
}

/** A place; of a handling unit the one where it stands, too. @param none where no place was named */
export function placeOf(
  { location, within }: { location: string | null; within: string | null },
  none: string,
): string {
  return within ? `${within} · ${location}` : (location ?? none);
}
