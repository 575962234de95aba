import { describe, expect, it } from 'vitest';
import { newCommitId } from '../../../../server/store/commit-id.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { RELEASED, WITHDRAWN } from '../../../../server/sync/protocol/decide-in-log.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { VALUE_DEPTH } from '../../../../shared/contract/limits.ts';
import { create } from '../../store/temporary-store.ts';
import { areSame } from './fleet.ts';
import { heldOf, type Story, story } from './push-story.ts';

const PLACE = { chain: 's.1', number: 1, commit_id: 'c', user: 'olga', previous_hash: '', hash: '' };
const AT = '2026-06-15T12:00:00.000Z';

interface Poison {
  subject?: string;
  /** Of a record that is made; of one that there is where `over` says so. */
  fields?: Record<string, unknown>;
  at?: string;
  clock_offset?: number;
  reason?: string;
  /** Members that no version is known to have. */
  further?: unknown;
  ofEntry?: object;
  ofChange?: object;
  /** Each value stands twice in the entry. */
  twice?: true;
}

/** Sends a commit as no version writes it. */
async function send(
  { a }: Story,
  { subject = 'supplier:1048700', fields, twice, ofEntry, ofChange, ...rest }: Poison,
): Promise<void> {
  const station = new StationStore(a.store, syncRules, a.store.database);
  const values = Object.entries(fields ?? { name: 'Odd' });
  const changes = [...values, ...(twice ? values : [])].map(([path, value]) => ({
    path,
    old: null,
    new: value,
    over: [],
    ...ofChange,
  }));
  const commit = {
    commit_id: newCommitId(),
    at: AT,
    clock_offset: null,
    user: 'olga',
    reason: null,
    ...rest,
  };
  await station.writeOwn(() => [{ ...commit, entries: [{ ...ofEntry, subject, changes }] }]);
}

/** `depth` objects within each other. */
function nested(depth: number): unknown {
  return depth === 0 ? 'here' : { in: nested(depth - 1) };
}

const TOOK = { inventory_id: 1, location_id: null, quantity: 1 };

const poisons: [what: string, Poison][] = [
  ['a moment that is none', { at: 'garbage' }],
  ['a moment with an offset', { at: '2026-06-15T12:00:00+02:00' }],
  ['a clock that is a thousand years off', { clock_offset: 1e15 }],
  ['a reason without end', { reason: 'x'.repeat(10_001) }],
  ['an id beyond what numbers hold', { subject: 'supplier:9007199254740993' }],
  ['a subject that is no record', { subject: 'supplier' }],
  ['an id beyond what is worked out of it', { subject: `supplier:${2 ** 44}` }],
  ['the path of a family in the place of its name', { subject: 'suppliers:1048700' }],
  ['a number in the place of a text', { fields: { name: 5 } }],
  ['a text that is too long', { fields: { name: 'x'.repeat(10_001) } }],
  ['a text in the place of a number', { subject: 'part:1048700', fields: { name: 'P', density: 'much' } }],
  ['more decimals than are kept', { subject: 'part:1048700', fields: { name: 'P', density: 0.123_456_78 } }],
  ['a quantity without end', { subject: 'part:1048700', fields: { name: 'P', density: 1e300 } }],
  ['a one in the place of yes', { subject: 'part:1048700', fields: { name: 'P', is_activity: 1 } }],
  [
    'a day that does not exist',
    { subject: 'car:1048700', fields: { car_number: 'C', date_opened: '2026-02-30' } },
  ],
  [
    'a moment in the place of a day',
    { subject: 'car:1048700', fields: { car_number: 'C', date_opened: '2026-06-15T22:30:00Z' } },
  ],
  [
    'a midnight in the place of a day',
    { subject: 'car:1048700', fields: { car_number: 'C', date_opened: '2026-06-15T00:00:00+02:00' } },
  ],
  ['none of the choices', { subject: 'ncr:1048700', fields: { ncr_number: 'N', source: 'nowhere' } }],
  ['a reference to nothing', { subject: 'car:1048700', fields: { car_number: 'C', ncr_id: -1 } }],
  [
    'a value that is nested too deeply',
    { subject: 'car:1048700', fields: { car_number: 'C', description: nested(VALUE_DEPTH + 1) } },
  ],
  ['the same of a name that nobody knows', { fields: { name: 'S', later: nested(VALUE_DEPTH + 1) } }],
  ['a text of such a name that is too long', { fields: { name: 'S', later: { in: ['x'.repeat(10_001)] } } }],
  ['a list of such a name that is too long', { fields: { name: 'S', later: Array(1_001).fill(1) } }],
  [
    'an item of such a name that is too long',
    { fields: { name: 'S', 'later.5': { in: Array(1_001).fill(1) } } },
  ],
  ['something below a plain value', { fields: { name: 'S', 'notes.5': { in: 1 } } }],
  [
    'something below a plain value of an item',
    { subject: 'order:1048700', fields: { 'items.7.order.3': {} } },
  ],
  ['a value that is worked out', { subject: 'order:1048700', fields: { 'items.7': {}, 'items.7.id': 9 } }],
  ['the time of an item', { subject: 'order:1048700', fields: { 'items.7': {}, 'items.7.updated_at': AT } }],
  ['the time of an item that nobody knows', { fields: { name: 'S', 'later.5.created_at': AT } }],
  ['a member of a commit that is nested too deeply', { further: nested(VALUE_DEPTH) }],
  ['a member of an entry that is too long', { ofEntry: { further: 'x'.repeat(10_001) } }],
  ['a member of a change that is too long', { ofChange: { further: 'x'.repeat(10_001) } }],
  ['an item that is a text', { subject: 'order:1048700', fields: { 'items.7': 'none' } }],
  [
    'an item with a quantity that is none',
    { subject: 'order:1048700', fields: { 'items.7': { quantity: [] } } },
  ],
  ['a value that is changed twice', { twice: true }],
  ['goods in no list', { subject: 'shipment:1048700', fields: { 'items.7.taken': 'all' } }],
  [
    'fewer goods than none',
    { subject: 'shipment:1048700', fields: { 'items.7': { taken: [{ ...TOOK, quantity: -1 }] } } },
  ],
  [
    'goods that are taken for no line',
    { subject: 'shipment:1048700', fields: { 'items.7.taken': [{ ...TOOK, line: null }] } },
  ],
  [
    'an item with a member that every object has',
    { subject: 'order:1048700', fields: { 'items.7': { toString: { 5: { x: 1 } } } } },
  ],
  ['an item by another spelling of its id', { subject: 'order:1048700', fields: { 'items.07': {} } }],
  ['an item beyond all ids', { subject: 'order:1048700', fields: { [`items.${2 ** 44}`]: {} } }],
];

describe('what is said of a held commit', () => {
  it.each<[string, { changes?: object[]; further?: string }, RegExp]>([
    ['nothing', { changes: [] }, /says nothing/],
    [
      'eleven things',
      { changes: Array.from({ length: 11 }, (_, n) => ({ path: `later${n}` })) },
      /more than 10/,
    ],
    ['what is over eleven', { changes: [{ over: Array.from({ length: 11 }, String) }] }, /over more than 10/],
    ['a long value', { changes: [{ new: 'x'.repeat(10_001) }] }, /longer than any value/],
    ['a long former value', { changes: [{ old: 'x'.repeat(10_001) }] }, /longer than any value/],
    ['a deep value', { changes: [{ new: nested(VALUE_DEPTH + 1) }] }, /nested too deeply/],
    ['a long member of a change', { changes: [{ further: 'x'.repeat(10_001) }] }, /longer than any value/],
    ['a long member', { further: 'x'.repeat(10_001) }, /longer than any value/],
  ])('%s: is held for its form, and decides nothing', async (_, { changes = [{}], ...further }, why) => {
    const made = await story();
    const { a } = made;
    await send(made, { subject: 'supplier:1048700', fields: { name: 5 } });
    await made.settle();
    const id = heldOf(made)[0]?.commit.commit_id ?? '';
    const given = { path: WITHDRAWN, old: null, new: true, over: [id] };
    const entry = { subject: `hold:${id}`, changes: changes.map(one => ({ ...given, ...one })), ...further };
    const commit = { commit_id: newCommitId(), at: AT, clock_offset: null, user: 'olga', reason: null };
    await new StationStore(a.store, syncRules, a.store.database).writeOwn(() => [
      { ...commit, entries: [entry] },
    ]);
    await made.settle();
    const [, odd, ...others] = heldOf(made);
    expect(others).toEqual([]);
    expect(heldOf(made)[0]?.commit.commit_id).toBe(id);
    // What no station may say is held for that before anything else.
    const isForbidden = changes.length === 0 || changes.length > 1;
    expect(odd?.reason).toMatch(isForbidden ? /^not_allowed$/ : why);
    const decision = { decision: RELEASED, user: 'quinn', reason: 'Looked at.', at: AT } as const;
    const commit_id = odd?.commit.commit_id ?? '';
    await expect(made.central.exchange.decideHeld({ commit: commit_id, ...decision })).rejects.toThrow(why);
  });

  it('may have what a later version adds', () => {
    const changes = [{ path: WITHDRAWN, old: null, new: true, over: ['c'], later: { why: 'x' } }];
    const entries = [{ subject: 'hold:c', changes, later: [1, 2] }];
    const fault = syncRules.formFault({ at: AT, clock_offset: null, reason: null, entries, ...PLACE });
    expect(fault).toBeUndefined();
  });
});

describe('what no version writes', () => {
  // At one central, one after the other: to set it up costs more than all that is tried at it.
  it('is held alone, let in by nobody, and can be withdrawn', async () => {
    const made = await story();
    const { central, a } = made;
    for (const [what, poison] of poisons) {
      await send(made, poison);
      const next = await create(a.store, 'supplier', { name: 'Behind it' }, { user: 'olga' });
      await made.settle();
      const [held, ...others] = heldOf(made);
      expect(others, what).toEqual([]);
      expect(held?.reason ?? 'let in', what).toMatch(/^schema: /);
      expect(central.store.records.getByKey(next.key)?.fields.name, what).toBe('Behind it');
      const about = { commit: held?.commit.commit_id ?? '', user: 'quinn', reason: 'Looked at.', at: AT };
      const decide = (decision: typeof RELEASED | typeof WITHDRAWN) =>
        central.exchange.decideHeld({ ...about, decision });
      await expect(decide(RELEASED), what).rejects.toThrow(/cannot be applied: schema/);
      await decide(WITHDRAWN);
      await made.settle();
      expect(heldOf(made), what).toEqual([]);
      expect(areSame(made.stores()), what).toBe(true);
    }
  });

  it('a time zone that there is none of, in the settings that only central writes: is let in by nobody either', async () => {
    const made = await story();
    await send(made, { subject: 'setting:1', fields: { time_zone: 'Mars/Olympus' } });
    const next = await create(made.a.store, 'supplier', { name: 'Behind it' }, { user: 'olga' });
    await made.settle();
    const [held, ...others] = heldOf(made);
    expect([held?.reason, others]).toEqual(['central_decides', []]);
    expect(made.central.store.records.getByKey(next.key)?.fields.name).toBe('Behind it');
    const about = { commit: held?.commit.commit_id ?? '', user: 'boss', reason: 'Looked at.', at: AT };
    const { exchange } = made.central;
    await expect(exchange.decideHeld({ ...about, decision: RELEASED })).rejects.toThrow(
      'time_zone: "Mars/Olympus" is not a time zone.',
    );
    await exchange.decideHeld({ ...about, decision: WITHDRAWN });
    await made.settle();
    expect(heldOf(made)).toEqual([]);
    expect(areSame(made.stores())).toBe(true);
  });

  it('is a path that every object has', () => {
    const changes = [{ path: 'toString.5.x', old: null, new: 1, over: [] }];
    const commit = {
      at: AT,
      clock_offset: null,
      reason: null,
      entries: [{ subject: 'supplier:7', changes }],
    };
    expect(syncRules.formFault({ ...commit, ...PLACE })).toMatch(/no path of a record/);
    expect(syncRules.schemaFault({ subject: 'supplier:7', changes })).toMatch(/no path of a record/);
  });

  // This code itself could not write them at a station.
  it.each([[null], [{ inventory_id: 'many' }], [{ ...TOOK, quantity: 1e300 }]])(
    'is of a shipment: %j',
    taken => {
      const changes = [{ path: 'items.7.taken', old: null, new: [taken], over: [] }];
      const commit = { at: AT, clock_offset: null, reason: null };
      const fault = syncRules.formFault({
        ...commit,
        entries: [{ subject: 'shipment:7', changes }],
        ...PLACE,
      });
      expect(fault).toMatch(/^items\.7\.taken: /);
    },
  );

  const everyObjects = Object.getOwnPropertyNames(Object.prototype);
  const owners = ['supplier', 'part', 'receiving-inspection', 'lab-result', 'inspection', 'later'];

  it.each(owners)(
    'is a name that every object has, in a %s: all are held, and what is behind goes on',
    async family => {
      const made = await story();
      let count = 0;
      for (const name of everyObjects)
        for (const path of [name, `${name}.5`, `${name}.5.x`, `items.7.${name}`, `items.7.${name}.3`])
          await send(made, { subject: `${family}:${1048700 + count++}`, fields: { [path]: 'x' } });
      const next = await create(made.a.store, 'supplier', { name: 'Behind it' }, { user: 'olga' });
      await made.settle();
      expect(heldOf(made).filter(({ reason }) => reason.startsWith('schema: '))).toHaveLength(count);
      expect(made.central.store.records.getByKey(next.key)?.fields.name).toBe('Behind it');
    },
  );

  it('is none of what a later version may write, nor of the deepest value that is taken', async () => {
    const made = await story();
    await send(made, { fields: { name: 'S', later: { in: [1, 'two'] } } });
    await send(made, { subject: 'gauge:1048700', fields: { name: 5, 'items.3': 'anything' } });
    const description = nested(VALUE_DEPTH);
    await create(made.a.store, 'car', { car_number: 'C-9', description }, { user: 'quinn' });
    await made.settle();
    expect(heldOf(made)).toEqual([]);
    expect(areSame(made.stores())).toBe(true);
  });
});
