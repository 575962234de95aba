import { temporaryStore } from '../../../server/store/temporary-store.ts';
import { addOdd } from './odd-commit.ts';

/**
 * Puts changes into the stopped station's chain that central cannot take.
 * @param path no path of a supplier, such as `Odd`
 * @returns the ids of the commits
 */
export async function writeOdd(
  folder: string,
  suppliers: readonly number[],
  path: string,
): Promise<string[]> {
  const store = await temporaryStore({ folder });
  const ids = await addOdd(store, suppliers, path);
  await store.close();
  return ids;
}
