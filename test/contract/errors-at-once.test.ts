import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Collection, Family } from '../../shared/contract/define-family.ts';
import type { Field } from '../../shared/contract/fields.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { listOperations } from '../../shared/operations/operations.ts';
import type { Fields } from '../support/expect-shape.ts';
import { type Answer, Station } from '../support/station.ts';
import { FamilyValues, pathOf } from './family-values.ts';
import { closeShipment, createPart, prepareShipment, receive } from './golden/records.ts';

/** A write that is wrong in many ways hears of all of them at once, in the order of the contract. */
const UNKNOWN_ID = 999_999;

const station = new Station({ isHere: true });
const values = new FamilyValues(station);
beforeAll(() => station.start());
afterAll(() => station.stop());

const writes = listOperations().filter(
  ({ kind }) => kind === 'create' || kind === 'update' || kind === 'add-item' || kind === 'update-item',
);

it('the table has every kind of write', () => {
  expect(new Set(writes.map(({ kind }) => kind)).size).toBe(4);
  expect(writes.length).toBeGreaterThan(60);
});

describe('everything that is wrong with a request is told at once', () => {
  it.each(writes.map(operation => ({ name: operation.id, operation })))('$name', async ({ operation }) => {
    const { path, record } = await targetOf(operation);
    const described = describedOf(operation);
    const mirrors = mirrorsOf(operation);
    const body = {
      ...wrongFields(described),
      ...wrongItems(described, operation.kind),
      ...Object.fromEntries(mirrors.map(name => [name, UNKNOWN_ID])),
    };
    const before = record === '' ? undefined : (await station.get(record)).headers.get('etag');
    const answer = await station.call(operation.method, path, {
      body,
      headers: { 'idempotency-key': 'not one word' },
    });
    expectBlamed(answer, [
      ...mirrors,
      'Idempotency-Key',
      ...wrongNames(described),
      ...wrongItemPaths(described, operation.kind),
    ]);
    for (const [at, [message = '']] of Object.entries(errorsOf(answer))) {
      if (at !== 'Idempotency-Key') expect(message, at).toContain(valueAt(body, at));
    }
    if (record !== '') expect((await station.get(record)).headers.get('etag')).toBe(before);
  });

  it('that writes many parts', async () => {
    const wrong = wrongFields(familyNamed('part'));
    const part = { name: 'A', identification: 'a' };
    const rows = [5, wrong, { ...part, unit_type: 'Mass', unit_of_measure: 'gal' }, { name: 'B' }];
    const places = [
      '0',
      ...wrongNames(familyNamed('part')).map(name => `1.${name}`),
      '2.unit_of_measure',
      '3.identification',
    ];
    expectBlamed(await station.post('/parts/bulk', rows), places);

    const known = await createPart(station, { unit_type: 'Mass', unit_of_measure: 'kg' });
    const written = [
      { ...part, id: UNKNOWN_ID, supplier_id: UNKNOWN_ID },
      { ...part, id: known, unit_of_measure: 'gal' },
      { ...part, id: 'x' },
      { ...part, id: known, supplier_id: UNKNOWN_ID },
    ];
    expectBlamed(await station.put('/parts/bulk', written), [
      '0.id',
      '0.supplier_id',
      '1.unit_of_measure',
      '2.id',
      '3.id',
      '3.supplier_id',
    ]);
  });

  it.each<[string, 'POST' | 'PUT', string, Fields, string[]]>([
    ['a lock', 'POST', '/x/inventory/{lot}/lock', { is_locked: 5, reason: 5 }, ['is_locked', 'reason']],
    [
      'a move of a lot',
      'POST',
      '/x/inventory/{lot}/moves',
      { reason: 5, quantity: 'x', from_location_id: 'x', to_location_id: UNKNOWN_ID },
      ['to_location_id', 'from_location_id', 'quantity', 'reason'],
    ],
    [
      'a ruling',
      'POST',
      '/x/sampling/reduced',
      { part_id: UNKNOWN_ID, supplier_id: 'x', is_allowed: 5, reason: 5 },
      ['part_id', 'supplier_id', 'is_allowed', 'reason'],
    ],
    [
      'the settings',
      'PUT',
      '/x/settings',
      { time_zone: 'Mars', backup_folder: 'here', backup_keep: 0, reason: 5 },
      ['reason', 'time_zone', 'backup_folder', 'backup_keep'],
    ],
    ['a token', 'POST', '/x/tokens', { name: ' ', scopes: ['all'] }, ['name', 'scopes']],
    ['a token of another type', 'POST', '/x/tokens', { name: 5, scopes: [] }, ['name', 'scopes']],
    [
      'a user',
      'POST',
      '/x/users',
      { name: 5, login: '?', roles: 5, password: 'short' },
      ['password', 'name', 'login', 'roles'],
    ],
    ['a sign-in', 'POST', '/x/session', { login: 5 }, ['login', 'password']],
    [
      'the first administrator',
      'POST',
      '/x/first-administrator',
      { code: 5, name: 5, login: '?', password: 'short' },
      ['code', 'name', 'login', 'password'],
    ],
  ])('%s', async (_name, method, path, body, places) => {
    const lot = path.includes('{lot}')
      ? await values.value(familyNamed('move'), 'inventory_id', lotField, 0)
      : 0;
    expectBlamed(await station.call(method, path.replace('{lot}', String(lot)), { body }), places);
  });

  it('a number that is taken, a reason that is missing and a verdict taken back', async () => {
    await station.post('/ncrs', { ncr_number: 'NCR-1', source: 'internal' });
    expectBlamed(await station.post('/ncrs', { ncr_number: 'NCR-1', quantity: 'x', part_id: UNKNOWN_ID }), [
      'ncr_number',
      'source',
      'quantity',
      'part_id',
    ]);
    const part = await createPart(station);
    const inspection = dataOf(await station.post('/inspections', { entity_id: part, passed: true })).id;
    const reopened = { entity_id: UNKNOWN_ID, drawing_id: UNKNOWN_ID, passed: null };
    expectBlamed(await station.put(`/inspections/${inspection}`, reopened), [
      'reason',
      'entity_id',
      'drawing_id',
    ]);
    const report = { ncr_number: 'NCR-2', source: 'internal' };
    const lot = await station.post('/x/inventory', {
      part_id: part,
      batch_number: 'L',
      lot_unit: 'kg',
      opening_quantity: 5,
    });
    const disposition = {
      ...report,
      disposition: 'scrap',
      inventory_id: dataOf(lot).id,
      error_code_id: UNKNOWN_ID,
    };
    expectBlamed(await station.post('/ncrs', disposition), [
      'reason',
      'error_code_id',
      'disposition_quantity',
    ]);
  });

  it('a shipment reopened without a reason', async () => {
    const part = await createPart(station, { unit_of_measure: 'kg' });
    await receive(station, {
      part_id: part,
      serial_number: 'S',
      quantity_accepted: 9,
      unit_of_measure: 'kg',
    });
    const { shipment } = await prepareShipment(station, { part_id: part, quantity: 4 });
    expect((await closeShipment(station, shipment)).status).toBe(200);
    const wrong = {
      actual_ship_date: null,
      order_id: UNKNOWN_ID,
      items: [{ id: UNKNOWN_ID, quantity: 'x' }],
    };
    expectBlamed(await station.put(`/shipments/${shipment}`, wrong), [
      'reason',
      'order_id',
      'items.0.id',
      'items.0.quantity',
    ]);
  });

  it('a signature', async () => {
    const { meta } = (await station.post('/ncrs', { ncr_number: 'NCR-3', source: 'internal' })).body as {
      meta: Fields;
    };
    await station.put('/x/settings', { is_esignature_required: true, is_esignature_reason_required: true });
    const answer = await station.put(`/ncrs/${meta.id}`, {
      id: UNKNOWN_ID,
      quantity: 'x',
      part_id: UNKNOWN_ID,
    });
    expectBlamed(answer, ['id', 'esignature_password', 'esignature_reason', 'quantity', 'part_id']);
    await station.put('/x/settings', { is_esignature_required: false, is_esignature_reason_required: false });
  });
});

it('nothing is said of a unit whose type cannot be read', async () => {
  const part = await createPart(station, { unit_type: 'Volume', unit_of_measure: 'l' });
  for (const body of [
    { unit_type: 5, unit_of_measure: 'kg' },
    { unit_of_measure: 'kg', unit_type: 'mass' },
  ]) {
    expectBlamed(await station.put(`/parts/${part}`, body), ['unit_type']);
  }
});

describe('a body that is no object', () => {
  it.each(writes.map(operation => ({ name: operation.id, operation })))('$name', async ({ operation }) => {
    const { path } = await targetOf(operation);
    for (const body of [5, 'null', []]) {
      expectBlamed(await station.call(operation.method, path, { body }), ['body']);
    }
  });
});

describe('what is said before anything of the body', () => {
  it('is that the record is not there, that it has changed, and who may not', async () => {
    const { id } = dataOf(await station.post('/suppliers', { name: 'A' }));
    const body = { id: UNKNOWN_ID, name: 5, reason: 5 };
    const call = (path: string, headers: Record<string, string | undefined>) =>
      station.call('PUT', path, { body, headers });
    expect((await call(`/suppliers/${UNKNOWN_ID}`, {})).status).toBe(404);
    expect((await call(`/suppliers/${id}`, { 'if-match': '"other"' })).status).toBe(412);
    expect((await call(`/suppliers/${id}`, { authorization: undefined })).status).toBe(401);
    expect((await call(`/suppliers/${id}`, { 'content-type': 'text/plain' })).status).toBe(415);
    const order = dataOf(await station.post('/orders', {})).id;
    expect((await station.put(`/orders/${order}/items/${UNKNOWN_ID}`, body)).status).toBe(404);
    expect((await station.post(`/orders/${UNKNOWN_ID}/items`, body)).status).toBe(404);
    expect((await station.post(`/x/inventory/${UNKNOWN_ID}/lock`, body)).status).toBe(404);
  });

  it('is not that an id is taken: the input is mended first', async () => {
    const part = await createPart(station);
    const { id } = dataOf(await station.post('/inspections', { entity_id: part }));
    expect((await station.post('/inspections', { id, entity_id: part })).status).toBe(409);
    expectBlamed(await station.post('/inspections', { id, sample_size: 'x' }), ['sample_size']);
  });
});

const lotField = familyNamed('move').fields.inventory_id as Field;

function familyNamed(name: string): Family {
  const family = listOperations().find(operation => operation.family?.name === name)?.family;
  if (!family) throw new Error(`There is no family ${name}.`);
  return family;
}

/** Of each field a value that is not of its kind; of references one that leads nowhere. */
function wrongFields({ name: of, fields }: Pick<Family | Collection, 'name' | 'fields'>): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]): [string, unknown][] =>
      field.writable
        ? [[name, wrong[`${of}.${name}`] ?? (field.reference ? UNKNOWN_ID : wrongOf(field))]]
        : [],
    ),
  );
}

/** Of two that contradict each other, one is blamed. */
function wrongNames(described: Pick<Family | Collection, 'name' | 'fields'>): string[] {
  const isSound = (name: string) =>
    ['part.unit_type', 'inspection.entity_type'].includes(`${described.name}.${name}`);
  return Object.keys(wrongFields(described)).filter(name => !isSound(name));
}

const wrong: Record<string, unknown> = {
  // What an id names is known of a kind that can be read.
  'inspection.entity_type': 'part',
  // Each is allowed, and one is none of the other.
  'part.unit_type': 'Volume',
  'part.unit_of_measure': 'kg',
  'inventory.lot_unit': 'bucket',
};

function wrongOf(field: Field): unknown {
  return field.kind === 'json' || field.kind === 'text-list' ? 5 : { an: 'object' };
}

/** Two items of each collection: a new one, and one whose id is none. */
function wrongItems(described: Family | Collection, kind: Operation['kind']): Fields {
  return Object.fromEntries(
    Object.entries(described.collections).map(([name, collection]) => {
      const item = { ...wrongFields(collection), ...wrongItems(collection, kind) };
      return [name, [item, { ...item, id: 'none' }]];
    }),
  );
}

function wrongItemPaths(described: Family | Collection, kind: Operation['kind']): string[] {
  return Object.entries(described.collections).flatMap(([name, collection]) => {
    const own = [...wrongNames(collection), ...wrongItemPaths(collection, kind)];
    return [...own.map(path => `${name}.0.${path}`), ...['id', ...own].map(path => `${name}.1.${path}`)];
  });
}

function describedOf({ family, collection }: Operation): Family | Collection {
  const described = collection === null ? family : family?.collections[collection];
  if (!described) throw new Error('The operation writes nothing.');
  return described;
}

/** Ids that stand in the path and may stand in the body. */
function mirrorsOf({ kind, parameters }: Operation): string[] {
  const names = Object.keys(parameters);
  if (kind === 'update-item')
    return [...names.filter(name => name.endsWith('_id') && name !== 'sample_id'), 'id'];
  return kind === 'add-item' ? names.filter(name => name !== 'id') : names;
}

/** A path with ids of records that are there, and where the record that is written can be read. */
async function targetOf({
  family,
  kind,
  path,
  collection,
}: Operation): Promise<{ path: string; record: string }> {
  if (!family || kind === 'create') return { path, record: '' };
  const created = await station.post(pathOf(family, 'create'), await values.least(family));
  const { data, meta } = created.body as { data?: Fields; meta?: Fields };
  const id = String(data?.id ?? meta?.id);
  const record = `/x/records/${family.name}/${id}`;
  const items = path.replace(/\{\w+\}/, id);
  const described = collection === null ? undefined : family.collections[collection];
  if (kind !== 'update-item' || !described || collection === null) return { path: items, record };
  const parent = items.slice(0, items.lastIndexOf('/'));
  const added = await station.post(parent, await values.item(described, Number(id)));
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  const whole = dataOf(await station.get(record)).fields as Record<string, Fields>;
  const item = Object.keys(whole[collection] ?? {}).at(-1);
  return { path: `${parent}/${item}`, record };
}

/** As messages show it. */
function valueAt(body: unknown, path: string): string {
  let value = body;
  for (const part of path.split('.')) value = (value as Fields | undefined)?.[part];
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function dataOf(answer: Answer): Fields {
  return (answer.body as { data: Fields }).data;
}

function errorsOf(answer: Answer): Record<string, string[]> {
  return (answer.body as { errors?: Record<string, string[]> }).errors ?? {};
}

/** Refused for these and no others, in this order, with one message each that says what to do. */
function expectBlamed(answer: Answer, paths: readonly string[]): void {
  const errors = errorsOf(answer);
  expect({ status: answer.status, blamed: Object.keys(errors) }, JSON.stringify(answer.body)).toEqual({
    status: 422,
    blamed: paths,
  });
  for (const [path, messages] of Object.entries(errors)) {
    expect(messages, path).toHaveLength(1);
    expect(messages[0], path).toMatch(
      /Give|Allowed|Leave|Change|The least|must be|Say|Sign in|One or more|needs (a|one)|signed with/,
    );
  }
}
