import { expect, it } from 'vitest';
import { mapOf } from '../../../../server/store/changes.ts';
import { newCommitId } from '../../../../server/store/commit-id.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { person } from '../../rules/people.ts';
import { create, update } from '../../store/temporary-store.ts';
import { areSame } from './fleet.ts';
import { heldOf, type Story, story } from './push-story.ts';

type Values = Record<string, unknown>;

/** One commit of an altered station in somebody's name, by record. */
async function send({ a, central }: Story, user: string, records: Record<string, Values>): Promise<void> {
  const entries = Object.entries(records).map(([subject, values]) => {
    const over = [central.store.records.getByKey(subject)?.creator ?? ''];
    const changes = Object.entries(values).map(([path, value]) => ({ path, old: null, new: value, over }));
    return { subject, changes };
  });
  const about = { at: '2026-06-15T12:00:00.000Z', clock_offset: null, reason: 'Read anew.' };
  const station = new StationStore(a.store, syncRules, a.store.database);
  await station.writeOwn(() => [{ commit_id: newCommitId(), user, ...about, entries }]);
}

/** The received lot, by its key. */
function lotOf({ central, receipt, line }: Story): string {
  const { items } = central.store.records.get('receiving-inspection', receipt)?.fields ?? {};
  return `inventory:${mapOf(mapOf(items)[line]).inventory_id}`;
}

const named = (s: Story, line: Values) =>
  Object.fromEntries(Object.entries(line).map(([name, value]) => [`items.${s.line}.${name}`, value]));

it.each<[string, (s: Story) => Record<string, Values>, isHeld: boolean]>([
  [
    'to what its corrected line says',
    s => ({
      [`receiving-inspection:${s.receipt}`]: named(s, { serial_number: ' M ' }),
      [lotOf(s)]: { batch_number: 'M' },
    }),
    false,
  ],
  [
    'to something else than its line says',
    s => ({
      [`receiving-inspection:${s.receipt}`]: named(s, { serial_number: 'M' }),
      [lotOf(s)]: { batch_number: 'N' },
    }),
    true,
  ],
  [
    'with an expiry that its line does not say anew',
    s => ({
      [`receiving-inspection:${s.receipt}`]: named(s, { serial_number: 'M' }),
      [lotOf(s)]: { batch_number: 'M', expiry_date: '2026-06-30' },
    }),
    true,
  ],
  [
    'beside the line of another lot',
    s => ({
      [`receiving-inspection:${s.receipt}`]: named(s, { serial_number: 'M' }),
      [`inventory:${s.lot}`]: { batch_number: 'M' },
    }),
    true,
  ],
  [
    'and unlocked with it',
    s => ({
      [`receiving-inspection:${s.receipt}`]: named(s, { serial_number: 'M' }),
      [lotOf(s)]: { batch_number: 'M', is_locked_by_person: false },
    }),
    true,
  ],
  ['without its line', s => ({ [lotOf(s)]: { batch_number: 'M' } }), true],
])('a lot that is renamed %s', async (_, records, isHeld) => {
  const site = await story();
  await send(site, 'olga', records(site));
  await site.settle();
  expect(heldOf(site).length > 0).toBe(isHeld);
});

it('a lot does not leave a number that failed in the laboratory', async () => {
  const site = await story();
  const { central, template, receipt, line } = site;
  const lab_data = '{"Height": "50"}';
  await create(central.store, 'lab-result', { batch_number: 'L', specification_id: template, lab_data });
  await site.settle();
  await send(site, 'olga', {
    [`receiving-inspection:${receipt}`]: { [`items.${line}.serial_number`]: 'M' },
    [lotOf(site)]: { batch_number: 'M' },
  });
  await site.settle();
  expect(heldOf(site).map(({ reason }) => reason)).toEqual([expect.stringMatching(/^not_permitted/)]);
});

it('what an operator corrects of a line renames its lot at central as at the station', async () => {
  const site = await story();
  const olga = person(site.a.store, 'olga', 'operator');
  const items = [{ id: site.line, serial_number: 'M', expiry_date: '2026-06-20' }];
  await olga.update('receiving-inspection', site.receipt, { items }, 'Read anew.');
  await site.settle();
  expect(heldOf(site)).toEqual([]);
  expect(site.central.store.records.getByKey(lotOf(site))?.fields).toMatchObject({
    batch_number: 'M',
    expiry_date: '2026-06-20',
  });
  expect(areSame(site.stores())).toBe(true);
});

/** The one result of the open inspection, and what it is of. */
function resultOf({ central, open }: Story) {
  const { samples } = central.store.records.get('inspection', open)?.fields ?? {};
  const [[sample = '', entry] = []] = Object.entries(mapOf(samples));
  const [result = ''] = Object.keys(mapOf(mapOf(entry).results));
  return { sample: Number(sample), result: Number(result), path: `samples.${sample}.results.${result}` };
}

it('results are taken away by another template only while nothing is measured', async () => {
  for (const isMeasured of [false, true]) {
    const site = await story();
    const { central, open } = site;
    const { sample, result, path } = resultOf(site);
    if (isMeasured) {
      const samples = [{ id: sample, results: [{ id: result, value: 90 }] }];
      await update(central.store, 'inspection', open, { samples }, { user: 'ian' });
    }
    await site.settle();
    await send(site, 'quinn', {
      [`inspection:${open}`]: { drawing_id: null, template: null, [`${path}.is_removed`]: true },
    });
    await site.settle();
    expect(heldOf(site).length).toBe(isMeasured ? 1 : 0);
  }
});

it('a verdict of limits goes with its value, and none by itself', async () => {
  for (const isAlone of [false, true]) {
    const site = await story();
    const { central, open } = site;
    const { sample, result, path } = resultOf(site);
    const samples = [{ id: sample, results: [{ id: result, value: 90 }] }];
    await update(central.store, 'inspection', open, { samples }, { user: 'ian' });
    await site.settle();
    const passed = { [`${path}.passed`]: true };
    await send(site, 'ian', {
      [`inspection:${open}`]: isAlone ? passed : { [`${path}.value`]: 40, ...passed },
    });
    await site.settle();
    expect(heldOf(site).length).toBe(isAlone ? 1 : 0);
  }
});
