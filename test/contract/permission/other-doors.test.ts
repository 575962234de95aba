import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Family } from '../../../shared/contract/define-family.ts';
import { type FamilyName, families } from '../../../shared/families/registry.ts';
import { listOperations } from '../../../shared/operations/operations.ts';
import { ClockedStation } from '../../server/identity/clocked-station.ts';
import { Callers, loginOf } from './callers.ts';
import { authorOf, EVERYBODY, isAtLeast, type Person, rows, unchanging, type Who } from './oracle.ts';
import { answered, type Place } from './request-doors.ts';
import { byServer, makeScenes, makeShared, type Scene } from './scenes.ts';

/** Doors that are for no row of the table: those that are not there, and operations that write in ways of their own. */

const at = new ClockedStation();
let place: Place;
beforeAll(async () => {
  await at.start('central');
  const callers = new Callers(at);
  await callers.open();
  place = { callers, shared: await makeShared(at.station.store) };
});
afterAll(() => at.end());

const all = Object.values<Family>(families);

async function sceneOf(of: FamilyName, path: string, author?: string): Promise<Scene> {
  const row = rows.find(one => one.of === of && one.path === path);
  if (!row) throw new Error(path);
  const [scene] = await makeScenes(at.station.store, place.shared, row, 1, author);
  if (!scene) throw new Error(path);
  return scene;
}

/** Everybody calls; who is not at least `least` is refused for it, and who is is not. */
async function refusedBelow(least: Person, call: (who: Who) => Promise<{ status: number; said: string }>) {
  for (const who of EVERYBODY) {
    const { status, said } = await call(who);
    const isRefused = !isAtLeast(authorOf(who, true).role, least);
    expect({ who, isRefused: status === 403 }, said).toEqual({ who, isRefused });
    if (isRefused) expect(said).toMatch(/\brole|\bscope/);
  }
}

describe('a door that is not there', () => {
  const paths = all.flatMap(({ name, path }) => [path, `/x${path}`].map(one => ({ name, path: one })));
  const known = listOperations().map(({ method, path }) => `${method} ${path}`);

  it.each(paths)(
    '$path in bulk, changed or begun otherwise than the table of operations says',
    async ({ path }) => {
      const tries = [
        ...['POST', 'PUT', 'PATCH'].map(method => [method, `${path}/bulk`] as const),
        ...['PUT', 'PATCH', 'DELETE'].map(method => [method, `${path}/{id}`] as const),
        ['POST', path] as const,
      ].filter(([method, one]) => !known.includes(`${method} ${one}`));
      for (const [method, one] of tries) {
        const body = one.endsWith('bulk') ? [{ name: 'A' }] : { name: 'A' };
        const { status } = await place.callers.call('administrator', method, one.replace('{id}', '1'), body);
        expect([404, 405], `${method} ${one}`).toContain(status);
      }
    },
  );

  it('is none of those that the families have', () => {
    const changed = all.filter(({ path }) =>
      known.some(one => [`PUT ${path}/{id}`, `PUT /x${path}/{id}`].includes(one)),
    );
    const facts = [...unchanging, 'setting', 'correction'] as string[];
    expect(changed.map(({ name }) => name).sort()).toEqual(
      all.flatMap(({ name }) => (facts.includes(name) ? [] : [name])).sort(),
    );
    expect(known.filter(one => one.endsWith('/bulk'))).toEqual(['POST /parts/bulk', 'PUT /parts/bulk']);
  });
});

describe('an item that is added', () => {
  it.each([
    ['order', 'items.*.quantity', 'operator'],
    ['shipment', 'items.*.quantity', 'operator'],
    ['receiving-inspection', 'items.*.cost', 'operator'],
    ['inspection', 'samples.*.sample_serial', 'inspector'],
  ] as const)('to a record of %s', async (of, path, least) => {
    const { id } = await sceneOf(of, path);
    const add = listOperations().find(({ kind, family }) => kind === 'add-item' && family?.name === of);
    const serial_number = 'Mine';
    const item = of === 'inspection' ? {} : { part_id: place.shared.part, serial_number, quantity: 1 };
    const body = of === 'order' ? { ...item, order_id: id } : item;
    await refusedBelow(least, async who =>
      answered(await place.callers.call(who, 'POST', add?.path.replace(/\{\w+\}/, String(id)) ?? '', body)),
    );
  });
});

it('a table of lab results is read in by whoever writes one down', async () => {
  const { shared, callers } = place;
  const lot = at.station.store.records.get('inventory', shared.spareLot);
  const csv = `batch_number,Height\n${lot?.fields.batch_number},10\n`;
  await refusedBelow('inspector', async who =>
    answered(await callers.call(who, 'POST', '/x/lab-results/import', { csv, template_id: shared.template })),
  );
});

it('how strictly is sampled is decided by quality', async () => {
  const body = { part_id: place.shared.part, is_allowed: true, reason: 'steady' };
  await refusedBelow('quality', async who =>
    answered(await place.callers.call(who, 'POST', '/x/sampling/reduced', body)),
  );
});

it.each(EVERYBODY)('a certificate is issued and withdrawn by a person of quality: %s', async who => {
  const { callers, shared } = place;
  const isAllowed = who === 'quality' || who === 'administrator';
  const refused = isAllowed ? [] : [403, 403];
  const issue = (by: Who) => callers.call(by, 'POST', `/x/inventory/${shared.spareLot}/certificates`, {});
  const made = await issue('quality');
  const { id } = Object(made.body).data;
  const withdraw = () => callers.call(who, 'POST', `/x/certificates/${id}/withdraw`, { reason: 'Odd.' });
  const statuses = [(await issue(who)).status, (await withdraw()).status];
  expect(statuses.filter(status => status === 403)).toEqual(refused);
  expect(made.status).toBe(201);
  if (isAllowed) expect(statuses).toEqual([201, 200]);
});

it('the sample company is an administrator’s, and comes to no records', async () => {
  await refusedBelow('administrator', async who =>
    answered(await place.callers.call(who, 'POST', '/x/sample-company', {})),
  );
  const { status } = await place.callers.call('admin', 'POST', '/x/sample-company', {});
  expect(status).toBe(409);
});

describe('a correction', () => {
  const awaiting = (by: { author: string; author_id?: number }) =>
    byServer(at.station.store, by.author, work => {
      const about = { subject: `inventory:${place.shared.spareLot}`, path: 'expiry_date' };
      return work.insert(families.correction, { ...about, ...by, status: 'awaiting', lots: [] }).id;
    });
  const accept = async (who: Who, id: number, reason = 'I saw it.') =>
    answered(await place.callers.call(who, 'POST', `/x/corrections/${id}/accept`, { reason }));
  const userOf = (who: Person) =>
    [...at.station.store.records.all('user')].find(({ fields }) => fields.login === loginOf(who))?.id ?? 0;

  it.each(EVERYBODY)('is accepted by a person of quality, with a reason: %s', async who => {
    const id = await awaiting({ author: 'scale' });
    const isAllowed = who === 'quality' || who === 'administrator';
    expect((await accept(who, id)).status).toBe(isAllowed ? 200 : 403);
    const now = at.station.store.records.get('correction', id)?.fields.status;
    expect(now).toBe(isAllowed ? 'accepted' : 'awaiting');
    if (isAllowed) expect((await accept(who, await awaiting({ author: 'scale' }), '')).status).toBe(422);
  });

  it.each(['quality', 'administrator'] as const)('is not accepted by its author: %s', async who => {
    const id = await awaiting({ author: loginOf(who), author_id: userOf(who) });
    expect((await accept(who, id)).status).toBe(403);
    expect(at.station.store.records.get('correction', id)?.fields.status).toBe('awaiting');
  });
});

it('who measured what failed does not take it back, whatever the role', async () => {
  for (const who of ['quality', 'administrator'] as const) {
    const row = rows.find(one => one.of === 'inspection' && one.frees === 'another person');
    if (!row) throw new Error('No row.');
    const [scene] = await makeScenes(at.station.store, place.shared, row, 1, loginOf(who));
    const body = { passed: scene?.to, reason: 'The gauge was wrong.' };
    const { status } = await place.callers.call(who, 'PATCH', `/inspections/${scene?.id}`, body);
    expect(status).toBe(403);
    expect(at.station.store.records.get('inspection', scene?.id ?? 0)?.fields.passed).toBe(false);
  }
});
