import { families } from '../../../shared/families/registry.ts';
import type { Store } from '../../store/store.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import { yieldingToEventLoop } from '../../store/yield-to-event-loop.ts';
import { GivenItems, ITEMS_GIVEN, itemKinds } from '../log/given-items.ts';

/** What an earlier version of central had taken: the ids of the items in its records are given, also of kinds that it did not know. */
export async function noteItemsGiven({ database, gate, records }: Store): Promise<void> {
  if (readLocal(database.reader, ITEMS_GIVEN) === itemKinds()) return;
  await gate.applyRemote(async () => {
    const given = new GivenItems(database, database);
    const yieldToEventLoop = yieldingToEventLoop();
    for (const { name, collections } of Object.values(families)) {
      if (Object.keys(collections).length === 0) continue;
      for (const { key, fields } of records.all(name)) {
        await yieldToEventLoop();
        const paths = Object.entries(fields).map(([path, value]) => ({ path, value }));
        given.follow([{ subject: key, isNew: true, paths }]);
      }
    }
    writeLocal(database, ITEMS_GIVEN, itemKinds());
    return { result: undefined };
  });
}
