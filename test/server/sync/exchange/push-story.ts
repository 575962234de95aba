import { inputOf } from '../../../../server/rules/input-of.ts';
import { newCommitId } from '../../../../server/store/commit-id.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { create, itemIds, update, type WriteOptions } from '../../store/temporary-store.ts';
import { type Fleet, fleet, type Peer, type Permission } from './fleet.ts';

/** What stands at central and at its one station when somebody pushes. */
export interface Story extends Fleet {
  a: Peer;
  part: number;
  /** Nobody approved it. */
  template: number;
  approved: number;
  /** In quarantine, with a rejected quantity and an expiry. */
  receipt: number;
  line: number;
  lot: number;
  /** Failed, measured by Ian. */
  inspection: number;
  /** Of the same lot by the approved template, not measured yet. */
  open: number;
  lab: number;
  ncr: number;
  complaint: number;
  car: number;
  correction: number;
}

export async function story(permission?: Permission): Promise<Story> {
  const made = await fleet(1, {}, permission);
  const [a] = made.stations;
  if (!a) throw new Error();
  const { store } = made.central;
  const people = { olga: 'operator', ian: 'inspector', quinn: 'quality', vera: 'viewer' };
  for (const [login, role] of Object.entries(people))
    await create(store, 'user', { login, name: login, roles: [role] });
  await create(store, 'user', { login: 'gone', name: 'Gone', roles: ['quality'] });
  const id = async (...given: [Parameters<typeof create>[1], object, WriteOptions?]) =>
    (await create(store, ...given)).id;
  await id('company', { name: 'Ours' });
  const part = await id('part', { name: 'Jar', unit_of_measure: 'units' });
  const template = await id('specification', {
    name: 'Jar',
    characteristics: [{ name: 'Height', dimensions: '40 mm', tolerance: '±1' }],
  });
  const approved = await id('specification', {
    name: 'Lid',
    is_approved: true,
    characteristics: [{ name: 'Width', dimensions: '40 mm', tolerance: '±1' }],
  });
  const received = await create(store, 'receiving-inspection', {
    is_quarantined: true,
    items: [
      {
        part_id: part,
        serial_number: 'L',
        quantity_accepted: 5,
        quantity_rejected: 5,
        expiry_date: '2026-07-01',
      },
    ],
  });
  const [line = 0] = itemIds(received, 'items');
  const lot = await id('inventory', {
    part_id: part,
    batch_number: 'O',
    opening_quantity: 9,
    expiry_date: '2026-07-01',
  });
  await store.gate.commit({
    actor: { rights: BY_SERVER, user: 'ian' },
    reason: 'Odd.',
    work: work => work.update(families.inventory, lot, inputOf({ is_locked_by_person: true })),
    answer: () => undefined,
  });
  const inspection = await id(
    'inspection',
    { entity_id: part, drawing_id: template, inventory_id: lot },
    { user: 'ian' },
  );
  await update(store, 'inspection', inspection, { passed: false }, { user: 'ian' });
  const open = await id(
    'inspection',
    { entity_id: part, drawing_id: approved, inventory_id: lot },
    { user: 'ian' },
  );
  const lab = await id('lab-result', {
    inventory_id: lot,
    specification_id: template,
    lab_data: '{"Height": "50"}',
  });
  const ncr = await id('ncr', { ncr_number: 'N-1', source: 'internal', inventory_id: lot });
  const complaint = await id('complaint', { complaint_number: 'C-1', complaint_date: '2026-06-01' });
  const car = await id('car', { car_number: 'K-1' });
  const correction = await store.gate.commit({
    actor: { rights: BY_SERVER, user: 'scale' },
    reason: null,
    work: work =>
      work.insert(families.correction, {
        subject: `inventory:${lot}`,
        path: 'expiry_date',
        status: 'awaiting',
        lots: [lot],
      }).id,
    answer: done => done,
  });
  await made.settle();
  return {
    ...made,
    a,
    part,
    template,
    approved,
    receipt: received.id,
    line,
    lot,
    inspection,
    open,
    lab,
    ncr,
    complaint,
    car,
    correction,
  };
}

export type Attempt = [
  what: string,
  author: string,
  write: (at: Story, by: WriteOptions) => Promise<unknown>,
];

export const SAID = { reason: 'Looks good to me.' };

/** Past the write gate altogether: what the record has from the start is changed, or another one made. */
export function raw(subject: string, fields: Record<string, unknown>): Attempt[2] {
  return async ({ a, central }, { user = '', reason = null }) => {
    const station = new StationStore(a.store, syncRules, a.store.database);
    const creator = central.store.records.getByKey(subject)?.creator;
    const over = creator === undefined ? [] : [creator];
    const changes = Object.entries(fields).map(([path, value]) => ({ path, old: null, new: value, over }));
    const commit = {
      commit_id: newCommitId(),
      at: '2026-06-15T12:00:00.000Z',
      clock_offset: null,
      user,
      reason,
    };
    await station.writeOwn(() => [{ ...commit, entries: [{ subject, changes }] }]);
  };
}

/** What central holds. */
export const heldOf = ({ central }: Fleet) => central.exchange.reader().heldCommits.all();
