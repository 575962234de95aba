import { expect, it } from 'vitest';
import { inputOf } from '../../../../server/rules/input-of.ts';
import { locksOf } from '../../../../server/rules/lot-state.ts';
import { mapOf } from '../../../../server/store/changes.ts';
import { newCommitId } from '../../../../server/store/commit-id.ts';
import type { Store } from '../../../../server/store/store.ts';
import { readConflicts } from '../../../../server/sync/log/conflicts.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { addPart, contextOf, receive } from '../../rules/site.ts';
import { create, itemIds, START, update } from '../../store/temporary-store.ts';
import { areSame, employ, faultsOf, fleet } from './fleet.ts';

const FAILED = ['inspection_failed'];

/** A lot under inspection at two stations: one passes it, the other measures. */
async function inspected() {
  const made = await fleet(2);
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  const { store } = made.central;
  await create(store, 'company', { name: 'Ours' });
  await employ(store, 'tester', 'ann');
  const { id: drawing_id } = await create(store, 'specification', {
    is_approved: true,
    characteristics: [{ name: 'Height', dimensions: '10', tolerance: '±1' }],
  });
  const part = await addPart(store);
  const { lot } = await receive(store, { part_id: part });
  const inspection = await create(store, 'inspection', { inventory_id: lot, drawing_id, sample_size: 1 });
  const [sample = 0] = itemIds(inspection, 'samples');
  const [height = 0] = Object.keys(mapOf(mapOf(inspection.fields.template).characteristics)).map(Number);
  const measure = (at: Store, value: number) =>
    update(
      at,
      'inspection',
      inspection.id,
      { samples: [{ id: sample, results: [{ id: height, value }] }] },
      { reason: 'Read.' },
    );
  await measure(store, 10);
  await made.settle();
  const locks = () =>
    made.stores().map(at => {
      const record = at.records.get('inventory', lot);
      return record ? locksOf(contextOf(at), record).map(({ lock }) => lock) : ['no lot'];
    });
  const pass = (at: Store) => update(at, 'inspection', inspection.id, { passed: true }, { user: 'ann' });
  return { ...made, a, b, part, id: inspection.id, measure, pass, locks };
}

it('a verdict frees no lot once another station has measured what speaks against it', async () => {
  const { a, b, id, central, measure, pass, locks, settle, stores } = await inspected();
  await pass(a.store);
  await measure(b.store, 50);
  await a.settle();
  expect(locks()[0]).toEqual([]);
  await b.settle();
  await settle();
  expect(areSame(stores())).toBe(true);
  expect(locks()).toEqual([FAILED, FAILED, FAILED]);
  for (const store of stores()) expect(await faultsOf(store)).toEqual([]);
  // Quality says it with a reason, as of any verdict against the measurements.
  await update(
    central.store,
    'inspection',
    id,
    { notes: 'Seen' },
    { user: 'ann', reason: 'The gauge was off.' },
  );
  await settle();
  expect(central.store.records.get('inspection', id)?.fields.is_against_measurements).toBe(true);
  expect(locks()).toEqual([[], [], []]);
});

it('and frees it where the measurements bear it out', async () => {
  const { a, b, measure, pass, locks, settle } = await inspected();
  await pass(a.store);
  await measure(b.store, 10.5);
  await settle();
  expect(locks()).toEqual([[], [], []]);
});

it('what one station passed and the other failed frees nothing until somebody decides between them', async () => {
  const OPEN = { isOpen: true, offset: 0, limit: 9 };

  const { a, b, id, part, central, locks, pass, settle, stores } = await inspected();
  await pass(a.store);
  await update(b.store, 'inspection', id, { passed: false }, { user: 'ann' });
  await a.settle();
  expect(locks()[0]).toEqual([]);
  await b.settle();
  await settle();
  expect(areSame(stores())).toBe(true);
  expect(central.store.records.get('inspection', id)?.fields.passed).toBe(true);
  expect(locks()).toEqual([['conflict'], ['conflict'], ['conflict']]);
  for (const store of stores()) expect(await faultsOf(store)).toEqual([]);
  // Nor is stock of the lot's number opened anew beside it, by a station of altered code.
  const station = new StationStore(a.store, syncRules, a.store.database);
  const anew = { part_id: part, batch_number: 'L', expiry_date: '2031-01-01', opening_quantity: 5 };
  const changes = Object.entries(anew).map(([path, value]) => ({ path, old: null, new: value, over: [] }));
  const about = { commit_id: newCommitId(), at: START, clock_offset: null, user: 'ann', reason: 'Found.' };
  await station.writeOwn(() => [{ ...about, entries: [{ subject: 'inventory:1048700', changes }] }]);
  await settle();
  const held = central.exchange.reader().heldCommits.all();
  expect(held.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^not_permitted: batch_number L/)]);
  const { conflicts } = readConflicts(central.store.database.reader, OPEN);
  for (const { path } of conflicts.toSorted((one, other) => other.path.localeCompare(one.path)))
    await central.store.gate.commit({
      actor: { rights: BY_SERVER, user: 'ann' },
      reason: 'Seen.',
      work: work =>
        work.resolve(
          families.inspection,
          id,
          path,
          inputOf({ [path]: work.require('inspection', id).fields[path] }),
        ),
      answer: () => undefined,
    });
  await settle();
  expect(locks()).toEqual([[], [], []]);
});
