import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../server/http/openapi/openapi-document.ts';
import type { Family } from '../../shared/contract/define-family.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { listOperations } from '../../shared/operations/operations.ts';
import { type Fields, isObject } from '../support/expect-shape.ts';
import { filledFolder } from '../support/sample-company.ts';
import { type Answer, Station } from '../support/station.ts';
import { unfolded } from '../support/unfolded.ts';

/** Interface decisions, 5.14: what was read and is sent back as it was answered changes nothing. */

/** Of records that are alike but for their values, one stands for all, unless all are wanted. */
const IS_WHOLE = process.env.HOLDPOINT_WALK === 'full';

let station: Station;
let document: OpenApiDocument;
let lots: unknown;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const validators = new Map<string, ValidateFunction>();

beforeAll(async () => {
  const { folder } = await filledFolder();
  station = new Station({ folder, isHere: true });
  await station.start();
  // The company's story has no users.
  const user = { login: 'ines', name: 'Ines', roles: ['inspector'] };
  expect((await station.post('/x/users', user)).status).toBe(201);
  document = unfolded((await station.get('/openapi.json')).body as OpenApiDocument);
  for (const [name, schema] of Object.entries(document.components.schemas))
    ajv.addSchema(localised(schema), name);
  lots = await lotsNow();
});

afterAll(async () => {
  await station.stop();
  await rm(station.folder, { recursive: true });
});

const updates = listOperations().filter(({ kind }) => kind === 'update');
const itemUpdates = listOperations().filter(({ kind }) => kind === 'update-item');
const cases = updates.flatMap(update =>
  readsOf(update).map(read => ({ name: `${read.path} by ${update.method} ${update.path}`, read, update })),
);

describe('what was read and is sent back changes nothing', () => {
  it('is tried with every family that can be updated', () => {
    const tried = new Set(cases.map(({ update }) => update.family?.name));
    expect(tried).toEqual(new Set(updates.map(({ family }) => family?.name)));
    expect(tried.size).toBeGreaterThanOrEqual(17);
  });

  it('is tried with measurements that are no numbers', async () => {
    const { data } = (await station.get('/x/lab-results', { per_page: 500 })).body as { data: Fields[] };
    expect(data.filter(result => Object.keys(result.lab_data_qualified as Fields).length > 0)).not.toEqual(
      [],
    );
  });

  it.each(cases)('$name', async ({ read, update }) => {
    const before = commits();
    const faults: string[] = [];
    for (const id of recordIds(update.family)) {
      const answer = await station.get(withIds(read.path, [id]));
      expect(answer.status, `${read.path} ${id}`).toBe(200);
      faults.push(...(await sendBack(update, [id], dataOf(answer), read)));
      const again = await station.get(withIds(read.path, [id]));
      expect(again.body, `${update.path} ${id}`).toEqual(answer.body);
      expect(again.headers.get('etag')).toBe(answer.headers.get('etag'));
    }
    expect(faults).toEqual([]);
    expect(commits()).toBe(before);
  });

  it.each(
    updates.flatMap(update =>
      listsOf(update).map(list => ({ name: `${list.path} by ${update.method}`, list, update })),
    ),
  )('each record of the list $name', async ({ list, update }) => {
    const before = commits();
    const faults: string[] = [];
    const { body } = await station.get(list.path, { per_page: 500, ...(list.query.as && { as: 'array' }) });
    const { data } = body as { data: Fields[] };
    expect(data.length).toBeGreaterThan(0);
    const ids = new Set(recordIds(update.family));
    const chosen = data.filter(({ id }) => ids.has(Number(id)));
    expect(chosen).not.toEqual([]);
    for (const record of chosen) faults.push(...(await sendBack(update, [Number(record.id)], record, list)));
    expect(faults).toEqual([]);
    expect(commits()).toBe(before);
  });

  it.each(itemUpdates.map(update => ({ name: `${update.method} ${update.path}`, update })))(
    'each item by $name',
    async ({ update }) => {
      const before = commits();
      const faults: string[] = [];
      let tried = 0;
      for (const read of readsOf(update)) {
        for (const id of recordIds(update.family)) {
          const items = dataOf(await station.get(withIds(read.path, [id])))[update.collection ?? ''];
          for (const item of Array.isArray(items) ? (items as Fields[]) : []) {
            tried += 1;
            faults.push(...(await sendBack(update, [id, Number(item.id)], item, read)));
          }
        }
      }
      expect(faults).toEqual([]);
      expect(tried).toBeGreaterThan(IS_WHOLE ? 20 : 10);
      expect(commits()).toBe(before);
    },
  );

  it('all parts as their list has them, by PUT /parts/bulk', async () => {
    const before = commits();
    const { data } = (await station.get('/parts', { per_page: 500 })).body as { data: Fields[] };
    expect(data.length).toBeGreaterThan(20);
    const bulk = listOperations().find(({ id }) => id === 'parts.bulk-write');
    expect(bulk && (await sendBack(bulk, [], data, bulk))).toEqual([]);
    expect(commits()).toBe(before);
  });

  it('the settings', async () => {
    const before = commits();
    const update = listOperations().find(({ id }) => id === 'x.settings.update');
    const data = dataOf(await station.get('/x/settings'));
    expect(update && (await sendBack(update, [], data, update))).toEqual([]);
    expect(commits()).toBe(before);
  });

  it('leaves all lots as they were', async () => {
    expect(await lotsNow()).toEqual(lots);
  });
});

/** What is at fault with a body that says what was read: by the document's own schema, and by the answer. */
async function sendBack(update: Operation, ids: number[], body: unknown, read: Operation): Promise<string[]> {
  const place = `${read.path} ${ids.join()} by ${update.method}`;
  const validate = validators.get(update.id) ?? ajv.compile(schemaOf(update));
  validators.set(update.id, validate);
  const faults = validate(body) ? [] : [`${place}: ${ajv.errorsText(validate.errors)}`];
  const answer = await station.call(update.method, withIds(update.path, ids), { body });
  if (answer.status !== 200) faults.push(`${place}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return faults;
}

function schemaOf(update: Operation): object {
  const method = update.method.toLowerCase() as 'put';
  const { requestBody } = document.paths[update.path]?.[method] ?? {};
  const schema = requestBody?.content['application/json']?.schema;
  if (!schema) throw new Error(`The document has no body of ${update.id}.`);
  return localised(schema);
}

/** References as the validator knows the components: by their names. */
function localised(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"'));
}

/** Every way in which the records of an update's family are read. */
function readsOf({ family }: Operation): Operation[] {
  return listOperations().filter(({ kind, family: own }) => kind === 'read' && own?.name === family?.name);
}

/** The paged lists of an update's family. */
function listsOf({ family }: Operation): Operation[] {
  return listOperations().filter(({ kind, family: own }) => kind === 'list' && own?.name === family?.name);
}

/** Records of the family, whichever list shows them: one of each shape, unless all are wanted. */
function recordIds(family: Family | null): number[] {
  const sql = `SELECT f_id AS id, document FROM holdpoint__records__0 WHERE f_family = '${family?.name}' ORDER BY 1`;
  const all = rows(sql).map(({ id, document }) => ({
    id: Number(id),
    fields: JSON.parse(String(document)).fields,
  }));
  const ofShapes = new Map(all.map(({ id, fields }) => [IS_WHOLE ? id : shapeOf(fields), id]));
  return [...ofShapes.values()];
}

/** What a body can differ in but by its values: which there are, words of a set, yes and no, kinds of texts and numbers. */
function shapeOf(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'string')
    return /^[a-z_]{1,20}$/i.test(value) ? value : value.replace(/\d+/g, '0').replace(/[^\d.:TZ+-]+/g, 'x');
  if (!isObject(value) && !Array.isArray(value)) return String(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${/^\d+$/.test(name) ? '' : name}${shapeOf(member)}`,
  );
  return `{${[...new Set(members)].join()}}`;
}

function commits(): unknown {
  return rows('SELECT count(*) AS n FROM history')[0]?.n;
}

async function lotsNow(): Promise<unknown> {
  const { data } = (await station.get('/inventory', { per_page: 500 })).body as { data: Fields[] };
  return {
    data,
    locks: rows('SELECT source, lot, lock FROM lot_fact WHERE lock IS NOT NULL ORDER BY 1, 2, 3'),
  };
}

function rows(sql: string): Fields[] {
  const database = new DatabaseSync(join(station.folder, 'holdpoint.db'), { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

function dataOf({ body }: Answer): Fields {
  const { data } = body as { data: unknown };
  if (!isObject(data)) throw new Error(`No record: ${JSON.stringify(body)}`);
  return data;
}

function withIds(path: string, ids: number[]): string {
  let at = 0;
  return path.replace(/\{\w+\}/g, () => String(ids[at++]));
}
