import { onTestFinished } from 'vitest';
import { verifyDependencies as proof } from '../../../server/backup/verify-dependencies.ts';
import { lotFactsOf } from '../../../server/rules/lot-facts.ts';
import { permitting } from '../../../server/rules/permitting.ts';
import { rules } from '../../../server/rules/registry.ts';
import { sealing } from '../../../server/rules/signing.ts';
import { openStore, type Store, type StoreOptions } from '../../../server/store/store.ts';
import type { Family } from '../../../shared/contract/define-family.ts';
import { parseInput } from '../../../shared/contract/parse-input.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { type FamilyName, family as familyNamed } from '../../../shared/families/registry.ts';
import { temporaryFolder } from './sqlite/temporary-folder.ts';

/** The moment at which the clock of a temporary store starts. */
export const START = '2026-06-15T12:00:00.000Z';

/**
 * A real store with the real rules, closed with the test, in a folder of its own unless one is given. Its clock starts
 * at `START` and goes on by a second whenever it is read. One at a time: RxDB closes an earlier database of the name.
 */
export async function temporaryStore(options: Partial<StoreOptions> = {}): Promise<Store> {
  const folder = options.folder ?? temporaryFolder();
  let now = Date.parse(START);
  const store = await openStore({
    folder,
    rules,
    permit: permitting,
    seal: sealing,
    lotFactsOf,
    clock: () => {
      now += 1_000;
      return new Date(now);
    },
    onFail: () => {},
    proof: async () => proof,
    ...options,
  });
  let isOpen = true;
  const close = store.close.bind(store);
  store.close = async () => {
    if (isOpen) await close();
    isOpen = false;
  };
  onTestFinished(() => store.close());
  return store;
}

export interface WriteOptions {
  reason?: string;
  user?: string;
  /** The id that the client wants. */
  id?: number;
}

/** Creates a record as a client's request does. */
export function create(
  store: Store,
  name: FamilyName,
  body: object,
  options: WriteOptions = {},
): Promise<StoredRecord> {
  const family: Family = familyNamed(name);
  return store.gate.commit({
    actor: { rights: BY_SERVER, user: options.user ?? 'tester' },
    reason: options.reason ?? null,
    work: work => work.create(family, parseInput(family, body, { mode: 'create' }), options.id ?? null),
    answer: record => record,
  });
}

/** Creates records in one commit. */
export function createAll(store: Store, name: FamilyName, bodies: readonly object[]): Promise<void> {
  const family: Family = familyNamed(name);
  return store.gate.commit({
    actor: { rights: BY_SERVER, user: 'tester' },
    reason: null,
    work: work => {
      for (const body of bodies) work.create(family, parseInput(family, body, { mode: 'create' }), null);
    },
    answer: () => undefined,
  });
}

/** Updates a record as a client's request does. */
export function update(
  store: Store,
  name: FamilyName,
  id: number,
  body: object,
  options: WriteOptions = {},
): Promise<StoredRecord> {
  const family: Family = familyNamed(name);
  return store.gate.commit({
    actor: { rights: BY_SERVER, user: options.user ?? 'tester' },
    reason: options.reason ?? null,
    work: work => work.update(family, id, parseInput(family, body, { mode: 'patch' })),
    answer: record => record,
  });
}

/** The ids of a record's items, oldest first. */
export function itemIds(record: StoredRecord, collection: string): number[] {
  const items = record.fields[collection];
  return items !== null && typeof items === 'object' ? Object.keys(items).map(Number) : [];
}
