import { useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { ReasonForm } from '../../ui/reason-form.tsx';
import type { DueCell } from './cell-store.ts';
import type { Cells } from './use-cells.ts';

/** Said of many at once. */
const NAMED = 3;

export function useDue({ store }: Cells): readonly DueCell[] {
  return useSyncExternalStore(store.subscribe('due'), store.due);
}

/** Why values that were saved are others now: one answer for all of them, in the place where one measures. */
export function CorrectionQuestion({ cells }: { cells: Cells }) {
  const { t } = useTranslation('inspection');
  const { store, saver, isAsking, ask } = cells;
  const due = useDue(cells);
  useEffect(() => {
    if (isAsking && due.length === 0) ask(false);
  }, [isAsking, due, ask]);
  if (!isAsking || due.length === 0) return null;
  const said = due.slice(0, NAMED).map(({ number, name, from, to }) => {
    const cell = t('cell', { number, name });
    return from === to ? cell : `${cell}: ${from || '–'} → ${to || '–'}`;
  });
  return (
    <ReasonForm
      title={t('correct', { count: due.length })}
      submit={t('correct.save')}
      description={`${said.join('; ')}${due.length > NAMED ? '; …' : ''}.`}
      kind="measured"
      onClose={() => ask(false)}
      onSubmit={async reason => {
        store.giveReason(reason);
        // How the saving goes is said beside the counts.
        saver.flush().catch(() => {});
      }}
    />
  );
}
