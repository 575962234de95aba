/** Import: an export that was changed and is given back, as JSON and as CSV, and a table of another program. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { ImportKeys } from '../../../server/store/import-keys.ts';
import { toCell } from '../../../server/transfer/exported-record.ts';
import type { ImportJob } from '../../../server/transfer/imports.ts';
import type { Family } from '../../../shared/contract/define-family.ts';
import { fieldAt } from '../../../shared/contract/permission.ts';
import { families } from '../../../shared/families/registry.ts';
import { dataOf } from '../../server/identity/browser.ts';
import type { Callers } from './callers.ts';
import { expectedOf, nameOf, type Row, rows, type Who } from './oracle.ts';
import type { Place } from './request-doors.ts';
import { makeScenes, type Scene, valueAt } from './scenes.ts';
import { type Attempt, outcomeOf } from './walk.ts';

interface Tried {
  row: Row;
  scene: Scene;
}

interface Files {
  mapping: object;
  files: Record<string, string>;
}

type Form = (place: Place, who: Who, tried: readonly Tried[]) => Promise<Files>;

export const FORMS: Record<string, { isFor: (row: Row) => boolean; files: Form }> = {
  'an export as JSON': { isFor: () => true, files: wholeJson },
  'an export as CSV': { isFor: ({ path }) => path.split('.').length <= 3, files: wholeCsv },
  "another program's CSV": {
    isFor: ({ of, path, isSetByServer }) =>
      path.split('.').length <= 3 && !isSetByServer && !['setting', 'user'].includes(of),
    files: mappedCsv,
  },
};

/** Whoever may import changes every row's value by one import in that form. */
export async function tryImport(
  place: Place,
  who: 'administrator' | 'admin',
  form: string,
): Promise<Attempt[]> {
  const { store } = place.callers.at.station;
  const { isFor, files } = FORMS[form] ?? { isFor: () => false, files: wholeJson };
  const tried: Tried[] = [];
  for (const row of rows.filter(isFor)) {
    const [scene] = await makeScenes(store, place.shared, row, 1);
    if (scene) tried.push({ row, scene });
  }
  const job = await runImport(place.callers, who, await files(place, who, tried));
  if (job.bad_rows.length > 0) throw new Error(JSON.stringify(job.bad_rows));
  return tried.map(({ row, scene }) => ({
    door: `an import of ${form}`,
    row: nameOf(row),
    who,
    hasReason: true,
    expected: expectedOf(row, { role: 'administrator', kind: 'import', hasReason: true }),
    got: outcomeOf(store, scene, { status: 200, said: '' }),
  }));
}

async function runImport(callers: Callers, who: Who, { mapping, files }: Files): Promise<ImportJob> {
  const made = dataOf<ImportJob>(await callers.call(who, 'POST', '/x/imports', { mapping, skip_bad: true }));
  for (const [name, text] of Object.entries(files))
    await callers.raw(who, 'PUT', `/x/imports/${made.id}/files/${encodeURIComponent(name)}`, text);
  dataOf(await callers.call(who, 'POST', `/x/imports/${made.id}/run`, {}));
  for (;;) {
    const job = dataOf<ImportJob>(await callers.call(who, 'GET', `/x/imports/${made.id}`));
    if (job.state !== 'running') return job;
    await sleep(10);
  }
}

async function wholeJson({ callers }: Place, who: Who, tried: readonly Tried[]): Promise<Files> {
  const files: Record<string, string> = {};
  for (const family of familiesOf(tried)) {
    const text = await callers.raw(who, 'GET', `/x/exports/${family.name}`);
    const records = text.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line)]));
    const changed = of(tried, family).map(({ scene }) => {
      const record = records.find(({ id }) => id === scene.id);
      setIn(record, scene.path, scene.to);
      return JSON.stringify(record);
    });
    files[`${family.name}.jsonl`] = changed.join('\n');
  }
  return { mapping: wholeMapping(callers, tried, ({ name }) => ({ file: `${name}.jsonl` })), files };
}

async function wholeCsv({ callers }: Place, who: Who, tried: readonly Tried[]): Promise<Files> {
  const files: Record<string, string> = {};
  for (const family of familiesOf(tried)) {
    const own = of(tried, family);
    const isOwn = (column: string) => (row: Record<string, string>) =>
      own.some(({ scene }) => String(scene.id) === row[column]);
    const read = async (query: string) =>
      parse<Record<string, string>>(
        await callers.raw(who, 'GET', `/x/exports/${family.name}?format=csv${query}`),
        { columns: true },
      );
    const records = (await read('')).filter(isOwn('id'));
    for (const { scene } of own.filter(({ scene: { path } }) => !path.includes('.')))
      Object.assign(records.find(({ id }) => id === String(scene.id)) ?? {}, {
        [scene.path]: toCell(scene.to),
      });
    files[`${family.name}.csv`] = csvOf(records);
    for (const name of Object.keys(family.collections)) {
      const items = (await read(`&items=${name}`)).filter(isOwn('record'));
      for (const { scene } of own) {
        const [collection, item, leaf = ''] = scene.path.split('.');
        if (collection !== name) continue;
        Object.assign(items.find(({ id }) => id === item) ?? {}, { [leaf]: toCell(scene.to) });
      }
      files[`${family.name}-${name}.csv`] = csvOf(items);
    }
  }
  const mapping = wholeMapping(callers, tried, ({ name, collections }) => ({
    file: `${name}.csv`,
    items: Object.fromEntries(
      Object.keys(collections)
        .filter(items => files[`${name}-${items}.csv`] !== '')
        .map(items => [items, { file: `${name}-${items}.csv` }]),
    ),
  }));
  return { mapping, files: Object.fromEntries(Object.entries(files).filter(([, text]) => text !== '')) };
}

/** A file for each row: the record is known by a key that an earlier import left, and one column changes. */
async function mappedCsv({ callers }: Place, _who: Who, tried: readonly Tried[]): Promise<Files> {
  const { store } = callers.at.station;
  const source = 'another program';
  const keys = new ImportKeys(store.database);
  const files: Record<string, string> = {};
  const steps: object[] = [];
  await store.gate.together(async () => {
    for (const [index, { row, scene }] of tried.entries()) {
      const key = JSON.stringify([`R${index}`]);
      keys.remember(source, row.of, key, scene.id);
      const [name = '', item, leaf = ''] = scene.path.split('.');
      const file = `${index}.csv`;
      const column = item === undefined ? name : leaf;
      const isReference = fieldAt(scene.family, scene.path)?.reference !== undefined;
      const fields = { [column]: { column: 'value', ...(isReference && { find: 'id' }) } };
      const value = typeof scene.to === 'boolean' ? Number(scene.to) : scene.to;
      const table = csvOf([{ no: `R${index}`, line: '1', value: value === null ? '' : String(value) }]);
      if (item === undefined) {
        files[file] = table;
        steps.push({ file, family: row.of, key: 'no', fields });
        continue;
      }
      keys.remember(source, `${row.of}.${name}`, `${key}${JSON.stringify(['1'])}`, Number(item));
      files[file] = csvOf([{ no: `R${index}` }]);
      files[`items-${file}`] = table;
      const own = { ...needed(scene, name, item), ...fields };
      const items = { [name]: { file: `items-${file}`, belongs_to: 'no', key: 'line', fields: own } };
      steps.push({ file, family: row.of, key: 'no', fields: {}, items });
    }
  });
  return { mapping: { source, steps }, files };
}

/** What each row of an item must give, as it stands. */
function needed({ family, before }: Scene, name: string, item: string): object {
  const { fields = {} } = family.collections[name] ?? {};
  const names = Object.keys(fields).filter(field => fields[field]?.requiredOn.includes('create'));
  return Object.fromEntries(
    names.map(field => [field, { value: valueAt(before.fields, `${name}.${item}.${field}`) }]),
  );
}

function wholeMapping({ at }: Callers, tried: readonly Tried[], step: (family: Family) => object): object {
  const steps = familiesOf(tried).map(family => ({
    format: 'holdpoint',
    family: family.name,
    ...step(family),
  }));
  return { source: at.station.store.station, steps };
}

const familiesOf = (tried: readonly Tried[]): Family[] => [
  ...new Set(tried.map(({ row }): Family => families[row.of])),
];
const of = (tried: readonly Tried[], { name }: Family) => tried.filter(({ row }) => row.of === name);

/** Items stand in lists, with their ids. */
function setIn(record: Record<string, unknown>, path: string, value: unknown): void {
  const [name = '', id, ...rest] = path.split('.');
  if (id === undefined) {
    record[name] = value;
    return;
  }
  const items = record[name] as Record<string, unknown>[];
  setIn(items.find(item => item.id === Number(id)) ?? {}, rest.join('.'), value);
}

/** Empty without rows. */
function csvOf(table: readonly Record<string, string>[]): string {
  const [first] = table;
  if (!first) return '';
  const line = (cells: readonly string[]) => cells.map(cell => `"${cell.replaceAll('"', '""')}"`).join(',');
  const columns = Object.keys(first);
  return [columns, ...table.map(row => columns.map(column => row[column] ?? ''))].map(line).join('\n');
}
