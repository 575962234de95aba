import type { Checkpoint } from '../../../shared/operations/checkpoint-operations.ts';
import type { Store } from '../../store/store.ts';
import type { OtherKey } from '../../trust/authority-standing.ts';
import { certifiersOf, isCertified, isKnown, keepCertified } from '../../trust/certified-keys.ts';

/**
 * How the key stands by which central signs: the first one that this station kept counts, and each that two administrators have
 * certified in the place of one that counts. Undefined while it is one of them.
 * @param kept what central signed here, the newest first
 */
export function otherCentralKey(
  store: Pick<Store, 'records' | 'database'>,
  kept: readonly Checkpoint[],
): OtherKey | undefined {
  const [newest] = kept;
  const oldest = kept.at(-1);
  if (!newest || !oldest) return undefined;
  let trusted = oldest.key;
  for (const { key, installation } of kept.toReversed()) {
    const change = { installation, former: trusted, key, until: lastOf(kept, trusted) };
    if (key !== trusted && isCertified(store, change)) trusted = key;
  }
  if (newest.key === trusted) return undefined;
  const { installation, key } = newest;
  const change = { installation, former: trusted, key, until: lastOf(kept, trusted) };
  const since = kept.findLast(one => one.key === key)?.at ?? newest.at;
  return { ...change, since, certifiers: certifiersOf(store, change) };
}

/** Makes it durable that a key of central's is certified: administrators leave, and get other keys. */
export async function noteCertified(store: Store, kept: readonly Checkpoint[]): Promise<void> {
  const keys = [...new Set(kept.toReversed().map(({ key }) => key))];
  const [installation] = kept.map(one => one.installation);
  if (keys.length < 2 || installation === undefined) return;
  const changes = keys.flatMap(former =>
    keys
      .filter(key => key !== former)
      .map(key => ({ installation, former, key, until: lastOf(kept, former) })),
  );
  const fresh = changes.filter(one => !isKnown(store.database.reader, one) && isCertified(store, one));
  if (fresh.length === 0) return;
  await store.gate.applyRemote(() => {
    for (const one of fresh) keepCertified(store.database, one);
    return { result: undefined };
  });
}

/** The farthest entry of the log that the key has signed here. */
function lastOf(kept: readonly Checkpoint[], key: string): number {
  return Math.max(0, ...kept.map(one => (one.key === key ? (one.log?.sequence ?? 0) : 0)));
}
