import { randomUUID } from 'node:crypto';
import { AppError } from '../../shared/contract/errors.ts';
import { JOURNAL_ENDING, JOURNAL_PLACE, leaveJournal } from '../store/shared-folder.ts';
import type { Store } from '../store/store.ts';
import { readLocal, writeLocal } from '../store/tables.ts';
import { Journal } from './journal.ts';
import { type OpenSharedOptions, openShared } from './open-shared.ts';

/**
 * A folder becomes all there is: it takes over all that the journal has, the journal takes nothing any more, and the folder
 * leaves it. Where it is cut off in between it is done again.
 * @throws AppError `unavailable` where the journal is not reached; `conflict` for a folder that lacks what the journal had at its end
 */
export async function moveOut(options: Omit<OpenSharedOptions, 'onAway'>): Promise<void> {
  const journal = new Journal({ url: options.url, onNews: () => {} });
  let ended: Awaited<ReturnType<Journal['endedAt']>>;
  try {
    await journal.prepare();
    ended = await journal.endedAt();
  } finally {
    journal.close();
  }
  if (ended) {
    const store = await options.open();
    try {
      const [place, by] = [JOURNAL_PLACE, JOURNAL_ENDING].map(name => readLocal(store.database, name));
      // Another folder may be as far: it is not the one that went on.
      if (place !== JSON.stringify(ended.place) || by !== ended.by) throw isOther(store.database.folder);
      leave(store);
    } finally {
      await store.close();
    }
    return;
  }
  const { store, shared, close } = await openShared(options);
  try {
    const by = randomUUID();
    store.database.transaction(() => writeLocal(store.database, JOURNAL_ENDING, by));
    await shared.end(by);
    leave(store);
  } finally {
    await close();
  }
}

function leave({ database }: Store): void {
  database.transaction(() => leaveJournal(database));
}

function isOther(folder: string): AppError {
  const message = `The journal was moved out to another data folder than ${folder}, or this one lacks the end of it. Go on with the one to which it was moved out.`;
  return new AppError('conflict', message);
}
