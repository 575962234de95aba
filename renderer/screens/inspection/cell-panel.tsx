import { Group, Paper, Text, TextInput } from '@mantine/core';
import { useCallback, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { position } from '../../../shared/quantities/tolerance.ts';
import { keyOf } from './cell-store.ts';
import { readMeasured, SERIAL } from './grid-model.ts';
import { useAskedText } from './limits-text.ts';
import { verdictIcons } from './measuring-cell.tsx';
import type { Place } from './moves.ts';
import { SERIAL_COLUMN } from './moves.ts';
import { PositionBar } from './position-bar.tsx';
import type { Cells } from './use-cells.ts';

/** By which the grid leads to the comment of its present cell. */
export const COMMENT_ID = 'comment-of-cell';

export interface CellPanelProps {
  cells: Cells;
  place: Place | null;
  isReadOnly: boolean;
  onBack: () => void;
}

/** The present cell at full length: what is asked, what the value says to it, and a comment. */
export function CellPanel({ cells, place, isReadOnly, onBack }: CellPanelProps) {
  const { t } = useTranslation('inspection');
  const askedText = useAskedText();
  const { store, saver } = cells;
  const sample = place ? store.rows()[place.row] : undefined;
  const characteristic = place ? store.characteristics[place.column] : undefined;
  const [sampleId, characteristicId] = [sample?.id ?? 0, characteristic?.id ?? SERIAL];
  const { entry, verdict, elsewhere } = useSyncExternalStore(
    useCallback(
      listener => store.subscribe(keyOf(sampleId, characteristicId))(listener),
      [store, sampleId, characteristicId],
    ),
    () => store.get(sampleId, characteristicId),
  );
  const elsewhereText = elsewhere && (
    <Text role="status" fw={700}>
      {t('elsewhere', { value: elsewhere.text || t('verdict.empty.long') })}
    </Text>
  );
  if (sample && place?.column === SERIAL_COLUMN) {
    return (
      <Paper withBorder px="sm" py={4} mih={64} role="group" aria-label={t('present')}>
        <Text fw={700}>{t('serial.of', { number: sample.number })}</Text>
        {elsewhereText}
      </Paper>
    );
  }
  if (!sample || !characteristic) return null;
  const { limits, name, operation } = characteristic;
  const value = readMeasured(entry.text);
  const Icon = verdictIcons[verdict];
  return (
    <Paper withBorder px="sm" py={4} role="group" aria-label={t('present')}>
      <Group justify="space-between" wrap="nowrap">
        <div>
          <Text className="typed">
            <strong>{t('cell', { number: sample.number, name })}</strong>
            {operation && ` · ${operation}`} · {askedText(characteristic)}
          </Text>
          <Group gap="xs" wrap="nowrap" data-verdict={verdict} mih={28}>
            <span className="measured-mark">
              {Icon && <Icon size={20} aria-hidden />}
              <strong>
                {t(limits === null && verdict === 'empty' ? 'verdict.judge.long' : `verdict.${verdict}.long`)}
              </strong>
            </span>
            {limits !== null && typeof value === 'number' && (
              <span className="cell-panel-bar">
                <PositionBar at={position(limits, value)} />
              </span>
            )}
          </Group>
        </div>
        <Group gap="xs" wrap="nowrap" flex="0 0 auto">
          <label htmlFor={COMMENT_ID}>
            {t('comment')} <kbd className="hint">Shift F2</kbd>
          </label>
          <TextInput
            id={COMMENT_ID}
            value={entry.comment}
            readOnly={isReadOnly}
            autoComplete="off"
            w="16rem"
            onChange={event =>
              cells.type(sample.id, characteristic.id, { comment: event.currentTarget.value })
            }
            onBlur={() => saver.left(sample.id)}
            onKeyDown={event => {
              if (event.key !== 'Enter' && event.key !== 'Escape') return;
              event.preventDefault();
              onBack();
            }}
          />
        </Group>
      </Group>
      {elsewhereText}
    </Paper>
  );
}
