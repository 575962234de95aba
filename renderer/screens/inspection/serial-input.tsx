import { memo, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { keyOf } from './cell-store.ts';
import { SERIAL } from './grid-model.ts';
import { SERIAL_COLUMN } from './moves.ts';
import type { Cells } from './use-cells.ts';

export interface SerialInputProps {
  cells: Cells;
  sample: number;
  number: number;
  row: number;
  isReadOnly: boolean;
}

/** A sample's number, and the serial number of the piece; Enter passes it by, the arrow to the left leads to it. */
export const SerialInput = memo(function SerialInput(props: SerialInputProps) {
  const { cells, sample, number, row, isReadOnly } = props;
  const { t } = useTranslation('inspection');
  const { entry } = useSyncExternalStore(cells.store.subscribe(keyOf(sample, SERIAL)), () =>
    cells.store.get(sample, SERIAL),
  );
  return (
    <>
      <input
        className="measured-value measured-serial"
        data-cell={`${row}.${SERIAL_COLUMN}.0`}
        aria-label={t('serial.of', { number })}
        value={entry.text}
        readOnly={isReadOnly}
        autoComplete="off"
        spellCheck={false}
        onChange={event => cells.type(sample, SERIAL, { text: event.currentTarget.value })}
      />
      <span className="measured-says">{number}</span>
    </>
  );
});
