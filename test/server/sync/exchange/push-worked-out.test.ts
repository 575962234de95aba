import { describe, expect, it } from 'vitest';
import { eachItem, type Fields, mapOf } from '../../../../server/store/changes.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { type FamilyName, families } from '../../../../shared/families/registry.ts';
import { create, itemIds, update, type WriteOptions } from '../../store/temporary-store.ts';
import { areSame } from './fleet.ts';
import { type Attempt, heldOf, raw, SAID, type Story, story } from './push-story.ts';

/** A record as an altered station would write it: without the rules. */
function put(
  { a }: Story,
  name: FamilyName,
  id: number | null,
  change: (fields: Fields) => Fields,
  { user = '', reason = null }: { user?: string; reason?: string | null },
) {
  return a.store.gate.commit({
    actor: { rights: BY_SERVER, user },
    reason,
    work: work =>
      id === null
        ? work.insert(families[name], change({}))
        : work.set(families[name], id, change(work.require(name, id).fields)),
    answer: () => undefined,
  });
}

/** The path of the one result of the open inspection. */
function resultOf({ a, open }: Story): string {
  const [[sample, entry] = ['0', {}]] = Object.entries(
    mapOf(a.store.records.get('inspection', open)?.fields.samples),
  );
  const [result = '0'] = Object.keys(mapOf(mapOf(entry).results));
  return `samples.${sample}.results.${result}`;
}

/** Measures the open inspection as the rules do. */
async function measured(site: Story, value: number, by: WriteOptions) {
  const [, sample, , result] = resultOf(site).split('.');
  const samples = [{ id: Number(sample), results: [{ id: Number(result), value }] }];
  await update(site.a.store, 'inspection', site.open, { samples }, by);
}

/** Closes a shipment of two of a lot that can ship, past the rules: as they would, but for what `lie` makes of what it took. */
function closing(lie: (taken: Fields) => unknown): Attempt[2] {
  return async (site, by) => {
    const { a, central, part } = site;
    const made = { part_id: part, batch_number: 'F', opening_quantity: 9, lot_unit: 'units' };
    const free = await create(central.store, 'inventory', made);
    const items = [{ part_id: part, quantity: 2, serial_number: 'F' }];
    const shipment = await create(central.store, 'shipment', { items }, { user: 'olga' });
    await site.settle();
    const item = `items.${itemIds(shipment, 'items')[0]}`;
    const line = { part_id: part, serial_number: 'F', quantity: 2 };
    await raw(shipment.key, {
      actual_ship_date: '2026-06-15',
      [`${item}.taken`]: lie({ inventory_id: free.id, location_id: null, quantity: 2, line }),
      [`${item}.is_inventory_calculated`]: true,
      [`${item}.shipped_date`]: '2026-06-15T00:00:00.000Z',
    })(site, by);
    const closed = mapOf(a.store.records.getByKey(shipment.key)?.fields);
    expect(closed.actual_ship_date).toBe('2026-06-15');
  };
}

const attempts: Attempt[] = [
  ...(
    [
      ['a line that asked for more', { quantity: 3 }],
      ['a line of another lot', { serial_number: 'X' }],
      ['a line of any lot', { serial_number: null }],
      ['a line of another part', { part_id: 999 }],
    ] as const
  ).map(
    ([what, said]): Attempt => [
      `calls what a closing took that of ${what}`,
      'olga',
      closing(({ line, ...taken }) => [{ ...taken, line: { ...mapOf(line), ...said } }]),
    ],
  ),
  [
    'says of the goods that they are less than the line that they are for',
    'olga',
    closing(taken => [{ ...taken, quantity: 1 }]),
  ],
  [
    'says of some goods only which line they are for',
    'olga',
    closing(({ line, ...taken }) => [{ ...taken, quantity: 0, line }, taken]),
  ],
  [
    'says of some goods that they are for another line',
    'olga',
    closing(({ line, ...taken }) => [
      { ...taken, line },
      { ...taken, quantity: 0, line: { ...mapOf(line), part_id: 999, quantity: 0 } },
    ]),
  ],
  [
    'passes what was not measured',
    'ian',
    (s, by) =>
      put(
        s,
        'inspection',
        s.open,
        fields => ({ ...fields, passed: true, is_against_measurements: true }),
        by,
      ),
  ],
  [
    'passes what was not measured, and does not say so',
    'ian',
    (s, by) => put(s, 'inspection', s.open, fields => ({ ...fields, passed: true }), by),
  ],
  [
    'passes with no sample at all',
    'ian',
    (s, by) => {
      const { samples: _, ...rest } = s.a.store.records.get('inspection', s.open)?.fields ?? {};
      return raw('inspection:1000001', { ...rest, passed: true })(s, by);
    },
  ],
  ...(['calls a failing value passed', 'does not say that a failing value failed'] as const).map(
    (what): Attempt => [
      what,
      'ian',
      (s, by) =>
        raw(`inspection:${s.open}`, {
          [`${resultOf(s)}.value`]: 99,
          ...(what.startsWith('calls') && { [`${resultOf(s)}.passed`]: true }),
        })(s, by),
    ],
  ),
  [
    'calls a failing value passed afterwards',
    'ian',
    async (s, by) => {
      await measured(s, 99, by);
      await raw(`inspection:${s.open}`, { [`${resultOf(s)}.passed`]: true })(s, by);
    },
  ],
  [
    'measures by limits that nobody approved',
    'ian',
    (s, by) =>
      put(
        s,
        'inspection',
        s.open,
        ({ template, ...fields }) => {
          const { characteristics, ...rest } = Object(template);
          const wide = eachItem(characteristics, each => ({ ...each, tolerance: '±99' }));
          return { ...fields, template: { ...rest, characteristics: wide } };
        },
        by,
      ),
  ],
  [
    'moves a line to a lot that it does not name',
    'olga',
    (s, by) => raw(`receiving-inspection:${s.receipt}`, { [`items.${s.line}.inventory_id`]: s.lot })(s, by),
  ],
  [
    'takes a line out of all lots',
    'olga',
    (s, by) => raw(`receiving-inspection:${s.receipt}`, { [`items.${s.line}.inventory_id`]: null })(s, by),
  ],
  [
    'receives into a lot of another part',
    'olga',
    async (s, by) => {
      const other = await create(s.a.store, 'part', { name: 'Other' }, by);
      const line = { order: 1, part_id: other.id, quantity_accepted: 1, inventory_id: s.lot };
      await raw('receiving-inspection:1048900', { 'items.1048900': line })(s, by);
    },
  ],
  [
    'renames a line of a lot that a person locked',
    'olga',
    async (s, by) => {
      const { items } = s.central.store.records.get('receiving-inspection', s.receipt)?.fields ?? {};
      const lot = Number(mapOf(mapOf(items)[s.line]).inventory_id);
      await put(s, 'inventory', lot, fields => ({ ...fields, is_locked_by_person: true }), {
        user: 'quinn',
        reason: 'Odd.',
      });
      await s.settle();
      await raw(`receiving-inspection:${s.receipt}`, {
        [`items.${s.line}.serial_number`]: 'O',
        [`items.${s.line}.inventory_id`]: s.lot,
      })(s, by);
    },
  ],
  [
    'forgets that a lab value failed',
    'ian',
    (s, by) => raw(`lab-result:${s.lab}`, { failed_measurements: null })(s, by),
  ],
  [
    'corrects a failing lab value by a word of its own',
    'ian',
    (s, by) =>
      put(
        s,
        'lab-result',
        s.lab,
        ({ failed_measurements: _, ...fields }) => ({ ...fields, lab_data: '{"Height": "40"}' }),
        by,
      ),
  ],
];

describe('what an altered station says that the rules would have said otherwise', () => {
  it.each(attempts)(
    '%s (%s): held alone, and without the judgement it would come through',
    async (_, user, write) => {
      const made = await story();
      await write(made, { user, ...SAID });
      const next = await create(made.a.store, 'supplier', { name: 'Behind it' }, { user: 'olga' });
      await made.settle();
      expect(heldOf(made).map(({ reason }) => reason)).toEqual([expect.stringMatching(/^not_permitted: /)]);
      expect(made.central.store.records.getByKey(next.key)?.fields.name).toBe('Behind it');
      const weak = await story(() => undefined);
      await write(weak, { user, ...SAID });
      await weak.settle();
      expect(heldOf(weak)).toEqual([]);
    },
  );
});

describe('what the rules worked out', () => {
  it.each<Attempt>([
    ['an operator ships', 'olga', closing(taken => [taken])],
    ['version 0.1.0 ships', 'olga', closing(({ line: _, ...taken }) => [taken])],
    [
      'an operator ships what he had changed before, and again',
      'olga',
      async (s, by) => {
        const items = [{ part_id: s.part, quantity: 2, serial_number: 'F' }];
        const made = { part_id: s.part, batch_number: 'F', opening_quantity: 9, lot_unit: 'units' };
        await create(s.central.store, 'inventory', made);
        await s.settle();
        const shipment = await create(s.a.store, 'shipment', { items }, by);
        const [line = 0] = itemIds(shipment, 'items');
        const change = (to: object) => update(s.a.store, 'shipment', shipment.id, to, by);
        await change({ items: [{ id: line, quantity: 3 }] });
        await change({ actual_ship_date: '2026-06-15', items: [{ id: line, quantity: 4 }] });
        await change({ actual_ship_date: null });
        await change({
          items: [{ id: line, serial_number: null, quantity: 1 }],
          actual_ship_date: '2026-06-15',
        });
      },
    ],
    [
      'an inspector measures and passes',
      'ian',
      async (s, by) => {
        await measured(s, 40, by);
        await measured(s, 40.5, by);
        await update(s.a.store, 'inspection', s.open, { passed: true }, by);
      },
    ],
    [
      'an inspector fails what fails',
      'ian',
      async (s, by) => {
        await measured(s, 99, by);
        await update(s.a.store, 'inspection', s.open, { passed: false }, by);
      },
    ],
    [
      'quality passes against the measurements, with a reason',
      'quinn',
      (s, by) => update(s.a.store, 'inspection', s.open, { passed: true }, by),
    ],
    [
      'quality corrects a failing lab value, with a reason',
      'quinn',
      (s, by) => update(s.a.store, 'lab-result', s.lab, { lab_data: '{"Height": "40"}' }, by),
    ],
    [
      'an inspector measures by a template as it stood when he went offline',
      'ian',
      async (s, by) => {
        const stood = s.central.store.records.get('specification', s.approved)?.fields.characteristics;
        const [limits = '0'] = Object.keys(mapOf(stood));
        await update(s.central.store, 'specification', s.approved, {
          characteristics: [{ id: Number(limits), name: 'Width', dimensions: '40 mm', tolerance: '±2' }],
        });
        await create(s.a.store, 'inspection', { entity_id: s.part, drawing_id: s.approved }, by);
        await create(
          s.a.store,
          'lab-result',
          { inventory_id: s.lot, specification_id: s.approved, lab_data: '{"Width": "41.5"}' },
          by,
        );
      },
    ],
  ])('%s (%s): taken', async (_, user, write) => {
    const made = await story();
    await write(made, { user, ...SAID });
    await made.settle();
    expect(heldOf(made).map(({ reason }) => reason)).toEqual([]);
    expect(areSame(made.stores())).toBe(true);
  });
});
