import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Collection, Family } from '../../shared/contract/define-family.ts';
import type { Field } from '../../shared/contract/fields.ts';
import { aliasesOf } from '../../shared/contract/parse-input.ts';
import { listOperations } from '../../shared/operations/operations.ts';
import { type Fields, isObject } from '../support/expect-shape.ts';
import { type Answer, Station } from '../support/station.ts';
import { creatableFamilies, FamilyValues, pathOf } from './family-values.ts';

const UNKNOWN_ID = 999_999;

const station = new Station({ isHere: true });
const values = new FamilyValues(station);
beforeAll(() => station.start());
afterAll(() => station.stop());

const families = creatableFamilies().map(family => ({ name: family.name, family }));
const updatable = families.filter(({ family }) => pathOf(family, 'update') !== '');

interface FieldCase {
  /** The family and the field as a client writes it, for the test's name. */
  name: string;
  family: Family;
  /** The collections that lead to it. */
  through: [name: string, collection: Collection][];
  key: string;
  isAlias: boolean;
  field: Field;
}

const fieldCases = families.flatMap(({ family }) => casesOf(family, family, []));
const references = fieldCases.filter(({ field }) => field.reference);
const choices = fieldCases.filter(({ field }) => field.choices);
const required = fieldCases.filter(({ field }) => field.requiredOn.includes('create'));
const typed = fieldCases.filter(({ field }) => !['text', 'long-text', 'json'].includes(field.kind));

it('the tables are not empty', () => {
  expect(families.length).toBeGreaterThanOrEqual(20);
  for (const cases of [references, choices, required, typed]) expect(cases.length).toBeGreaterThan(5);
});

describe('every family', () => {
  it.each(families)('$name: create, read, update and history agree', async ({ family }) => {
    const [first, second] = [await values.all(family, 0), await values.all(family, 1)];
    const id = await create(family, first);
    await expectStored(family, id, first, 1);
    if (pathOf(family, 'update') === '') return;

    const update = { ...second, reason: 'all wrong' };
    const updated = await station.put(withId(pathOf(family, 'update'), id), update);
    expect(updated.status, JSON.stringify(updated.body)).toBe(200);
    await expectStored(family, id, second, 2);

    const { data } = (await station.get(`/x/history/${family.name}/${id}`)).body as { data: Fields[] };
    expect(data.map(({ number }) => Number(number))).toEqual([expect.any(Number), expect.any(Number)]);
    const changes = (data[1]?.changes ?? []) as { path: string; old: unknown; new: unknown }[];
    const byPath = new Map(changes.map(change => [change.path, change]));
    for (const name of Object.keys(second)) {
      const [old, now] = [storedOf(family, name, first[name]), storedOf(family, name, second[name])];
      if (JSON.stringify(old) === JSON.stringify(now)) expect(byPath.get(name)).toBeUndefined();
      else expect(byPath.get(name), name).toMatchObject({ old, new: now, over: [data[0]?.commit] });
    }

    const again = await station.patch(withId(pathOf(family, 'update'), id), update);
    expect(again.headers.get('etag')).toBe(updated.headers.get('etag'));
    await expectStored(family, id, second, 2);
  });

  it.each(updatable)(
    '$name: null clears every field that need not be there, to its default where it has one',
    async ({ family }) => {
      const id = await create(family, await values.all(family, 0));
      const names = Object.entries(family.fields).flatMap(([name, field]) =>
        field.writable && field.requiredOn.length === 0 && !kept.has(`${family.name}.${name}`) ? [name] : [],
      );
      const body = { ...Object.fromEntries(names.map(name => [name, null])), reason: 'all wrong' };
      const answer = await station.patch(withId(pathOf(family, 'update'), id), body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const whole = await wholeRecord(family, id);
      const left = Object.fromEntries(names.map(name => [name, (whole.fields as Fields)[name]]));
      expect(left).toEqual(Object.fromEntries(names.map(name => [name, family.fields[name]?.fallback])));
    },
  );
});

/** Samples are never removed, so their number stays; numbers that the server gives cannot be cleared; a plan is for something; a lot keeps a number. */
const kept = new Set([
  'inspection.sample_size',
  'order.order_number',
  'shipment.shipment_number',
  'ncr.ncr_number',
  'car.car_number',
  'inspection-plan.part_id',
  'inventory.batch_number',
]);

describe('a reference to what is not there', () => {
  it.each(references)('$name is refused on that name', async fieldCase => {
    for (const value of [UNKNOWN_ID, String(UNKNOWN_ID), 'abc', 0, 1.5, true]) {
      await expectRefusedField(fieldCase, value);
    }
  });
});

describe('a choice that is none', () => {
  it.each(choices)('$name is refused with what is allowed', async fieldCase => {
    for (const value of ['nonsense', 1, ['a']]) {
      const message = await expectRefusedField(fieldCase, value);
      for (const allowed of fieldCase.field.choices ?? []) expect(message).toContain(allowed);
    }
  });
});

describe('what must be given', () => {
  it.each(required)('$name is refused on that name without it', async fieldCase => {
    for (const value of fieldCase.isAlias ? [null, ''] : [undefined, null, ''])
      await expectRefusedField(fieldCase, value);
  });
});

describe('a value of another type', () => {
  it.each(typed)('$name is refused on that name', async fieldCase => {
    await expectRefusedField(fieldCase, { an: 'object' });
  });
});

/** Sends the value in every write that takes it; all must be refused on its name. Returns the create's message. */
async function expectRefusedField(fieldCase: FieldCase, value: unknown): Promise<string> {
  const { family, through, key, field } = fieldCase;
  const path = [...through.map(([name]) => `${name}.0`), key].join('.');
  const message = expectBlamed(
    await station.post(pathOf(family, 'create'), await bodyWith(fieldCase, value)),
    path,
  );
  const [name, collection] = through[0] ?? [];
  const operation = listOperations().find(
    other => other.kind === 'add-item' && other.family?.name === family.name && other.collection === name,
  );
  if (operation && collection && through.length === 1) {
    const parent = await create(family, await values.least(family));
    const item = without(collection, field, await values.item(collection, parent));
    const items = operation.path.replace(/\{\w+\}/, String(parent));
    expectBlamed(await station.post(items, { ...item, [key]: value }), key);
  }
  const isKnown = !fieldCase.isAlias || aliasesOf(family, field, 'put').includes(key);
  if (through.length === 0 && pathOf(family, 'update') !== '' && value !== undefined && isKnown) {
    const update = withId(pathOf(family, 'update'), await create(family, await values.least(family)));
    expectBlamed(await station.patch(update, { [key]: value }), key);
  }
  return message;
}

/** The least body of a create that has the value in its place. */
async function bodyWith({ family, through, key, field }: FieldCase, value: unknown): Promise<Fields> {
  const innermost = through.at(-1)?.[1] ?? family;
  let body: Fields = { ...without(innermost, field, await values.least(innermost)), [key]: value };
  for (let depth = through.length - 1; depth >= 0; depth -= 1) {
    const [name = ''] = through[depth] ?? [];
    body = { ...(await values.least(through[depth - 1]?.[1] ?? family)), [name]: [body] };
  }
  return body;
}

/** Without the field under its own name, which would be read where the value stands under another. */
function without(described: Family | Collection, field: Field, body: Fields): Fields {
  return Object.fromEntries(Object.entries(body).filter(([name]) => described.fields[name] !== field));
}

function expectBlamed(answer: Answer, path: string): string {
  const { errors } = answer.body as { errors?: Record<string, string[]> };
  expect({ status: answer.status, blamed: Object.keys(errors ?? {}) }, JSON.stringify(answer.body)).toEqual({
    status: 422,
    blamed: [path],
  });
  return errors?.[path]?.join(' ') ?? '';
}

/** The whole record holds what the body said, and the documented answer shows it. */
async function expectStored(family: Family, id: number, body: Fields, version: number): Promise<void> {
  const whole = await wholeRecord(family, id);
  expect(whole).toMatchObject({ version });
  const read = await station.get(withId(pathOf(family, 'read'), id));
  expect(read.status).toBe(200);
  const { data } = read.body as { data: Fields };
  for (const [name, value] of Object.entries(body)) {
    const stored = storedOf(family, name, value);
    expect((whole.fields as Fields)[name] ?? null, `${family.name}.${name}`).toEqual(stored);
    const field = family.fields[name];
    if (!field?.returned || !(name in data)) continue;
    const shown = stored === null ? (field.absent ?? null) : field.emit ? field.emit(stored) : stored;
    expect(data[name], `${family.name}.${name}`).toEqual(shown);
  }
}

function storedOf(family: Family, name: string, value: unknown): unknown {
  return value === null || value === undefined ? null : family.fields[name]?.schemas().input.parse(value);
}

async function wholeRecord(family: Family, id: number): Promise<Fields> {
  const { data } = (await station.get(`/x/records/${family.name}/${id}`)).body as { data: Fields };
  return data;
}

async function create(family: Family, fields: Fields): Promise<number> {
  const { status, body } = await station.post(pathOf(family, 'create'), fields);
  const { data, meta } = body as { data?: unknown; meta?: unknown };
  if (status !== 201 || !isObject(data)) throw new Error(`${family.name}: ${JSON.stringify(body)}`);
  return Number(data.id ?? (isObject(meta) ? meta.id : undefined));
}

function withId(path: string, id: number): string {
  return path.replace('{id}', String(id));
}

function casesOf(family: Family, described: Family | Collection, through: FieldCase['through']): FieldCase[] {
  const path = through.map(([name]) => `${name}.`).join('');
  const own = Object.entries(described.fields).flatMap(([name, field]) =>
    [name, ...field.aliases].map(key => {
      const isAlias = key !== name;
      return { name: `${family.name} ${path}${key}`, family, through, key, isAlias, field };
    }),
  );
  const nested = Object.entries(described.collections).flatMap(([name, collection]) =>
    casesOf(family, collection, [...through, [name, collection]]),
  );
  return [...own.filter(({ field }) => field.writable), ...nested];
}
