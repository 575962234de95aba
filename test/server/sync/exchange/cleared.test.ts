import { expect, it } from 'vitest';
import { inputOf } from '../../../../server/rules/input-of.ts';
import type { Store } from '../../../../server/store/store.ts';
import { readConflicts } from '../../../../server/sync/log/conflicts.ts';
import { isConflict } from '../../../../server/sync/protocol/siblings.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { create, itemIds, update } from '../../store/temporary-store.ts';
import { areSame, employ, faultsOf, fleet, shown } from './fleet.ts';

/** A number below `limit`, the same for the same seed. */
function random(seed: number): (limit: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return limit => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return state % limit;
  };
}

/** What the records themselves say is in conflict, against what is listed. */
function inConflict(store: Store): string[] {
  return Object.values(shown(store))
    .flatMap(({ key, writers }) =>
      Object.entries(writers).flatMap(([path, written]) =>
        Array.isArray(written) && isConflict(written) ? `${key} ${path}` : [],
      ),
    )
    .sort();
}

function listed(store: Store): string[] {
  const { conflicts } = readConflicts(store.database.reader, { isOpen: true, limit: 1_000, offset: 0 });
  return conflicts.map(({ subject, path }) => `${subject} ${path}`).sort();
}

/** A person's word, over every value in conflict. */
function decide(store: Store, name: 'supplier' | 'ncr', id: number, path: string, value: string | null) {
  return store.gate.commit({
    actor: { rights: BY_SERVER, user: 'tester' },
    reason: 'Looked.',
    work: work => work.resolve(families[name], id, path, inputOf({ [path]: value })),
    answer: () => undefined,
  });
}

const VALUES = [null, '', 'one', 'two'];
const FIELDS = {
  supplier: ['primary_name', 'primary_phone', 'notes'],
  ncr: ['description', 'immediate_action', 'lot_number'],
};

it.each(Array.from({ length: Number(process.env.HOLDPOINT_SYNC_SEEDS ?? 4) }, (_, seed) => seed + 1))(
  'a field that is cleared, set or never given is the same everywhere, and listed as a conflict only while it is one, seed %i',
  async seed => {
    const next = random(seed);
    const { stations, stores, settle, central } = await fleet(2);
    await employ(central.store, 'tester');
    const ids = {
      supplier: (await create(central.store, 'supplier', { name: 'Ours' })).id,
      ncr: (await create(central.store, 'ncr', { ncr_number: 'N', source: 'internal', description: '' })).id,
    };
    const specification = await create(central.store, 'specification', {
      name: 'Jar',
      characteristics: [{ name: 'Height', dimensions: '40 mm' }],
    });
    const [line] = itemIds(specification, 'characteristics');
    await settle();
    for (let turn = 0; turn < 60; turn += 1) {
      const store = stores()[next(3)] ?? central.store;
      const value = VALUES[next(VALUES.length)];
      const name = next(2) === 0 ? 'supplier' : 'ncr';
      const field = FIELDS[name][next(3)] ?? '';
      await update(store, name, ids[name], { [field]: value }, { reason: 'Because.' });
      const characteristic = {
        [['unit', 'dimensions', 'tolerance'][next(3)] ?? '']: VALUES[next(2)] ?? null,
      };
      const item =
        next(3) === 0 ? { name: `Of ${turn}`, ...characteristic } : { id: line, ...characteristic };
      await update(
        store,
        'specification',
        specification.id,
        { characteristics: [item] },
        { reason: 'Because.' },
      );
      const [path] = inConflict(store).filter(one => next(3) === 0 && one.startsWith(`${name}:`));
      if (path !== undefined)
        await decide(store, name, ids[name], path.split(' ')[1] ?? '', VALUES[next(4)] ?? null);
      if (next(4) === 0) await stations[next(2)]?.settle();
    }
    await settle();
    expect(central.exchange.reader().allHeld()).toEqual([]);
    expect(areSame(stores())).toBe(true);
    // Some were decided, or the property has tested less than it says.
    const decided = readConflicts(central.store.database.reader, { isOpen: false, limit: 1, offset: 0 });
    expect(decided.total).toBeGreaterThan(0);
    for (const store of stores()) {
      expect(listed(store)).toEqual(inConflict(store));
      expect(await faultsOf(store)).toEqual([]);
    }
    for (const { engine } of stations) expect(engine.digests()).toEqual(central.exchange.digests());
  },
);
