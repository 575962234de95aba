import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../api/client.ts';
import { useDraft } from '../../record/draft.ts';
import type { WholeRecord } from '../../record/whole-record.ts';
import { type CellStore, createCellStore, type Unsaved } from './cell-store.ts';
import { characteristicsOf, type Entry, rowsOf, SERIAL } from './grid-model.ts';
import { createRowSaver, type RowSaver } from './row-saver.ts';

export interface Cells {
  store: CellStore;
  saver: RowSaver;
  type: (sample: number, characteristic: number, change: Partial<Entry>) => void;
  /** How many cells were typed before, and when; null: there is nothing to go on with. */
  restored: { cells: number; at: string | null } | null;
  keepRestored: () => void;
  dropRestored: () => void;
}

/**
 * The cells of an inspection, kept up with the station, saved row by row, and kept as a draft until they are. Of one record
 * and its copy of the template: a component with another of either has another key.
 */
export function useCells(record: WholeRecord): Cells {
  const { id, version } = record;
  const { samples } = record.fields;
  const { i18n } = useTranslation();
  const mark = i18n.language === 'de' ? ',' : '.';
  const draft = useDraft<Unsaved>(`inspection ${id} cells`);
  const [restored, setRestored] = useState<Cells['restored']>(null);
  const [{ store, saver }] = useState(() => {
    const made = createCellStore(characteristicsOf(record.fields.template));
    return { store: made, saver: createRowSaver({ store: made, send: sender(id) }) };
  });
  useLayoutEffect(() => store.merge(version, rowsOf(samples, mark)), [store, version, samples, mark]);
  useEffect(() => () => saver.stop(), [saver]);

  const { keep, discard, found, at } = draft;
  const isRestored = useRef(false);
  useEffect(() => {
    if (found === undefined || isRestored.current) return;
    isRestored.current = true;
    const cells = found === null ? 0 : store.restore(found);
    if (cells > 0) setRestored({ cells, at });
  }, [found, at, store]);

  // Once everything is saved there is nothing to go on with.
  useEffect(
    () =>
      saver.subscribe(() => {
        if (saver.state().phase === 'saved') discard().catch(() => {});
      }),
    [saver, discard],
  );

  return useMemo(
    () => ({
      store,
      saver,
      restored,
      type(sample: number, characteristic: number, change: Partial<Entry>) {
        store.type(sample, characteristic, change);
        keep(store.unsaved());
        saver.typed(sample);
      },
      keepRestored() {
        setRestored(null);
        saver.flush().catch(() => {});
      },
      dropRestored() {
        setRestored(null);
        store.revert();
        discard().catch(() => {});
      },
    }),
    [store, saver, restored, keep, discard],
  );
}

/** Writes a sample's changes; the record's version is in the answer's ETag (`"7-…"`). */
function sender(id: number) {
  return async (
    sample: number,
    changes: { characteristic: number; entry: Entry; value: number | null }[],
  ): Promise<number> => {
    const serial = changes.find(({ characteristic }) => characteristic === SERIAL);
    const results = changes
      .filter(change => change !== serial)
      .map(({ characteristic, entry, value }) => ({
        id: characteristic,
        value,
        passed: entry.passed,
        comment: entry.comment.trim() || null,
      }));
    const { etag } = await client.call('inspections.samples.update', {
      params: { id, sample_id: sample },
      body: {
        ...(serial && { sample_serial: serial.entry.text.trim() || null }),
        ...(results.length > 0 && { results }),
      },
    });
    return Number(/\d+/.exec(etag ?? '')?.[0] ?? 0);
  };
}
