import { describe, expect, it } from 'vitest';
import { inputOf } from '../../../../server/rules/input-of.ts';
import { type Fields, mapOf } from '../../../../server/store/changes.ts';
import { parseInput } from '../../../../shared/contract/parse-input.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../../shared/contract/present.ts';
import { families } from '../../../../shared/families/registry.ts';
import { create, itemIds, update, type WriteOptions } from '../../store/temporary-store.ts';
import { areSame } from './fleet.ts';
import { heldOf, raw, SAID, type Story, story } from './push-story.ts';

const receipt = families['receiving-inspection'];

/** The part is inspected by a plan at all machines. */
async function withPlan(site: Story, plan: Fields = {}): Promise<number> {
  const made = {
    name: 'Jars',
    part_id: site.part,
    specification_id: site.approved,
    sampling_aql: '2.5',
    ...plan,
  };
  const { id } = await create(site.central.store, 'inspection-plan', made);
  await site.settle();
  return id;
}

/** A hundred are received at the station; `lie` makes another sampling of the one that the rules worked out. */
async function received(
  { a, part }: Story,
  { user = '', reason }: WriteOptions,
  lie: (sampling: Fields) => Fields | undefined = sampling => sampling,
  line: Fields = {},
): Promise<{ receipt: StoredRecord; inspection: string }> {
  return a.store.gate.commit({
    actor: { rights: BY_SERVER, user },
    reason: reason ?? null,
    work: work => {
      const items = [{ part_id: part, serial_number: 'P', quantity_accepted: 100, ...line }];
      const made = work.create(receipt, parseInput(receipt, { items }, { mode: 'create' }));
      const opened = [...work.staged()].find(({ after }) => after.family === 'inspection')?.after;
      if (opened) {
        const { sampling, ...fields } = opened.fields;
        const said = lie(mapOf(sampling));
        work.set(families.inspection, opened.id, { ...fields, ...(said && { sampling: said }) });
      }
      return { receipt: made, inspection: opened?.key ?? '' };
    },
    answer: done => done,
  });
}

type Try = [what: string, write: (site: Story, by: WriteOptions) => Promise<unknown>];

const attempts: Try[] = [
  ...(
    [
      ['asks for fewer samples than the plan', sampling => ({ ...sampling, n: 1 })],
      ['lets more of them fail', sampling => ({ ...sampling, ac: 19, re: 20 })],
      ['takes the lot for a smaller one', sampling => ({ ...sampling, lot_size: 2, n: 2, ac: 0, re: 1 })],
      ['samples by another quality limit', sampling => ({ ...sampling, aql: 10, n: 20, ac: 5, re: 6 })],
      ['samples by another level', sampling => ({ ...sampling, level: 'S-1', n: 5, ac: 0, re: 1 })],
      [
        'takes a number for what the plan leaves to the lot',
        sampling => ({ ...sampling, level: null, aql: null, severity: null, n: 1, ac: 0, re: 1 }),
      ],
      ['names a plan that is none', sampling => ({ ...sampling, plan_id: 999 })],
    ] satisfies [string, (sampling: Fields) => Fields][]
  ).map(
    ([what, lie]): Try => [
      what,
      async (site, by) => {
        await withPlan(site);
        await received(site, by, lie);
      },
    ],
  ),
  ...(
    [
      ['asks for less afterwards', { n: 1, lot_size: 100 }],
      ['takes what the plan asked for away', null],
    ] as const
  ).map(
    ([what, said]): Try => [
      what,
      async (site, by) => {
        await withPlan(site);
        const { inspection } = await received(site, by);
        await site.settle();
        const sampling = mapOf(site.a.store.records.getByKey(inspection)?.fields.sampling);
        await raw(inspection, { sampling: said && { ...sampling, ...said } })(site, { ...by, user: 'ian' });
      },
    ],
  ),
  [
    'frees what waits for a certificate without naming one',
    async (site, by) => {
      await withPlan(site, { specification_id: null, is_certificate_required: true });
      const made = await received(site, by);
      await site.settle();
      const [line] = itemIds(made.receipt, 'items');
      await raw(made.receipt.key, { [`items.${line}.is_certificate_missing`]: null })(site, by);
    },
  ],
];

describe('what an altered station says of an inspection plan', () => {
  it.each(attempts)('%s: held alone, and without the judgement it would come through', async (_, write) => {
    const made = await story();
    await write(made, { user: 'olga', ...SAID });
    await made.settle();
    expect(heldOf(made).map(({ reason }) => reason)).toEqual([expect.stringMatching(/^not_permitted: /)]);
    const weak = await story(() => undefined);
    await write(weak, { user: 'olga', ...SAID });
    await weak.settle();
    expect(heldOf(weak)).toEqual([]);
  });
});

describe('what an inspection plan makes of goods at a station', () => {
  it.each<Try>([
    [
      'received, and more of them',
      async (site, by) => {
        await withPlan(site);
        const { receipt: made, inspection } = await received(site, by);
        const [line] = itemIds(made, 'items');
        const { samples } = site.a.store.records.getByKey(inspection)?.fields ?? {};
        const [[sample = '', entry] = []] = Object.entries(mapOf(samples));
        const [result = ''] = Object.keys(mapOf(mapOf(entry).results));
        const results = [{ id: Number(result), value: 40 }];
        const measured = { samples: [{ id: Number(sample), results }] };
        await update(site.a.store, 'inspection', Number(inspection.split(':')[1]), measured, {
          ...by,
          user: 'ian',
        });
        await update(
          site.a.store,
          'receiving-inspection',
          made.id,
          { items: [{ id: line, quantity_accepted: 400 }] },
          by,
        );
      },
    ],
    [
      'received by a plan as it stood when the station went offline',
      async (site, by) => {
        const plan = await withPlan(site);
        await update(site.central.store, 'inspection-plan', plan, { sampling_aql: '0.65' });
        await received(site, by);
      },
    ],
    [
      'by what the part says',
      async (site, by) => {
        await site.central.store.gate.commit({
          actor: { rights: BY_SERVER, user: 'quinn' },
          reason: null,
          work: work => work.update(families.part, site.part, inputOf({ sampling_level: 'I' })),
          answer: () => undefined,
        });
        await withPlan(site, { sampling_aql: null });
        await received(site, by);
      },
    ],
    [
      'a fixed number, a certificate and quarantine',
      async (site, by) => {
        await withPlan(site, {
          sampling: 'fixed',
          sample_count: 3,
          is_certificate_required: true,
          is_quarantined_first: true,
        });
        const { receipt: made } = await received(site, by);
        const [line] = itemIds(made, 'items');
        const items = [{ id: line, certificate_number: 'COA-1' }];
        await update(site.a.store, 'receiving-inspection', made.id, { items }, by);
      },
    ],
  ])('%s: taken', async (_, write) => {
    const made = await story();
    await write(made, { user: 'olga', ...SAID });
    await made.settle();
    expect(heldOf(made).map(({ reason }) => reason)).toEqual([]);
    expect(areSame(made.stores())).toBe(true);
  });
});
