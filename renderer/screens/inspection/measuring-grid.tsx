import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type RefObject, useCallback, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { type GaugeDetail, gaugeDetail } from '../../ui/scan/gauge.ts';
import type { Cell } from './cell-store.ts';
import type { Characteristic } from './grid-model.ts';
import { useLimitsText } from './limits-text.ts';
import { MeasuringCell } from './measuring-cell.tsx';
import { SerialInput } from './serial-input.tsx';
import type { Cells } from './use-cells.ts';
import './grid.css';
import type { Place } from './moves.ts';

const ROW_HEIGHT = 88;
const NUMBER_WIDTH = 168;
const MEASURED_WIDTH = 176;
const JUDGED_WIDTH = 250;
/** Rows above and below what is seen, for Tab and for scrolling. */
const OVERSCAN = 3;

export interface MeasuringGridProps {
  cells: Cells;
  isReadOnly: boolean;
  /** The cell that has or last had the focus. */
  onFocus: (place: Place) => void;
  onKeyDown: (event: React.KeyboardEvent, place: Place) => void;
  /** A device has typed there. */
  onGauge: (place: Place, detail: GaugeDetail | null) => void;
  /** A device has typed into a cell that is closed. */
  onRefused: () => void;
  onPaste: (text: string, place: Place) => boolean;
  onLeave: () => void;
  /** To go to a place, drawn or not. */
  goTo: RefObject<((place: Place) => void) | null>;
}

/** Samples by characteristics. Only the rows that are seen are drawn, so that fifty samples cost what ten do. */
export function MeasuringGrid(props: MeasuringGridProps) {
  const { cells, isReadOnly, onFocus, onKeyDown, onGauge, onRefused, onPaste, onLeave, goTo } = props;
  const { t } = useTranslation('inspection');
  const { store } = cells;
  const rows = useSyncExternalStore(store.subscribe('rows'), store.rows);
  const scroller = useRef<HTMLElement>(null);
  const focusedRow = useRef<number | null>(null);
  const wanted = useRef<Place | null>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    // The row with the focus stays, however far one scrolls: a key must have somewhere to go.
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const shown = new Set<number>();
      for (
        let at = Math.max(0, startIndex - overscan);
        at <= Math.min(count - 1, endIndex + overscan);
        at += 1
      )
        shown.add(at);
      if (focusedRow.current !== null && focusedRow.current < count) shown.add(focusedRow.current);
      return [...shown].sort((one, other) => one - other);
    },
  });

  const focus = useCallback((place: Place): boolean => {
    const element = scroller.current?.querySelector<HTMLElement>(`[data-cell="${nameOf(place)}"]`);
    element?.focus();
    if (element instanceof HTMLInputElement) element.select();
    return Boolean(element);
  }, []);
  goTo.current = place => {
    if (focus(place)) return;
    wanted.current = place;
    focusedRow.current = place.row;
    virtualizer.scrollToIndex(place.row);
  };
  useLayoutEffect(() => {
    if (wanted.current && focus(wanted.current)) wanted.current = null;
  });

  useLayoutEffect(() => {
    const element = scroller.current;
    const listen = (event: Event) => {
      const place = placeOf(event.target);
      if (place) onGauge(place, gaugeDetail(event));
    };
    element?.addEventListener('gauge', listen);
    element?.addEventListener('gauge-closed', onRefused);
    return () => {
      element?.removeEventListener('gauge', listen);
      element?.removeEventListener('gauge-closed', onRefused);
    };
  }, [onGauge, onRefused]);

  const drawn = virtualizer.getVirtualItems();
  const after = virtualizer.getTotalSize() - (drawn.at(-1)?.end ?? 0);
  return (
    <section
      ref={scroller}
      className="measuring"
      aria-label={t('grid')}
      onKeyDown={event => {
        const place = placeOf(event.target);
        if (place) onKeyDown(event, place);
      }}
      onPaste={event => {
        const place = placeOf(event.target);
        if (place && onPaste(event.clipboardData.getData('text/plain'), place)) event.preventDefault();
      }}
      onFocus={event => {
        const place = placeOf(event.target);
        if (!place) return;
        const before = focusedRow.current;
        if (before !== null && before !== place.row) onLeave();
        focusedRow.current = place.row;
        onFocus(place);
      }}
      onBlur={event => {
        if (!scroller.current?.contains(event.relatedTarget)) onLeave();
      }}
    >
      <table
        aria-rowcount={rows.length + 1}
        aria-label={t('grid')}
        style={{ width: wideAs(widthOf(store.characteristics)) }}
      >
        <colgroup>
          <col style={{ width: NUMBER_WIDTH }} />
          {store.characteristics.map(({ id, limits }) => (
            <col key={id} style={{ width: columnWidth(limits) }} />
          ))}
        </colgroup>
        <GridHead characteristics={store.characteristics} />
        <tbody>
          {drawn.map(({ index, start }, at) => {
            const row = rows[index];
            const gap = start - (drawn[at - 1]?.end ?? 0);
            return row ? (
              <GridRow
                key={row.id}
                cells={cells}
                sample={row.id}
                number={row.number}
                row={index}
                gap={gap}
                isReadOnly={isReadOnly}
              />
            ) : null;
          })}
          {after > 0 && <Gap height={after} />}
        </tbody>
      </table>
    </section>
  );
}

const GridHead = memo(function GridHead({ characteristics }: { characteristics: readonly Characteristic[] }) {
  const { t } = useTranslation('inspection');
  const limitsText = useLimitsText();
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col">
          {t('sample')}
          <span>{t('serial')}</span>
        </th>
        {characteristics.map(({ id, name, asked, limits, operation, isOptional }) => (
          <th key={id} scope="col" title={[name, operation, asked].filter(Boolean).join(' · ')}>
            <strong className="typed">{name}</strong>
            <span className="typed">{asked || '–'}</span>
            <span>
              {limitsText(limits)}
              {isOptional && ` (${t('optional')})`}
            </span>
          </th>
        ))}
      </tr>
    </thead>
  );
});

interface GridRowProps {
  cells: Cells;
  sample: number;
  number: number;
  row: number;
  gap: number;
  isReadOnly: boolean;
}

const GridRow = memo(function GridRow({ cells, sample, number, row, gap, isReadOnly }: GridRowProps) {
  return (
    <>
      {gap > 0 && <Gap height={gap} />}
      <tr aria-rowindex={row + 2}>
        <th scope="row">
          <SerialInput cells={cells} sample={sample} number={number} row={row} isReadOnly={isReadOnly} />
        </th>
        {cells.store.characteristics.map((characteristic, column) => (
          <MeasuringCell
            key={characteristic.id}
            cells={cells}
            characteristic={characteristic}
            sample={sample}
            sampleNumber={number}
            row={row}
            column={column}
            isReadOnly={isReadOnly}
          />
        ))}
      </tr>
    </>
  );
});

/** Stands for the rows that are not drawn. */
function Gap({ height }: { height: number }) {
  return (
    <tr aria-hidden style={{ height }}>
      <td />
    </tr>
  );
}

/** Whether a person has something to do there. */
export function isOpen({ verdict }: Pick<Cell, 'verdict'>): boolean {
  return verdict === 'empty' || verdict === 'unreadable' || verdict === 'unjudged';
}

function columnWidth(limits: Characteristic['limits']): number {
  return limits === null ? JUDGED_WIDTH : MEASURED_WIDTH;
}

function widthOf(characteristics: readonly Characteristic[]): number {
  return characteristics.reduce((sum, { limits }) => sum + columnWidth(limits), NUMBER_WIDTH);
}

/** At least so wide, in pixels; where the window has room, up to half as much again, so that what is asked is not cut off. */
function wideAs(width: number): string {
  return `clamp(${width}px, 100%, ${Math.round(width * 1.5)}px)`;
}

function nameOf({ row, column, part }: Place): string {
  return `${row}.${column}.${part}`;
}

export function placeOf(target: EventTarget | null): Place | null {
  const name = target instanceof HTMLElement ? target.dataset.cell : undefined;
  if (name === undefined) return null;
  const [row = 0, column = 0, part = 0] = name.split('.').map(Number);
  return { row, column, part };
}
