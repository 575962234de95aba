import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Family } from '../../shared/contract/define-family.ts';
import { isCorrected, LISTED_CORRECTIONS } from '../../shared/families/record-corrections.ts';
import type { Fields } from '../support/expect-shape.ts';
import { Station } from '../support/station.ts';
import { creatableFamilies, FamilyValues, pathOf } from './family-values.ts';

/** What the answer of a record says of the values that it had before. */
const station = new Station({ isHere: true });
const values = new FamilyValues(station);
beforeAll(() => station.start());
afterAll(() => station.stop());

const families = creatableFamilies().map(family => ({ name: family.name, family }));
const corrected = families.filter(({ family }) => isCorrected(family));

interface Told {
  corrections_count: number;
  corrections: { path: string; old_value: unknown; new_value: unknown; reason: string | null }[];
}

async function send(method: string, path: string, body?: Fields) {
  const answer = await station.call(method, path, { body });
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  const { data, meta } = answer.body as { data: Fields & Told; meta?: { id?: number; ignored?: string[] } };
  return { data, meta, etag: answer.headers.get('etag') };
}

const at = (family: Family, id: unknown) => pathOf(family, 'update').replace('{id}', String(id));
const readAt = (family: Family, id: unknown) => pathOf(family, 'read').replace('{id}', String(id));

it('there are families of both kinds', () => {
  expect(corrected.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['ncr', 'inspection', 'shipment', 'lab-result', 'receiving-inspection', 'part']),
  );
  expect(families.length).toBeGreaterThan(corrected.length);
});

it.each(corrected)(
  '$name: says how many it has and what stood before, and takes its own answer back',
  async ({ family }) => {
    const [first, second] = [await values.all(family, 0), await values.all(family, 1)];
    const created = await send('POST', pathOf(family, 'create'), first);
    const id = created.data.id ?? created.meta?.id;
    expect(created.data).toMatchObject({ corrections_count: 0, corrections: [] });
    const reason = 'All wrong.';
    const updated = await send('PUT', at(family, id), { ...second, reason });
    const query = { subject: `${family.name}:${id}` };
    const { body } = await station.get('/x/corrections', query);
    const { data: known, meta } = body as { data: Told['corrections']; meta: { total: number } };

    const read = await send('GET', readAt(family, id));
    for (const { data } of [updated, read]) {
      expect(data.corrections_count).toBe(meta.total);
      expect(data.corrections).toEqual(
        known.map(({ path, old_value, new_value }) =>
          expect.objectContaining({ path, old_value, new_value, reason }),
        ),
      );
    }
    for (const { path, old_value } of known) {
      const value = family.fields[path]?.schemas().input.parse(first[path]);
      expect(old_value, path).toEqual(value);
    }

    const again = await send('PUT', at(family, id), { ...read.data, reason });
    // The tag's end is of the answer, which shows more where it is read; what stands before it is of the record.
    expect(recordIn(again.etag)).toBe(recordIn(read.etag));
    expect(again.meta?.ignored).toEqual(expect.arrayContaining(['corrections', 'corrections_count']));
    expect((await send('GET', readAt(family, id))).data.corrections_count).toBe(meta.total);
  },
);

const recordIn = (etag: string | null) => etag?.split('-').slice(0, 2).join('-');

it.each(families.filter(({ family }) => !isCorrected(family)))(
  '$name: says nothing of what it never keeps',
  async ({ family }) => {
    const { data } = await send('POST', pathOf(family, 'create'), await values.least(family));
    expect(data).not.toHaveProperty('corrections_count');
  },
);

it('lists the first ones, and counts all', async () => {
  const { data: report } = await send('POST', '/ncrs', {
    ncr_number: 'N-many',
    source: 'internal',
    lot_number: 'L-0',
  });
  for (let n = 1; n <= LISTED_CORRECTIONS + 1; n += 1)
    await send('PUT', `/ncrs/${report.id}`, { lot_number: `L-${n}` });
  const { data } = await send('GET', `/ncrs/${report.id}`);
  expect(data.corrections_count).toBe(LISTED_CORRECTIONS + 1);
  expect(data.corrections).toHaveLength(LISTED_CORRECTIONS);
  expect(data.corrections[0]).toMatchObject({
    path: 'lot_number',
    old_value: 'L-0',
    new_value: 'L-1',
    reason: null,
  });
});
