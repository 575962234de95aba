import { Digest } from '../../../../server/sync/log/digest.ts';
import { temporaryStore } from '../../../server/store/temporary-store.ts';

/** Changes a supplier of the stopped station without a commit, as a failing disk could: it differs from central's. */
export async function spoil(folder: string, id: number): Promise<void> {
  const store = await temporaryStore({ folder });
  await store.gate.applyRemote(() => {
    const before = store.pending.get('supplier', id);
    if (!before) throw new Error();
    const after = { ...before, user: 'nobody' };
    new Digest(store.database).follow([{ before, after }]);
    return { puts: [after], result: undefined };
  });
  await store.close();
}
