import type { DecidedStore } from '../log/decided-store.ts';
import { foldEntry } from '../log/fold.ts';
import { logChanges } from '../protocol/received-log.ts';
import type { StationTables } from './station-tables.ts';

/** In the open transaction: works records and held commits out again from what is left of the log. */
export function rebuildFromLog(
  { log, held }: Pick<StationTables, 'log' | 'held'>,
  subjects: ReadonlySet<string>,
  decided: DecidedStore,
): void {
  for (const subject of subjects) decided.put(subject, undefined);
  held.clear();
  for (let last = 0; ; ) {
    const entries = log.after(last, 500);
    for (const entry of entries) {
      foldEntry(entry, decided, id => log.commit(id), subjects);
      const changes = logChanges([entry], commit => held.isHeld(commit));
      held.follow(changes, entry.sequence);
    }
    const end = entries.at(-1);
    if (!end) return;
    last = end.sequence;
  }
}
