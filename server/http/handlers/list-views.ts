import { dropListView, keepListView, listViewsOf } from '../../store/list-views.ts';
import { familyIn } from '../readable.ts';
import { success } from '../reply.ts';
import { ownerOf } from './drafts.ts';
import type { Handlers } from './handler.ts';
import { bodyOf } from './parse-body.ts';

/** Lists as people want to see them again: see `shared/operations/list-view-operations.ts`. */
export const listViewHandlers = {
  'x.list-views.list': ({ store }, context) =>
    success(listViewsOf(store.database, ownerOf(context), familyIn(context).name)),

  'x.list-views.update': async ({ store, clock }, context) => {
    const [owner, list] = [ownerOf(context), familyIn(context).name];
    const { name, address, columns = null } = bodyOf(context);
    if (address === null) {
      await store.gate.together(async () => dropListView(store.database, owner, list, name));
      return success(null);
    }
    const view = { name, address, columns, at: clock().toISOString() };
    await store.gate.together(async () => keepListView(store.database, owner, list, view));
    return success(view);
  },
} satisfies Partial<Handlers>;
