import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import { childrenOf, expectPage, expectRecord } from './answers.ts';
import { createSpecification, reviseSpecification } from './extension.ts';
import { specification, specificationRow } from './shapes.ts';

const station = new Station({ isHere: true });
let jar: number;
let lid: number;

beforeAll(async () => {
  await station.start();
  jar = await createSpecification(station, {
    name: 'Honey jar',
    identification: 'SPEC-J1',
    notes: 'glass only',
    characteristics: [
      { name: 'Height', operation: 'Measure', dimensions: '100', tolerance: '±0.5' },
      { name: 'Colour', operation: 'Look', tolerance: 'as the master sample', is_optional: true },
    ],
  });
  lid = await createSpecification(station, {
    name: 'Lid 100%',
    identification: 'SPEC-L1',
    is_approved: false,
    characteristics: [],
  });
});
afterAll(() => station.stop());

describe('inspection templates (4.11)', () => {
  it('are read with their characteristics in order', async () => {
    const data = expectRecord(await station.get(`/specifications/${jar}`), specification);
    expect(data).toMatchObject({
      id: jar,
      name: 'Honey jar',
      identification: 'SPEC-J1',
      notes: 'glass only',
      is_approved: true,
      characteristics: [
        { name: 'Height', operation: 'Measure', dimensions: '100', tolerance: '±0.5', is_optional: false },
        { name: 'Colour', dimensions: null, tolerance: 'as the master sample', is_optional: true },
      ],
    });
    const positions = childrenOf(data, 'characteristics').map(({ order }) => Number(order));
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
  });

  it('without characteristics have an empty array', async () => {
    expect(expectRecord(await station.get(`/specifications/${lid}`), specification)).toMatchObject({
      is_approved: false,
      approved_by: null,
      characteristics: [],
    });
  });

  it('are listed without characteristics', async () => {
    const meta = { current_page: 1, from: 1, to: 2, total: 2, per_page: 50 };
    const records = expectPage(await station.get('/specifications'), specificationRow, meta);
    expect(records.map(({ id }) => id)).toEqual([jar, lid]);
    const page = await station.get('/specifications', { page: 2, per_page: 1 });
    expectPage(page, specificationRow, { current_page: 2, from: 2, to: 2, total: 2, per_page: 1 });
  });

  it.each([
    ['SPEC-J1', ['jar']],
    ['SPEC-9', []],
  ])('are found by the identification %s', async (identification, expected) => {
    expect(await found({ identification })).toEqual(expected);
  });

  it.each([
    ['HONEY', ['jar']],
    ['spec-', ['jar', 'lid']],
    ['oney j', ['jar']],
    ['ja', ['jar']],
    ['ar', []],
    ['j', ['jar']],
    ['100%', ['lid']],
    ['1_0', []],
    ['glass only', []],
    ['(a+)+$', []],
    ["' OR 1=1 --", []],
    ['NEAR(', []],
  ])('keyword %j is literal text in name or identification', async (keyword, expected) => {
    expect(await found({ keyword })).toEqual(expected);
  });

  it('get a new revision by a change after approval', async () => {
    const before = expectRecord(await station.get(`/specifications/${jar}`), specification);
    const revision = await reviseSpecification(station, jar, [{ name: 'Width', tolerance: '5-7' }]);
    const data = expectRecord(await station.get(`/specifications/${revision}`), specification);
    expect(Number(data.revision)).toBeGreaterThan(Number(before.revision));
    expect(data).toMatchObject({ characteristics: [{ name: 'Width', tolerance: '5-7' }] });
  });
});

async function found(query: Record<string, string>): Promise<string[]> {
  const names = new Map<unknown, string>([
    [jar, 'jar'],
    [lid, 'lid'],
  ]);
  const records = expectPage(await station.get('/specifications', query), specificationRow);
  return records.map(({ id }) => names.get(id) ?? 'other');
}
