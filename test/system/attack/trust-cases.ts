import {
  delivered,
  delivery,
  failedInLab,
  inspected,
  measured,
  type Request,
  type Scene,
  type TrustSite,
  template,
  value,
  type Who,
} from './trust-site.ts';

/**
 * What becomes of an attempt: one of its requests is refused with this status, or all are taken and the lot is locked
 * until quality accepts it, or all are taken and change nothing of what holds the lot.
 */
export type Outcome = 403 | 409 | 422 | 'awaiting' | 'taken';

/** Something that a person or a program wants and may not have, each on a scene of its own. */
export interface Deed {
  name: string;
  prepare: (site: TrustSite) => Promise<Scene>;
  /** Without a reason; `reason` is added to each where the attempt gives one. */
  requests: (scene: Scene) => readonly Request[];
  /** Whether it was done. */
  isDone: (site: TrustSite, scene: Scene) => Promise<boolean>;
  /** Who tries, whether with a reason, and what becomes of it. */
  attempts: readonly [who: Who, hasReason: boolean, outcome: Outcome][];
  /** Who may, with a reason; undefined: a rule forbids it to everybody, so that it does not fail for lack of a judge. */
  allowed?: Who;
}

type IsDone = Deed['isDone'];

const isFree: IsDone = async (site, { lot = 0 }) => (await site.locks(lot)).length === 0;
/** The field of the record says so, and where the scene has a lot, nothing locks it. */
const says =
  (path: string, name: string, wanted: unknown): IsDone =>
  async (site, scene) => {
    const record = await site.read(`${path}/${scene.id}`);
    return record[name] === wanted && (scene.lot === undefined || (await isFree(site, scene)));
  };
const isSampledLess: IsDone = async (site, { id: part }) =>
  (await site.read(`/x/sampling?part_id=${part}&lot_size=100`)).aql_from === 'part';
const line = (scene: Scene, fields: object): Request => [
  'PATCH',
  `/receiving-inspections/${scene.receipt}`,
  { items: [{ id: scene.item, ...fields }] },
];
const isLine =
  (name: string, wanted: unknown): IsDone =>
  async (site, scene) => {
    const { items } = await site.read(`/receiving-inspections/${scene.receipt}`);
    const found = (items as Record<string, unknown>[]).find(({ id }) => id === scene.item);
    if (found?.[name] !== wanted) return false;
    return (await site.locks(Number(found?.inventory_id))).length === 0;
  };
const patch =
  (path: string, body: Record<string, unknown>) =>
  (scene: Scene): Request[] => [['PATCH', `${path}/${scene.id}`, body]];
const inspect =
  (...bodies: ((scene: Scene) => Record<string, unknown>)[]) =>
  (scene: Scene): Request[] =>
    bodies.map(body => ['PATCH', `/inspections/${scene.inspection}`, body(scene)]);
const passes = () => ({ passed: true });
const id = async (site: TrustSite, path: string, body: object): Promise<Scene> => ({
  id: Number((await site.make(path, body)).id),
});

const release: readonly [Who, boolean, Outcome][] = [
  ['viewer', true, 403],
  ['operator', true, 403],
  ['inspector', true, 403],
  ['write', true, 403],
  ['quality', false, 422],
  ['admin', false, 'awaiting'],
];

const goods: Deed[] = [
  {
    name: 'lifts a quarantine',
    prepare: site => delivery(site, {}, { is_quarantined: true }),
    requests: ({ receipt }) => [['PUT', `/receiving-inspections/${receipt}`, { is_quarantined: false }]],
    isDone: isFree,
    attempts: release,
    allowed: 'quality',
  },
  {
    name: 'lifts a quarantine by leaving it empty',
    prepare: site => delivery(site, {}, { is_quarantined: true }),
    requests: ({ receipt }) => [['PATCH', `/receiving-inspections/${receipt}`, { is_quarantined: null }]],
    isDone: isFree,
    attempts: release.slice(1),
    allowed: 'quality',
  },
  {
    name: 'activates a batch in its record',
    prepare: site => delivery(site, { is_active_batch: false }),
    requests: scene => [line(scene, { is_active_batch: true })],
    isDone: isFree,
    attempts: release.slice(1),
    allowed: 'quality',
  },
  {
    name: 'activates a batch as an item',
    prepare: site => delivery(site, { is_active_batch: false }),
    requests: ({ receipt, item }) => [
      ['PUT', `/receiving-inspections/${receipt}/items/${item}`, { is_active_batch: true }],
    ],
    isDone: isFree,
    attempts: release.slice(1),
    allowed: 'quality',
  },
  {
    name: 'extends an expiry',
    prepare: site => delivery(site, { expiry_date: '2098-01-01' }),
    requests: scene => [line(scene, { expiry_date: '2099-01-01' })],
    isDone: isLine('expiry_date', '2099-01-01'),
    attempts: [
      ['operator', false, 422],
      ['operator', true, 'awaiting'],
      ['inspector', true, 'awaiting'],
      ['write', false, 'awaiting'],
      ['admin', false, 'awaiting'],
      ['quality', false, 422],
    ],
    allowed: 'quality',
  },
  {
    name: 'takes an expiry away',
    prepare: site => delivery(site, { expiry_date: '2098-01-01' }),
    requests: scene => [line(scene, { expiry_date: null })],
    isDone: isLine('expiry_date', null),
    attempts: [
      ['operator', true, 'awaiting'],
      ['write', false, 'awaiting'],
    ],
    allowed: 'quality',
  },
  {
    name: 'accepts what was rejected',
    prepare: site => delivery(site, { quantity_rejected: 5 }),
    requests: scene => [line(scene, { quantity_accepted: 15, quantity_rejected: 0 })],
    isDone: isLine('quantity_accepted', 15),
    attempts: [
      ['operator', false, 422],
      ['operator', true, 'awaiting'],
      ['write', false, 'awaiting'],
      ['write', true, 'awaiting'],
      ['admin', false, 'awaiting'],
    ],
    allowed: 'quality',
  },
  {
    name: 'receives more than was counted',
    prepare: site => delivery(site),
    requests: scene => [line(scene, { quantity_accepted: 1000 })],
    isDone: isLine('quantity_accepted', 1000),
    attempts: [
      ['operator', false, 422],
      ['write', false, 'awaiting'],
    ],
    allowed: 'operator',
  },
  {
    name: 'multiplies by a unit',
    prepare: site => delivery(site, { unit_of_measure: 'lb' }),
    requests: scene => [line(scene, { unit_of_measure: 'kg' })],
    isDone: isLine('unit_of_measure', 'kg'),
    attempts: [
      ['operator', false, 422],
      ['write', false, 'awaiting'],
    ],
    allowed: 'operator',
  },
  {
    name: 'makes it another part',
    prepare: async site => ({ ...(await delivery(site)), other: (await delivery(site)).part }),
    requests: scene => [line(scene, { part_id: scene.other })],
    isDone: async (site, scene) => isLine('part_id', scene.other)(site, scene),
    attempts: [
      ['operator', false, 422],
      ['write', false, 'awaiting'],
    ],
    allowed: 'operator',
  },
  {
    name: 'unlocks a lot',
    prepare: async site => {
      const scene = await delivery(site);
      await site.send('quality', [
        'POST',
        `/x/inventory/${scene.lot}/lock`,
        { is_locked: true, reason: 'leak' },
      ]);
      return scene;
    },
    requests: ({ lot }) => [
      ['POST', `/x/inventory/${lot}/lock`, { is_locked: false, reason: 'it leaks no more' }],
    ],
    isDone: isFree,
    attempts: [
      ['viewer', false, 403],
      ['operator', false, 403],
      ['inspector', false, 403],
      ['write', false, 403],
    ],
    allowed: 'quality',
  },
  {
    name: 'carries goods out of a lot that a person locked',
    prepare: async site => {
      const serial_number = site.name('L');
      const scene = await delivery(site, { serial_number });
      await delivered(site, scene.part, { serial_number });
      await site.send('quality', [
        'POST',
        `/x/inventory/${scene.lot}/lock`,
        { is_locked: true, reason: 'leak' },
      ]);
      return scene;
    },
    requests: scene => [line(scene, { serial_number: `free-of-${scene.item}` })],
    isDone: async (site, scene) => isLine('serial_number', `free-of-${scene.item}`)(site, scene),
    attempts: [
      ['operator', false, 422],
      ['operator', true, 'awaiting'],
      ['write', true, 'awaiting'],
    ],
    allowed: 'quality',
  },
];

const verdicts: Deed[] = [
  {
    name: 'passes what failed',
    prepare: site => measured(site, 20, false),
    requests: inspect(passes),
    isDone: isFree,
    attempts: [
      ['operator', true, 403],
      ['inspector', true, 403],
      ['write', true, 403],
      ['quality', false, 422],
      ['admin', true, 'awaiting'],
    ],
    allowed: 'quality',
  },
  {
    name: 'passes what failed by way of reopening it',
    prepare: site => measured(site, 20, false),
    requests: inspect(
      () => ({ passed: null }),
      scene => value(scene, 10),
      passes,
    ),
    isDone: isFree,
    attempts: [
      ['inspector', true, 403],
      ['write', true, 403],
      ['quality', false, 422],
      ['admin', false, 422],
      ['admin', true, 'awaiting'],
    ],
    allowed: 'quality',
  },
  {
    name: 'corrects what was measured and passes it',
    prepare: site => measured(site, 20, null),
    requests: inspect(scene => value(scene, 10), passes),
    isDone: isFree,
    attempts: [
      ['operator', true, 403],
      ['inspector', false, 422],
      ['write', false, 'awaiting'],
    ],
    allowed: 'inspector',
  },
  {
    name: 'passes with nothing measured',
    prepare: site => inspected(site),
    requests: inspect(passes),
    isDone: isFree,
    attempts: [
      ['operator', true, 403],
      ['inspector', false, 'awaiting'],
      ['inspector', true, 'awaiting'],
      ['write', false, 'awaiting'],
      ['quality', false, 'awaiting'],
    ],
    allowed: 'quality',
  },
  {
    name: 'passes against what was measured',
    prepare: site => measured(site, 20, null),
    requests: inspect(passes),
    isDone: isFree,
    attempts: [
      ['inspector', true, 'awaiting'],
      ['write', true, 'awaiting'],
    ],
    allowed: 'quality',
  },
  {
    name: 'passes by a template that nobody approved',
    prepare: site => inspected(site, { is_approved: false }),
    requests: inspect(scene => value(scene, 10), passes),
    isDone: isFree,
    attempts: [
      ['inspector', true, 'awaiting'],
      ['write', true, 'awaiting'],
    ],
    allowed: 'quality',
  },
  {
    name: 'passes without the template',
    prepare: site => inspected(site),
    requests: inspect(() => ({ drawing_id: null }), passes),
    isDone: isFree,
    attempts: [
      ['inspector', true, 'awaiting'],
      ['write', false, 'awaiting'],
    ],
    allowed: 'quality',
  },
  {
    name: 'makes a failed inspection one of another lot',
    prepare: async site => ({ ...(await measured(site, 20, false)) }),
    requests: inspect(() => ({ inventory_id: null })),
    isDone: isFree,
    attempts: [
      ['inspector', true, 'awaiting'],
      ['write', true, 'awaiting'],
      ['quality', false, 422],
    ],
    allowed: 'quality',
  },
  {
    name: 'passes a second inspection beside the one that failed',
    prepare: site => measured(site, 20, false),
    requests: ({ lot, part }) => [
      ['POST', '/inspections', { inventory_id: lot, entity_id: part, passed: true }],
    ],
    isDone: isFree,
    attempts: [
      ['inspector', true, 'taken'],
      ['write', true, 'taken'],
    ],
  },
  {
    name: 'puts a lab result right',
    prepare: site => failedInLab(site),
    requests: ({ lab }) => [['PATCH', `/lab-results/${lab}`, { lab_data: '{"Height":"10"}' }]],
    isDone: isFree,
    attempts: [
      ['operator', true, 403],
      ['inspector', false, 422],
      ['inspector', true, 'awaiting'],
      ['write', true, 'awaiting'],
    ],
    allowed: 'quality',
  },
  {
    name: 'leaves a lab result without limits',
    prepare: site => failedInLab(site),
    requests: ({ lab }) => [['PATCH', `/lab-results/${lab}`, { specification_id: null }]],
    isDone: isFree,
    attempts: [
      ['inspector', true, 'awaiting'],
      ['write', false, 'awaiting'],
    ],
    allowed: 'quality',
  },
  {
    name: 'gives the lab result of a lot number to another lot',
    prepare: async site => {
      const scene = await failedInLab(site, true);
      return { ...scene, other: (await delivered(site, scene.part)).lot };
    },
    requests: ({ lab, other }) => [['PATCH', `/lab-results/${lab}`, { inventory_id: other }]],
    isDone: isFree,
    attempts: [
      ['inspector', true, 'awaiting'],
      ['write', true, 'awaiting'],
    ],
    allowed: 'quality',
  },
  {
    name: 'renames a lot whose number failed in the laboratory',
    prepare: site => failedInLab(site, true),
    requests: scene => [line(scene, { serial_number: `free-of-${scene.item}` })],
    isDone: isFree,
    attempts: [
      ['operator', true, 409],
      ['admin', true, 409],
    ],
  },
];

const papers: Deed[] = [
  {
    name: 'uses as is what failed',
    prepare: async site => {
      const { lot, inspection } = await measured(site, 20, false);
      const report = {
        ncr_number: site.name('N'),
        source: 'internal',
        inventory_id: lot,
        inspection_id: inspection,
      };
      return { lot, ...(await ncr(site, report)) };
    },
    requests: patch('/ncrs', { disposition: 'use-as-is' }),
    isDone: isFree,
    attempts: [
      ['operator', true, 403],
      ['inspector', true, 403],
      ['write', true, 403],
      ['quality', false, 422],
    ],
    allowed: 'quality',
  },
  {
    name: 'reports it with its disposition',
    prepare: site => measured(site, 20, false),
    requests: ({ lot, inspection }) => [
      [
        'POST',
        '/ncrs',
        {
          ncr_number: `N-of-${inspection}`,
          source: 'internal',
          inventory_id: lot,
          inspection_id: inspection,
          disposition: 'use-as-is',
        },
      ],
    ],
    isDone: isFree,
    attempts: [
      ['operator', true, 403],
      ['write', true, 403],
    ],
    allowed: 'quality',
  },
  {
    name: 'turns a disposition to another failure',
    prepare: async site => {
      const { lot, part, inspection } = await measured(site, 20, false);
      const second = await site.make('/inspections', { inventory_id: lot, entity_id: part, passed: false });
      const report = {
        ncr_number: site.name('N'),
        source: 'internal',
        inventory_id: lot,
        inspection_id: inspection,
      };
      const { id: made = 0 } = await ncr(site, report);
      await site.change('quality', `/ncrs/${made}`, { disposition: 'use-as-is', reason: 'a scratch' });
      return { lot, id: made, second: Number(second.id) };
    },
    requests: ({ id: report, second }) => [['PATCH', `/ncrs/${report}`, { inspection_id: second }]],
    // The first fails anew; the second is what it released.
    isDone: async (site, { lot = 0, second }) => !(await site.locking(lot)).includes(`inspection ${second}`),
    attempts: [
      ['write', true, 403],
      ['inspector', true, 403],
    ],
    allowed: 'quality',
  },
  {
    name: 'closes a report',
    prepare: site => ncr(site, { ncr_number: site.name('N'), source: 'internal' }),
    requests: patch('/ncrs', { status: 'closed' }),
    isDone: async (site, { id: report = 0 }) => (await site.read(`/ncrs/${report}`)).status === 'closed',
    attempts: [
      ['operator', true, 403],
      ['inspector', true, 403],
      ['write', true, 403],
    ],
    allowed: 'quality',
  },
  {
    name: 'closes a request',
    prepare: site => id(site, '/cars', { car_number: site.name('C') }),
    requests: patch('/cars', { date_closed: '2026-06-01' }),
    isDone: says('/cars', 'date_closed', '2026-06-01'),
    attempts: [
      ['inspector', true, 403],
      ['write', true, 403],
    ],
    allowed: 'quality',
  },
  {
    name: 'closes a complaint',
    prepare: site =>
      id(site, '/complaints', { complaint_number: site.name('C'), complaint_date: '2026-06-01' }),
    requests: patch('/complaints', { is_closed: true }),
    isDone: async (site, { id: of }) => Boolean((await site.read(`/complaints/${of}`)).is_closed),
    attempts: [
      ['inspector', true, 403],
      ['write', true, 403],
    ],
    allowed: 'quality',
  },
  {
    name: 'approves a template',
    prepare: async site => ({ id: await template(site, { is_approved: false }) }),
    requests: patch('/x/specifications', { is_approved: true }),
    isDone: says('/x/specifications', 'is_approved', true),
    attempts: [
      ['operator', true, 403],
      ['inspector', true, 403],
      ['write', true, 403],
    ],
    allowed: 'quality',
  },
  {
    name: 'samples a part less',
    prepare: site => id(site, '/parts', { name: 'Jar', identification: site.name('P') }),
    requests: patch('/parts', { sampling_aql: '10' }),
    isDone: isSampledLess,
    attempts: [
      ['operator', true, 403],
      ['inspector', true, 403],
      ['write', true, 403],
    ],
    allowed: 'quality',
  },
  {
    name: 'samples a part less in bulk',
    prepare: site => id(site, '/parts', { name: 'Jar', identification: site.name('P') }),
    requests: ({ id: part }) => [
      ['PUT', '/parts/bulk', [{ id: part, name: 'Jar', identification: `P-of-${part}`, sampling_aql: '10' }]],
    ],
    isDone: isSampledLess,
    attempts: [
      ['operator', false, 403],
      ['write', false, 403],
    ],
    allowed: 'quality',
  },
  {
    name: 'allows reduced inspection',
    prepare: async site => ({ part: (await delivery(site)).part }),
    requests: ({ part }) => [
      ['POST', '/x/sampling/reduced', { part_id: part, is_allowed: true, reason: 'a good supplier' }],
    ],
    isDone: async (site, { part }) => {
      const found = await site.list('/x/sampling-rulings');
      return found.some(ruling => ruling.part_id === part);
    },
    attempts: [
      ['operator', false, 403],
      ['inspector', false, 403],
      ['write', false, 403],
    ],
    allowed: 'quality',
  },
  {
    name: 'counts goods into being',
    prepare: site => delivery(site),
    requests: ({ lot }) => [['POST', '/x/adjustments', { inventory_id: lot, quantity: 90, reason: 'found' }]],
    isDone: async (site, { lot }) => (await site.read(`/inventory/${lot}`)).quantity === 100,
    attempts: [
      ['operator', false, 403],
      ['inspector', false, 403],
      ['write', false, 403],
    ],
    allowed: 'quality',
  },
  {
    name: 'ships by a day before it expired',
    prepare: async site => {
      const { part } = await delivery(
        site,
        { expiry_date: '2020-06-01', received_date: '2020-01-01T00:00:00Z' },
        { actual_arrival_date: '2020-01-01' },
      );
      return id(site, '/shipments', { items: [{ part_id: part, quantity: 1 }] });
    },
    requests: patch('/shipments', { actual_ship_date: '2020-05-01' }),
    isDone: says('/shipments', 'actual_ship_date', '2020-05-01'),
    attempts: [
      ['operator', true, 409],
      ['quality', true, 409],
      ['write', true, 409],
    ],
  },
  {
    name: 'ships before it came',
    prepare: async site => {
      const { part } = await delivery(site, {}, { actual_arrival_date: '2020-06-01' });
      return id(site, '/shipments', { items: [{ part_id: part, quantity: 1 }] });
    },
    requests: patch('/shipments', { actual_ship_date: '2020-05-01' }),
    isDone: says('/shipments', 'actual_ship_date', '2020-05-01'),
    attempts: [
      ['operator', true, 409],
      ['admin', true, 409],
    ],
  },
  {
    name: 'moves a ship date to before it came',
    prepare: async site => {
      const { part } = await delivery(site, {}, { actual_arrival_date: '2020-06-01' });
      const made = await id(site, '/shipments', { items: [{ part_id: part, quantity: 1 }] });
      await site.change('operator', `/shipments/${made.id}`, { actual_ship_date: '2020-07-01' });
      return made;
    },
    requests: patch('/shipments', { actual_ship_date: '2020-05-01' }),
    isDone: says('/shipments', 'actual_ship_date', '2020-05-01'),
    attempts: [
      ['operator', true, 409],
      ['admin', true, 409],
    ],
  },
];

async function ncr(site: TrustSite, body: object): Promise<Scene> {
  return { id: Number((await site.make('/ncrs', body)).id) };
}

export const deeds: readonly Deed[] = [...goods, ...verdicts, ...papers];
