import { afterAll, beforeAll, expect, it } from 'vitest';
import { ClockedStation } from '../../server/identity/clocked-station.ts';
import { Callers } from './callers.ts';
import { FORMS, tryImport } from './import-doors.ts';
import { EVERYBODY } from './oracle.ts';
import type { Place } from './request-doors.ts';
import { makeShared } from './scenes.ts';
import { wrong } from './walk.ts';

const at = new ClockedStation();
let place: Place;
beforeAll(async () => {
  await at.start('central');
  const callers = new Callers(at);
  await callers.open();
  place = { callers, shared: await makeShared(at.station.store) };
});
afterAll(() => at.end());

const importers = ['administrator', 'admin'] as const;

it.each(Object.keys(FORMS).flatMap(form => importers.map(who => ({ form, who }))))(
  '$form, given back by $who, is a change like any other, whose reason is nobody’s word',
  async ({ form, who }) => expect(wrong(await tryImport(place, who, form))).toEqual([]),
);

it.each(EVERYBODY.filter(who => !importers.some(one => one === who)))('%s imports nothing', async who => {
  const mapping = {
    source: 'a',
    steps: [{ file: 'a.csv', family: 'supplier', key: 'no', fields: { name: 'name' } }],
  };
  const { id } = Object((await place.callers.call('admin', 'POST', '/x/imports', { mapping })).body).data;
  for (const [method, path, body] of [
    ['POST', '/x/imports', { mapping }],
    ['PUT', `/x/imports/${id}/files/a.csv`, 'no,name\n1,A\n'],
    ['POST', `/x/imports/${id}/run`, {}],
    ['POST', '/x/sample-company', {}],
  ] as const) {
    const { status } = await place.callers.call(who, method, path, body);
    expect(status, path).toBe(403);
  }
  await place.callers.call('admin', 'POST', `/x/imports/${id}/cancel`, {});
});
