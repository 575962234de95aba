import {
  IconAlertTriangle,
  IconArrowDown,
  IconArrowUp,
  IconCheck,
  IconQuestionMark,
  IconX,
} from '@tabler/icons-react';
import { memo, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { position } from '../../../shared/quantities/tolerance.ts';
import { keyOf } from './cell-store.ts';
import { type Characteristic, isFailing, readMeasured, type Verdict } from './grid-model.ts';
import { PositionBar } from './position-bar.tsx';
import type { Cells } from './use-cells.ts';

export const verdictIcons: Record<Verdict, typeof IconCheck | null> = {
  empty: null,
  unreadable: IconAlertTriangle,
  unjudged: IconQuestionMark,
  pass: IconCheck,
  low: IconArrowDown,
  high: IconArrowUp,
  fail: IconX,
};

/** The parts of a cell that take the focus: the value, and where no limits decide the two verdicts. */
export const cellParts = ['value', 'pass', 'fail'] as const;

export interface MeasuringCellProps {
  cells: Cells;
  characteristic: Characteristic;
  sample: number;
  sampleNumber: number;
  row: number;
  column: number;
  isReadOnly: boolean;
}

/** One measurement: drawn anew by its own changes only, so that a key costs the same in a large grid. */
export const MeasuringCell = memo(function MeasuringCell(props: MeasuringCellProps) {
  const { cells, characteristic, sample, sampleNumber, row, column, isReadOnly } = props;
  const { t } = useTranslation('inspection');
  const key = keyOf(sample, characteristic.id);
  const { entry, verdict } = useSyncExternalStore(cells.store.subscribe(key), () =>
    cells.store.get(sample, characteristic.id),
  );
  const { limits } = characteristic;
  const value = readMeasured(entry.text);
  const Icon = verdictIcons[verdict];
  const of = { number: sampleNumber, name: characteristic.name };
  const judge = (passed: boolean) => {
    cells.type(sample, characteristic.id, { passed: entry.passed === passed ? null : passed });
    if (cells.store.due().length > 0) cells.ask(true);
  };
  return (
    <td className="measured" data-verdict={verdict}>
      <div className="measured-controls">
        <input
          className="measured-value"
          data-gauge=""
          data-unit={characteristic.unit ?? undefined}
          data-cell={`${row}.${column}.0`}
          aria-label={t('cell', of)}
          aria-describedby={`verdict-${key}`}
          aria-invalid={verdict === 'unreadable' || isFailing(verdict)}
          value={entry.text}
          readOnly={isReadOnly}
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
          onChange={event => cells.type(sample, characteristic.id, { text: event.currentTarget.value })}
        />
        {limits === null &&
          ([true, false] as const).map(passed => (
            <button
              key={String(passed)}
              type="button"
              className="measured-verdict"
              data-cell={`${row}.${column}.${passed ? 1 : 2}`}
              aria-pressed={entry.passed === passed}
              aria-label={t(passed ? 'cell.pass' : 'cell.fail', of)}
              aria-disabled={isReadOnly}
              onClick={() => !isReadOnly && judge(passed)}
            >
              {passed ? <IconCheck size={20} aria-hidden /> : <IconX size={20} aria-hidden />}
            </button>
          ))}
      </div>
      <div className="measured-says">
        <span id={`verdict-${key}`} className="measured-mark">
          {Icon && <Icon size={16} aria-hidden />}
          {t(limits === null && verdict === 'empty' ? 'verdict.judge' : `verdict.${verdict}`)}
          {entry.comment !== '' && ` · ${t('commented')}`}
        </span>
        {limits !== null && typeof value === 'number' && <PositionBar at={position(limits, value)} />}
      </div>
    </td>
  );
});
