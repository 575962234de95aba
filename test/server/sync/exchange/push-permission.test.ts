import { describe, expect, it } from 'vitest';
import { mapOf } from '../../../../server/store/changes.ts';
import { stationOf } from '../../../../server/store/history.ts';
import { RELEASED } from '../../../../server/sync/protocol/decide-in-log.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { create, update } from '../../store/temporary-store.ts';
import { areSame, faultsOf } from './fleet.ts';
import { type Attempt, heldOf, raw, SAID, story } from './push-story.ts';

/** What an altered station sends in people's names: past the write gate's own judgement. */
const attempts: Attempt[] = [
  [
    'lifts a quarantine',
    'olga',
    (s, by) => update(s.a.store, 'receiving-inspection', s.receipt, { is_quarantined: false }, by),
  ],
  [
    'extends the expiry of a line',
    'olga',
    (s, by) =>
      update(
        s.a.store,
        'receiving-inspection',
        s.receipt,
        { items: [{ id: s.line, expiry_date: '2027-07-01' }] },
        by,
      ),
  ],
  [
    'turns rejected into accepted',
    'olga',
    (s, by) =>
      update(
        s.a.store,
        'receiving-inspection',
        s.receipt,
        { items: [{ id: s.line, quantity_accepted: 10, quantity_rejected: 0 }] },
        by,
      ),
  ],
  [
    'extends the expiry of a lot',
    'olga',
    (s, by) => update(s.a.store, 'inventory', s.lot, { expiry_date: '2027-07-01' }, by),
  ],
  ['loosens sampling', 'olga', (s, by) => update(s.a.store, 'part', s.part, { sampling_aql: '10' }, by)],
  [
    'makes stock of nothing',
    'olga',
    (s, by) =>
      create(s.a.store, 'inventory', { part_id: s.part, batch_number: 'P', opening_quantity: 99 }, by),
  ],
  [
    'adjusts stock',
    'olga',
    (s, by) => create(s.a.store, 'adjustment', { inventory_id: s.lot, quantity: 5, reason: 'Found' }, by),
  ],
  [
    'judges an inspection',
    'olga',
    (s, by) => update(s.a.store, 'inspection', s.inspection, { passed: null }, by),
  ],
  [
    'turns failed into passed',
    'ian',
    (s, by) => update(s.a.store, 'inspection', s.inspection, { passed: true }, by),
  ],
  [
    'turns failed into passed without a reason',
    'quinn',
    s => update(s.a.store, 'inspection', s.inspection, { passed: true }, { user: 'quinn' }),
  ],
  [
    'reopens what failed',
    'ian',
    (s, by) => update(s.a.store, 'inspection', s.inspection, { passed: null }, by),
  ],
  [
    'takes a failed inspection away from its lot',
    'ian',
    (s, by) => update(s.a.store, 'inspection', s.inspection, { inventory_id: null }, by),
  ],
  [
    'takes a failing result away from its lot',
    'ian',
    (s, by) => update(s.a.store, 'lab-result', s.lab, { inventory_id: null }, by),
  ],
  [
    'gives a failing result other limits',
    'ian',
    (s, by) => update(s.a.store, 'lab-result', s.lab, { specification_id: null }, by),
  ],
  [
    'uses goods as they are',
    'ian',
    (s, by) => update(s.a.store, 'ncr', s.ncr, { disposition: 'use-as-is' }, by),
  ],
  ['closes a report', 'olga', (s, by) => update(s.a.store, 'ncr', s.ncr, { status: 'closed' }, by)],
  [
    'makes a report that is decided',
    'olga',
    (s, by) => create(s.a.store, 'ncr', { ncr_number: 'N-2', source: 'internal', status: 'closed' }, by),
  ],
  [
    'closes a complaint',
    'ian',
    (s, by) => update(s.a.store, 'complaint', s.complaint, { is_closed: true }, by),
  ],
  [
    'closes a corrective action',
    'ian',
    (s, by) => update(s.a.store, 'car', s.car, { date_closed: '2026-06-10' }, by),
  ],
  [
    'approves a template',
    'ian',
    (s, by) => update(s.a.store, 'specification', s.template, { is_approved: true }, by),
  ],
  [
    'makes an approved template',
    'olga',
    (s, by) => create(s.a.store, 'specification', { name: 'Mine', is_approved: true }, by),
  ],
  [
    'widens the limits of a template',
    'ian',
    (s, by) =>
      update(
        s.a.store,
        'specification',
        s.template,
        { characteristics: [{ name: 'Height', tolerance: '±99' }] },
        by,
      ),
  ],
  [
    'approves reduced sampling',
    'ian',
    (s, by) =>
      create(s.a.store, 'sampling-ruling', { part_id: s.part, ruling: 'reducedApproved', reason: 'Ok' }, by),
  ],
  ['writes at all as a viewer', 'vera', (s, by) => create(s.a.store, 'supplier', { name: 'Mine' }, by)],
  ['makes a company', 'ian', (s, by) => create(s.a.store, 'company', { name: 'Mine' }, by)],
  [
    'approves as an integration',
    'scale',
    (s, by) => update(s.a.store, 'specification', s.template, { is_approved: true }, by),
  ],
  [
    'approves as what sets up a machine',
    'setup',
    (s, by) => update(s.a.store, 'specification', s.template, { is_approved: true }, by),
  ],
  [
    'closes a report as an integration',
    'scale',
    (s, by) => update(s.a.store, 'ncr', s.ncr, { status: 'closed' }, by),
  ],
  ...(['accepted', 'recorded'] as const).map(
    (status): Attempt => [
      `calls a correction ${status}`,
      'ian',
      ({ a, correction }, { user = '' }) =>
        a.store.gate.commit({
          actor: { rights: BY_SERVER, user },
          reason: 'Fine.',
          work: work => {
            const { fields } = work.require('correction', correction);
            work.set(families.correction, correction, { ...fields, status });
          },
          answer: () => undefined,
        }),
    ],
  ),
  ...([{ is_locked_by_person: false }, { lock_reason: 'None' }] as const).map(
    (fields): Attempt => [
      `writes ${Object.keys(fields).join()} of a lot`,
      'olga',
      ({ a, lot }, { user = '' }) =>
        a.store.gate.commit({
          actor: { rights: BY_SERVER, user },
          reason: 'Fine.',
          work: work =>
            work.set(families.inventory, lot, { ...work.require('inventory', lot).fields, ...fields }),
          answer: () => undefined,
        }),
    ],
  ),
  ...(['inspection', 'lab'] as const).map(
    (name): Attempt => [
      `calls a failure settled (${name})`,
      'ian',
      (story, { user = '' }) =>
        story.a.store.gate.commit({
          actor: { rights: BY_SERVER, user },
          reason: 'Fine.',
          work: work => {
            const family = families[name === 'lab' ? 'lab-result' : 'inspection'];
            const { fields } = work.require(family.name, story[name]);
            work.set(family, story[name], { ...fields, is_settled: true });
          },
          answer: () => undefined,
        }),
    ],
  ),
  [
    'writes all lines at once',
    'olga',
    (s, by) => raw(`receiving-inspection:${s.receipt}`, { items: {} })(s, by),
  ],
  [
    'removes a line',
    'olga',
    (s, by) => raw(`receiving-inspection:${s.receipt}`, { [`items.${s.line}.is_removed`]: true })(s, by),
  ],
  [
    'lets a correction wait that locks no lot',
    'olga',
    (s, { user = '' }) =>
      s.a.store.gate.commit({
        actor: { rights: BY_SERVER, user },
        reason: 'Read anew.',
        work: work => {
          const path = `items.${s.line}.expiry_date`;
          const about = { subject: `receiving-inspection:${s.receipt}`, path, author: user };
          work.insert(families.correction, { ...about, status: 'awaiting', lots: [] });
          const { items, ...fields } = work.require('receiving-inspection', s.receipt).fields;
          const line = mapOf(mapOf(items)[s.line]);
          work.set(families['receiving-inspection'], s.receipt, {
            ...fields,
            items: { ...mapOf(items), [s.line]: { ...line, expiry_date: '2030-01-01' } },
          });
        },
        answer: () => undefined,
      }),
  ],
  [
    'signs in somebody’s name',
    'ian',
    ({ a, ncr }, { user = '' }) =>
      a.store.gate.commit({
        actor: { rights: BY_SERVER, user },
        reason: null,
        work: work =>
          work.insert(families.signature, { subject: `ncr:${ncr}`, user_name: 'Quinn', meaning: 'closing' }),
        answer: () => undefined,
      }),
  ],
];

describe('what an altered station sends in the name of somebody who may not', () => {
  it.each(attempts)(
    '%s (%s): held alone, and without the judgement it would come through',
    async (_, user, write) => {
      const made = await story();
      await write(made, { user, ...SAID });
      const next = await create(made.a.store, 'supplier', { name: 'Behind it' }, { user: 'olga' });
      await made.settle();
      expect(heldOf(made).map(({ reason }) => reason)).toEqual([expect.stringMatching(/^not_permitted: /)]);
      expect(made.central.store.records.getByKey(next.key)?.fields.name).toBe('Behind it');
      for (const store of made.stores()) expect(await faultsOf(store)).toEqual([]);
      const weak = await story(() => undefined);
      await write(weak, { user, ...SAID });
      await weak.settle();
      expect(heldOf(weak)).toEqual([]);
    },
  );
});

describe('honest work', () => {
  it.each<Attempt>([
    [
      'an operator receives',
      'olga',
      (s, by) =>
        create(
          s.a.store,
          'receiving-inspection',
          { items: [{ part_id: s.part, quantity_accepted: 5, drawing_id: s.template }] },
          by,
        ),
    ],
    [
      'an operator ships',
      'olga',
      (s, by) => create(s.a.store, 'shipment', { items: [{ part_id: s.part, quantity: 1 }] }, by),
    ],
    [
      'an operator reports',
      'olga',
      (s, by) => create(s.a.store, 'ncr', { ncr_number: 'N-3', source: 'internal' }, by),
    ],
    [
      'an inspector judges',
      'ian',
      (s, by) => create(s.a.store, 'inspection', { entity_id: s.part, passed: true }, by),
    ],
    [
      'quality disposes',
      'quinn',
      (s, by) => update(s.a.store, 'ncr', s.ncr, { disposition: 'use-as-is' }, by),
    ],
    [
      'quality lifts a quarantine',
      'quinn',
      (s, by) => update(s.a.store, 'receiving-inspection', s.receipt, { is_quarantined: false }, by),
    ],
    [
      'quality decides on failed to passed',
      'quinn',
      (s, by) => update(s.a.store, 'inspection', s.inspection, { passed: true }, by),
    ],
    [
      'an integration orders',
      'scale',
      (s, by) => create(s.a.store, 'order', { items: [{ part_id: s.part, quantity: 1 }] }, by),
    ],
    [
      'an integration reports and complains',
      'scale',
      (s, by) =>
        create(s.a.store, 'complaint', { complaint_number: 'C-2', complaint_date: '2026-06-02' }, by),
    ],
  ])('%s (%s): taken', async (_, user, write) => {
    const made = await story();
    await write(made, { user, ...SAID });
    await made.settle();
    expect(heldOf(made).map(({ reason }) => reason)).toEqual([]);
    expect(areSame(made.stores())).toBe(true);
  });

  it('of somebody who lost the right meanwhile is told apart', async () => {
    const made = await story();
    const { a, central, part } = made;
    await update(a.store, 'part', part, { sampling_aql: '10' }, { user: 'gone', ...SAID });
    const gone = [...central.store.records.all('user')].find(({ fields }) => fields.login === 'gone');
    await update(central.store, 'user', gone?.id ?? 0, { roles: ['operator'] });
    await made.settle();
    const [held] = heldOf(made);
    expect(held?.reason).toMatch(/^right_lost: /);
    expect(stationOf(held?.commit.chain ?? '')).toBe(a.store.station);
    const at = '2026-06-15T12:00:00.000Z';
    const commit = held?.commit.commit_id ?? '';
    await central.exchange.decideHeld({ commit, decision: RELEASED, user: 'quinn', reason: 'Before.', at });
    await made.settle();
    expect(central.store.records.get('part', part)?.fields.sampling_aql).toBe('10');
    expect(areSame(made.stores())).toBe(true);
  });

  it('is no other person’s for another login', async () => {
    const made = await story();
    const { a, central, open } = made;
    await update(central.store, 'inspection', open, { passed: false }, { user: 'quinn' });
    const quinn = [...central.store.records.all('user')].find(({ fields }) => fields.login === 'quinn');
    await update(central.store, 'user', quinn?.id ?? 0, { login: 'queen' });
    await made.settle();
    await update(a.store, 'inspection', open, { passed: true }, { user: 'queen', ...SAID });
    await made.settle();
    expect(heldOf(made).map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^not_permitted: passed/),
    ]);
  });
});
