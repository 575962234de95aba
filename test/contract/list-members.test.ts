import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../server/http/openapi/openapi.ts';
import type { Family } from '../../shared/contract/define-family.ts';
import { listOperations } from '../../shared/operations/operations.ts';
import { type Fields, isObject } from '../support/expect-shape.ts';
import { filledFolder } from '../support/sample-company.ts';
import { Station } from '../support/station.ts';

/** `fields`, `expand` and the tag of every list, on the records of the sample company: interface decisions, 2. */
let station: Station;
beforeAll(async () => {
  station = new Station({ folder: (await filledFolder()).folder, isHere: true });
  await station.start();
});
afterAll(async () => {
  await station.stop();
  await rm(station.folder, { recursive: true, force: true });
});

const { paths } = openApiDocument();

/** What the description says that a parameter of a list may name. */
function namesOf(path: string, parameter: string): string[] {
  const found = paths[path]?.get?.parameters?.find(each => 'name' in each && each.name === parameter);
  const schema = found && 'schema' in found ? found.schema : undefined;
  return (schema?.items?.enum ?? []).map(String);
}

const lists = listOperations()
  .filter(({ kind, family }) => kind === 'list' && family !== null)
  .map(({ path, family, query }) => ({ path, family: family as Family, hasForms: 'as' in query }))
  // The document's shipments have no pages, and no members to choose.
  .filter(({ path }) => path !== '/shipments');

const ask = async (path: string, query: Record<string, string>, headers: Record<string, string> = {}) => {
  const strictly = { prefer: 'handling=strict', ...headers };
  const answer = await station.call('GET', path, { query: { per_page: 100, ...query }, headers: strictly });
  return { ...answer, data: ((answer.body as { data?: Fields[] } | undefined)?.data ?? []) as Fields[] };
};

it('there are lists, fields and records to expand', () => {
  expect(lists.length).toBeGreaterThan(20);
  const expanding = lists.filter(({ path }) => namesOf(path, 'expand').length > 0);
  expect(expanding.length).toBeGreaterThan(12);
});

describe.each(lists)('$path', ({ path, hasForms }) => {
  const form: Record<string, string> = hasForms ? { as: 'array' } : {};

  it('answers each of its members alone, beside the id', async () => {
    const names = namesOf(path, 'fields');
    expect(names.length).toBeGreaterThan(1);
    const whole = await ask(path, form);
    for (const name of names) {
      const { status, data } = await ask(path, { ...form, fields: name });
      expect({ name, status }).toEqual({ name, status: 200 });
      const [first = '', member] = name.split('.');
      for (const [index, record] of data.entries()) {
        expect(new Set(Object.keys(record)), name).toEqual(new Set(['id', first]));
        if (member === undefined) expect(record[first], name).toEqual(whole.data[index]?.[first]);
        else
          for (const item of record[first] as Fields[])
            expect(new Set(Object.keys(item)), name).toEqual(new Set(['id', member]));
      }
    }
  });

  it('puts each record that it refers to beside its id', async () => {
    for (const name of namesOf(path, 'expand')) {
      const { status, data } = await ask(path, { ...form, expand: name });
      expect({ name, status }).toEqual({ name, status: 200 });
      const [first = '', member] = name.split('.');
      const holders = member === undefined ? data : data.flatMap(record => record[first] as Fields[]);
      for (const holder of holders) expectExpanded(holder, member ?? first);
    }
  });

  it('has a tag, by which it is 304 while it is the same', async () => {
    const { headers } = await ask(path, form);
    const tag = headers.get('etag') ?? '';
    expect(tag).not.toBe('');
    expect((await ask(path, form, { 'if-none-match': tag })).status).toBe(304);
  });
});

/** The record that the id names, or null where there is none. */
function expectExpanded(holder: Fields, name: string): void {
  const record = holder[name];
  expect(record === null || isObject(record), name).toBe(true);
  if (isObject(record) && `${name}_id` in holder)
    expect(Number(record.id), name).toBe(Number(holder[`${name}_id`]));
}
