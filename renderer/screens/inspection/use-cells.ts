import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChangedValue } from '../../../shared/contract/permission.ts';
import { families } from '../../../shared/families/registry.ts';
import { client } from '../../api/client.ts';
import { pathsInNeed, useJudge } from '../../api/may.ts';
import { useDraft } from '../../record/draft.ts';
import type { WholeRecord } from '../../record/whole-record.ts';
import { type CellStore, createCellStore, type Unsaved } from './cell-store.ts';
import {
  type Characteristic,
  characteristicsOf,
  type Entry,
  readMeasured,
  rowsOf,
  SERIAL,
} from './grid-model.ts';
import { createRowSaver, type RowSaver } from './row-saver.ts';

export interface Cells {
  store: CellStore;
  saver: RowSaver;
  type: (sample: number, characteristic: number, change: Partial<Entry>) => void;
  /** How many cells were typed before, and when; null: there is nothing to go on with. */
  restored: { cells: number; at: string | null } | null;
  keepRestored: () => void;
  dropRestored: () => void;
  /** Whether the question why saved values were corrected is open. */
  isAsking: boolean;
  ask: (isAsking: boolean) => void;
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
  const [isAsking, ask] = useState(false);
  const judge = useJudge();
  const [{ store, saver }] = useState(() => {
    const made = createCellStore(
      characteristicsOf(record.fields.template),
      (saved, entry) => pathsInNeed(judge(families.inspection, changesIn(saved, entry))).length > 0,
    );
    return { store: made, saver: createRowSaver({ store: made, send: sender(id, made.characteristics) }) };
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

  useEffect(
    () =>
      saver.subscribe(() => {
        if (saver.state().phase === 'due' && store.due().some(({ isDemanded }) => isDemanded)) ask(true);
      }),
    [saver, store],
  );

  return useMemo(
    () => ({
      store,
      saver,
      restored,
      isAsking,
      ask,
      type(sample: number, characteristic: number, change: Partial<Entry>) {
        store.type(sample, characteristic, change);
        keep(store.unsaved());
        saver.typed(sample);
      },
      keepRestored() {
        setRestored(null);
        saver.flush().catch(() => {});
        if (store.due().length > 0) ask(true);
      },
      dropRestored() {
        setRestored(null);
        store.revert();
        discard().catch(() => {});
      },
    }),
    [store, saver, restored, isAsking, keep, discard],
  );
}

/** What a correction of one cell changes of the record, as permission is judged. */
function changesIn(saved: Entry, entry: Entry): ChangedValue[] {
  const [old, now] = [readMeasured(saved.text) ?? null, readMeasured(entry.text) ?? null];
  const result = 'samples.1.results.1';
  return [
    ...(old === now ? [] : [{ path: `${result}.value`, old, new: now }]),
    ...(saved.passed === entry.passed
      ? []
      : [{ path: `${result}.passed`, old: saved.passed, new: entry.passed }]),
  ];
}

/** Writes a sample's changes; the record's version is in the answer's ETag (`"7-…"`). */
function sender(id: number, characteristics: readonly Characteristic[]) {
  const byLimits = new Set(characteristics.flatMap(({ id, limits }) => (limits === null ? [] : [id])));
  return async (
    sample: number,
    changes: { characteristic: number; entry: Entry; value: number | null }[],
    reason: string | null,
  ): Promise<number> => {
    const serial = changes.find(({ characteristic }) => characteristic === SERIAL);
    const results = changes
      .filter(change => change !== serial)
      .map(({ characteristic, entry, value }) => ({
        id: characteristic,
        value,
        // Where limits decide, the verdict is the station's: a null would take it back.
        ...(!byLimits.has(characteristic) && { passed: entry.passed }),
        comment: entry.comment.trim() || null,
      }));
    const { etag } = await client.call('inspections.samples.update', {
      params: { id, sample_id: sample },
      body: {
        ...(serial && { sample_serial: serial.entry.text.trim() || null }),
        ...(results.length > 0 && { results }),
        ...(reason !== null && { reason }),
      },
    });
    return Number(/\d+/.exec(etag ?? '')?.[0] ?? 0);
  };
}
