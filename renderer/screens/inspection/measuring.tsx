import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/formats.ts';
import type { GaugeDetail } from '../../ui/scan/gauge.ts';
import { GaugeNote } from '../../ui/scan/gauge-note.tsx';
import { CellPanel, COMMENT_ID } from './cell-panel.tsx';
import type { DueCell } from './cell-store.ts';
import { CorrectionQuestion } from './correction-question.tsx';
import { isOpen, MeasuringGrid } from './measuring-grid.tsx';
import type { Place } from './moves.ts';
import { type GridSize, moveOf, next, nextCell } from './moves.ts';
import { type Pasted, pasteTable, readTable } from './paste.ts';
import { PasteNotice } from './paste-notice.tsx';
import type { Cells } from './use-cells.ts';

export interface MeasuringProps {
  cells: Cells;
  isReadOnly: boolean;
  /** Out of the grid, to what is done with the inspection as a whole. */
  onEscape: () => void;
}

/** The grid, what is said of the present cell, and what came from a spreadsheet. */
export function Measuring({ cells, isReadOnly, onEscape }: MeasuringProps) {
  const { t } = useTranslation('inspection');
  const formats = useFormats();
  const { store, saver, restored } = cells;
  const [place, setPlace] = useState<Place | null>(null);
  const [pasted, setPasted] = useState<Pasted | null>(null);
  const [isRefused, setIsRefused] = useState(false);
  const [reading, setReading] = useState<GaugeDetail | null>(null);
  const present = useRef<Place | null>(null);
  const goTo = useRef<((place: Place) => void) | null>(null);
  const size = useCallback(
    (): GridSize => ({ rows: store.rows().length, characteristics: store.characteristics }),
    [store],
  );
  const go = useCallback((to: Place) => goTo.current?.(to), []);

  const judge = useCallback(
    ({ row, column, part }: Place) => {
      const sample = store.rows()[row];
      const characteristic = store.characteristics[column];
      if (sample && characteristic) cells.type(sample.id, characteristic.id, { passed: part === 1 });
    },
    [cells, store],
  );

  const onKeyDown = (event: KeyboardEvent, at: Place) => {
    if (event.key === 'Escape') return onEscape();
    if (event.key === 'F2' && event.shiftKey) {
      event.preventDefault();
      document.getElementById(COMMENT_ID)?.focus();
      return;
    }
    if (event.key === 'Enter' && !event.shiftKey && at.part > 0) {
      event.preventDefault();
      if (!isReadOnly) judge(at);
      return go(nextCell(at, size()));
    }
    const to = moveOf(event, at, size());
    if (!to) return;
    event.preventDefault();
    go(to);
  };

  const { ask } = cells;
  const onFocus = useCallback(
    (at: Place) => {
      present.current = at;
      setPlace(at);
      // Nobody is asked while they type: once they have left the cell.
      const [row, characteristic] = [store.rows()[at.row], store.characteristics[at.column]];
      const isHere = (cell: DueCell) => cell.sample === row?.id && cell.characteristic === characteristic?.id;
      if (store.due().some(cell => !isHere(cell))) ask(true);
    },
    [store, ask],
  );

  const onLeave = useCallback(() => {
    const sample = present.current && store.rows()[present.current.row];
    if (sample) saver.left(sample.id);
  }, [saver, store]);

  const onGauge = useCallback(
    (at: Place, detail: GaugeDetail | null) => {
      setReading(detail);
      if (detail?.value !== null) go(next(at, size()));
    },
    [go, size],
  );

  const onPaste = (text: string, at: Place): boolean => {
    if (isReadOnly) {
      setIsRefused(true);
      return true;
    }
    if (!/[\t\n]/.test(text.trim())) return false;
    const done = pasteTable(store, readTable(text), at);
    for (const { sample, characteristic } of done.before) cells.type(sample, characteristic, {});
    setPasted(done);
    if (store.due().length > 0) ask(true);
    return true;
  };

  // A person begins where something is missing.
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current || isReadOnly) return;
    isBegun.current = true;
    const first = firstOpen(cells);
    if (first) go(first);
  }, [cells, go, isReadOnly]);

  return (
    <Stack gap="sm">
      {restored && (
        <Alert color="blue" variant="light" title={t('draft.title')}>
          <Group justify="space-between">
            <Text>{t('draft.text', { count: restored.cells, at: formats.moment(restored.at) })}</Text>
            <Group>
              <Button onClick={cells.keepRestored}>{t('draft.keep')}</Button>
              <Button variant="default" onClick={cells.dropRestored}>
                {t('draft.drop')}
              </Button>
            </Group>
          </Group>
        </Alert>
      )}
      {pasted && (
        <PasteNotice
          pasted={pasted}
          onClose={() => setPasted(null)}
          onUndo={() => {
            for (const { sample, characteristic, entry } of pasted.before)
              cells.type(sample, characteristic, entry);
            setPasted(null);
            // What was saved meanwhile is a fact already.
            if (store.due().length > 0) ask(true);
          }}
        />
      )}
      <CellPanel
        cells={cells}
        place={place}
        isReadOnly={isReadOnly}
        onBack={() => present.current && go(present.current)}
      />
      <CorrectionQuestion cells={cells} />
      <GaugeNote detail={reading} />
      {isRefused && isReadOnly && (
        <Text role="alert" fw={700}>
          {t('closed')}
        </Text>
      )}
      <MeasuringGrid
        cells={cells}
        isReadOnly={isReadOnly}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
        onGauge={onGauge}
        onRefused={useCallback(() => setIsRefused(true), [])}
        onPaste={onPaste}
        onLeave={onLeave}
        goTo={goTo}
      />
      <Text size="sm" c="dimmed">
        {t('keys')}
      </Text>
    </Stack>
  );
}

function firstOpen({ store }: Cells): Place | null {
  const rows = store.rows();
  for (let row = 0; row < rows.length; row += 1) {
    const sample = rows[row];
    const column = store.characteristics.findIndex(
      ({ id }) => sample !== undefined && isOpen(store.get(sample.id, id)),
    );
    if (column !== -1) return { row, column, part: 0 };
  }
  return null;
}
