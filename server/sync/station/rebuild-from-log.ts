import type { Steps } from '../../store/yield-to-event-loop.ts';
import type { DecidedStore } from '../log/decided-store.ts';
import { foldingEntry } from '../log/fold.ts';
import { logChanges } from '../protocol/received-log.ts';
import type { StationTables } from './station-tables.ts';

/** In the open transaction, in steps: works records and held commits out again from what is left of the log. */
export function* rebuildingFromLog(
  { log, held }: Pick<StationTables, 'log' | 'held'>,
  subjects: ReadonlySet<string>,
  decided: DecidedStore,
): Steps<void> {
  for (const subject of subjects) decided.put(subject, undefined);
  held.clear();
  for (let last = 0; ; ) {
    const entries = log.after(last, 500);
    for (const entry of entries) {
      yield;
      yield* foldingEntry(entry, decided, id => log.commit(id), subjects);
      const changes = logChanges([entry], commit => held.isHeld(commit));
      held.follow(changes, entry.sequence);
    }
    const end = entries.at(-1);
    if (!end) return;
    last = end.sequence;
  }
}
