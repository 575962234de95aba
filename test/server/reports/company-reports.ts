import { expect } from 'vitest';
import { LEFT_OUT, type ReportedRows, reportedFamilies } from '../../../server/reports/report-shape.ts';
import type { Family } from '../../../shared/contract/define-family.ts';
import { type FamilyName, families } from '../../../shared/families/registry.ts';
import type { Postgres } from '../../support/postgres.ts';
import type { Answer, Station } from '../../support/station.ts';

type Record_ = Record<string, unknown>;

interface Changed {
  family: FamilyName;
  id: number | null;
  record: Record_ | null;
}

/** Waits until all that was written is in the reports. */
export async function untilReported(rows: (sql: string) => Promise<Record_[]>): Promise<void> {
  const standing = () =>
    rows('SELECT is_complete, behind FROM reports.standing').catch(error => {
      // The views are not there at once.
      if (/does not exist/.test(String(error))) return [];
      throw error;
    });
  await expect.poll(standing, { timeout: 120_000 }).toEqual([{ is_complete: true, behind: 0 }]);
}

/** Every record that the interface tells of, as it answers it now: by family and id. */
export async function answersOf(central: Station): Promise<Map<FamilyName, Map<number, Record_>>> {
  const found = new Map<FamilyName, Map<number, Record_>>();
  for (let since = '0'; ; ) {
    const { body } = await central.get('/x/changes', { since, limit: 500 });
    const { data, meta } = body as { data: Changed[]; meta: { cursor: string; is_more: boolean } };
    for (const { family, id, record } of data) {
      const known = found.get(family) ?? new Map<number, Record_>();
      if (id !== null && record) found.set(family, known.set(id, record));
    }
    if (!meta.is_more) break;
    since = meta.cursor;
  }
  for (const [name, records] of found)
    for (const id of records.keys()) {
      const answer = await readOne(central, families[name], id);
      if (answer) records.set(id, { ...records.get(id), ...answer });
    }
  for (let page = 1; ; page += 1) {
    const { body } = await central.get('/inventory', { page, per_page: 200 });
    const { data } = body as { data: { id: number; is_expiry_soon: unknown }[] };
    if (data.length === 0) return found;
    for (const { is_expiry_soon: _soon, ...lot } of data)
      found.get('inventory')?.set(lot.id, { ...found.get('inventory')?.get(lot.id), ...lot });
  }
}

/** By the operation that reads one record; undefined where the family has none. */
async function readOne(central: Station, family: Family, id: number): Promise<Record_ | undefined> {
  const { documented, extensions } = family.operations;
  const isExtension = extensions.includes('read');
  if (!isExtension && !documented?.kinds.includes('read')) return undefined;
  const answer: Answer = await central.get(`${isExtension ? '/x' : ''}${family.path}/${id}`);
  expect(answer.status).toBe(200);
  return (answer.body as { data: Record_ }).data;
}

/** Compares every view with what the interface answers. Answers how many rows were compared, by view. */
export async function compareAll(
  postgres: Postgres,
  database: string,
  answers: ReadonlyMap<FamilyName, ReadonlyMap<number, Record_>>,
): Promise<Record<string, number>> {
  const rows = async (sql: string): Promise<Record_[]> =>
    JSON.parse(await postgres.run(`SELECT coalesce(json_agg(each), '[]') FROM (${sql}) AS each`, database));
  const types = new Map(
    (
      await rows(
        "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'reports'",
      )
    ).map(row => [`${row.table_name}.${row.column_name}`, String(row.data_type)]),
  );
  const compared: Record<string, number> = {};

  async function compare(
    { view, items, idColumn }: ReportedRows,
    expected: readonly { ids: Record_; answer: Record_ }[],
    left: readonly string[],
  ): Promise<void> {
    const there = await rows(`SELECT * FROM reports.${view}`);
    const wanted = expected.map(({ ids, answer }) => {
      const members = Object.entries(answer).filter(([name]) => !(name in items) && !left.includes(name));
      const row = { ...Object.fromEntries(members), ...ids };
      return Object.fromEntries(
        Object.entries(row).map(([name, value]) => {
          const type = types.get(`${view}.${name}`);
          if (type === undefined) throw new Error(`reports.${view} lacks ${name}.`);
          return [name, asColumn(type, value)];
        }),
      );
    });
    const shown = there.map(row =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          asColumn(types.get(`${view}.${name}`) ?? '', value),
        ]),
      ),
    );
    expect(byIds(shown), view).toEqual(byIds(wanted));
    compared[view] = there.length;
    for (const [member, each] of Object.entries(items)) {
      const inside = expected.flatMap(({ ids, answer }) => {
        const { id, ...parents } = ids;
        const list = (answer[member] ?? []) as Record_[];
        return list.map(item => ({
          ids: { ...parents, [idColumn]: id, id: Number(item.id) },
          answer: item,
        }));
      });
      await compare(each, inside, []);
    }
  }

  for (const family of reportedFamilies()) {
    const records = [...(answers.get(family.family) ?? new Map<number, Record_>())];
    const expected = records.map(([id, answer]) => ({ ids: { id }, answer }));
    await compare(family, expected, [...(LEFT_OUT[family.family] ?? []), 'corrections']);
  }
  return compared;
}

function byIds(rows: readonly Record_[]): Record_[] {
  const nameOf = (row: Record_) =>
    JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)));
  const named = rows.map(row => ({ row, name: nameOf(row) }));
  return named.sort((one, other) => (one.name < other.name ? -1 : 1)).map(({ row }) => row);
}

/** An answer's value as a column of that type holds it. */
function asColumn(type: string, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'bigint':
    case 'numeric':
      return Number(value);
    case 'boolean':
      return value === true || value === 1 || value === '1';
    case 'timestamp with time zone':
      return Date.parse(/T/.test(String(value)) ? String(value) : `${value}Z`.replace(' ', 'T'));
    case 'jsonb':
      return JSON.parse(JSON.stringify(value));
    default:
      return String(value);
  }
}
