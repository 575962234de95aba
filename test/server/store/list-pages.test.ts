import { expect, it } from 'vitest';
import { z } from 'zod';
import { conditionsIn, orderIn } from '../../../server/http/list-query.ts';
import { Query } from '../../../server/http/request-context.ts';
import { ENTRIES_LIMIT } from '../../../server/store/list-pages.ts';
import type { Store } from '../../../server/store/store.ts';
import type { Family } from '../../../shared/contract/define-family.ts';
import type { FieldErrors } from '../../../shared/contract/errors.ts';
import { listFields } from '../../../shared/contract/list-fields.ts';
import { operatorsOf } from '../../../shared/contract/list-operators.ts';
import { newestFirstQuery } from '../../../shared/contract/operation.ts';
import { parseInput } from '../../../shared/contract/parse-input.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { family as familyNamed } from '../../../shared/families/registry.ts';
import { listQueryOf } from '../../../shared/operations/list-query.ts';
import fc from '../../support/fast-check.ts';
import { create, temporaryStore, update } from './temporary-store.ts';

/** Lists against a plain oracle: whatever is sorted and filtered, every page holds what looking at each record gives. */

const NAMES = ['order', 'part', 'ncr', 'supplier', 'receiving-inspection'] as const;
type Name = (typeof NAMES)[number];

const TEXTS = [
  'Jar',
  ' jar',
  'JAR ',
  'Äpfel',
  'A\u0308pfel',
  'ß',
  'z',
  '10',
  '9',
  'jar lid',
  '😀',
  'ﬀ',
  '\u{10ffff}',
];
const DAYS = ['2026-01-31', '2026-02-01', '2025-12-31', '2026-02-28'];
const MOMENTS = ['2026-06-15T12:00:30Z', '2026-06-15 12:10:00', '2026-06-15T14:00:00+02:00', '2030-01-01'];

const maybe = <Value>(values: readonly Value[]) => fc.oneof(fc.constantFrom(...values), fc.constant(null));
const BODIES: Record<Name, fc.Arbitrary<object>> = {
  supplier: fc.record({ name: fc.constantFrom(...TEXTS) }),
  part: fc.record({
    name: fc.constantFrom(...TEXTS),
    identification: maybe(TEXTS),
    supplier_id: maybe([1, 2, 3]),
  }),
  order: fc.record({
    po_number: maybe(TEXTS),
    order_date: maybe(DAYS),
    due_date: maybe(DAYS),
    is_closed: maybe([true, false]),
  }),
  ncr: fc.record({
    source: fc.constantFrom('customer', 'internal', 'supplier'),
    lot_number: maybe(TEXTS),
    date_opened: maybe(DAYS),
    part_id: maybe([1, 2]),
  }),
  'receiving-inspection': fc.record({
    supplier_id: maybe([1, 2]),
    po_number: maybe(TEXTS),
    actual_arrival_date: maybe(DAYS),
    is_quarantined: maybe([true, false]),
  }),
};
/** More orders than are sorted one by one: their pages are read along an index. */
const COUNTS: Record<Name, number> = {
  supplier: 30,
  part: 60,
  ncr: 60,
  'receiving-inspection': 30,
  order: 2_300,
};

async function filled(): Promise<{ store: Store; records: Map<Name, StoredRecord[]> }> {
  const store = await temporaryStore();
  for (const name of ['supplier', 'part', 'order', 'ncr', 'receiving-inspection'] as const) {
    const family: Family = familyNamed(name);
    const bodies = fc.sample(BODIES[name], { numRuns: COUNTS[name], seed: 7 });
    await store.gate.commit({
      actor: { rights: BY_SERVER, user: 'tester' },
      reason: null,
      work: work => {
        for (const [place, body] of bodies.entries()) {
          const numbered = name === 'ncr' ? { ncr_number: `N-${place}`, quantity: 1 } : {};
          work.create(family, parseInput(family, { ...body, ...numbered }, { mode: 'create' }), null);
        }
      },
      answer: () => undefined,
    });
  }
  // What stands in an index follows a change.
  for (const id of [1, 5, 17])
    await update(store, 'order', id, { due_date: '2024-01-01', po_number: 'moved' });
  return { store, records: new Map(NAMES.map(name => [name, [...store.records.all(name)]])) };
}

/** What a person would compare: written apart from the server's. */
function valueIn(record: StoredRecord, field: string): string | number | null {
  const value =
    field === 'id' ? record.id : field === 'created_at' ? record.created_at : record.fields[field];
  if (typeof value === 'boolean') return value ? 1 : 0;
  const kind = familyNamed(record.family as Name).fields[field as never] as { kind: string } | undefined;
  if (typeof value === 'string' && kind?.kind.endsWith('text'))
    return value.trim().normalize('NFC').toLowerCase();
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

function order(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [x, y] = [[...String(a)], [...String(b)]];
  for (let place = 0; place < Math.max(x.length, y.length); place += 1) {
    const difference = (x[place]?.codePointAt(0) ?? -1) - (y[place]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

interface Asked {
  field: string;
  operator: string;
  text: string;
}

function isAsked(record: StoredRecord, { field, operator, text }: Asked): boolean {
  const kind = listFields(familyNamed(record.family as Name)).get(field);
  const stored = valueIn(record, field);
  // Answers tell seconds.
  const value = kind === 'timestamp' && stored !== null ? `${String(stored).slice(0, 19)}` : stored;
  const read = (one: string): string | number => {
    if (kind === 'text') return one.trim().normalize('NFC').toLowerCase();
    if (kind === 'boolean') return one === 'true' ? 1 : 0;
    if (kind === 'timestamp') return new Date(/Z|\+/.test(one) ? one : `${one}Z`).toISOString().slice(0, 19);
    return kind === 'date' || kind === 'choice' ? one : Number(one);
  };
  if (operator === 'is_null') return (value === null) === (text === 'true');
  if (operator === 'ne') return value === null || order(value, read(text)) !== 0;
  if (value === null) return false;
  if (operator === 'in') return text.split(',').some(one => order(value, read(one)) === 0);
  if (operator === 'contains') return String(value).includes(String(read(text)));
  const sign = order(value, read(text));
  return { eq: sign === 0, lt: sign < 0, lte: sign <= 0, gt: sign > 0, gte: sign >= 0 }[operator] === true;
}

const VALUES = {
  id: ['1', '7', '40'],
  reference: ['1', '2', '99'],
  text: ['jar', ' JAR', 'äpfel', 'z', 'lid', 'moved', '😀', '1'],
  number: ['1', '-2.5'],
  boolean: ['true', 'false'],
  date: DAYS,
  timestamp: MOMENTS,
  choice: ['none'],
  codes: ['sn-1'],
} as const;

const list = fc.constantFrom(...NAMES).chain(name => {
  const fields = [...listFields(familyNamed(name))];
  const condition = fc.constantFrom(...fields).chain(([field, kind]) =>
    fc.constantFrom(...operatorsOf(kind)).chain(operator => {
      const choices = (familyNamed(name) as Family).fields[field]?.choices;
      const one = fc.constantFrom<string>(...(choices ?? VALUES[kind]));
      const several = fc.array(one, { minLength: 1, maxLength: 3 }).map(all => all.join(','));
      const text =
        operator === 'is_null' ? fc.constantFrom('true', 'false') : operator === 'in' ? several : one;
      return text.map(given => ({ field, operator, text: given }));
    }),
  );
  const key = fc.record({
    field: fc.constantFrom(...fields.map(([field]) => field)),
    isDescending: fc.boolean(),
  });
  return fc.record({
    name: fc.constant<Name>(name),
    conditions: fc.uniqueArray(condition, {
      maxLength: 3,
      selector: ({ field, operator }) => `${field} ${operator}`,
    }),
    sort: fc.uniqueArray(key, { maxLength: 3, selector: ({ field }) => field }),
    isNewestFirst: fc.constantFrom(true, false, null),
    perPage: fc.constantFrom(1, 7, 50, 500),
    place: fc.integer({ min: 0, max: 100 }).map(percent => percent / 100),
  });
});

it('every page of every list is what looking at each record gives', async () => {
  const { store, records } = await filled();
  const judged = { walked: 0, filtered: 0, empty: 0 };
  fc.assert(
    fc.property(list, ({ name, conditions, sort, isNewestFirst, perPage, place }) => {
      const family: Family = familyNamed(name);
      const address = new URLSearchParams([
        ...conditions.map(({ field, operator, text }) => [`filter[${field}][${operator}]`, text]),
        ...(sort.length > 0
          ? [['sort', sort.map(({ field, isDescending }) => (isDescending ? '-' : '') + field).join()]]
          : []),
        ...(isNewestFirst === null ? [] : [['order', isNewestFirst ? 'desc' : 'asc']]),
      ]);
      const query = new Query(`/?${address}`, {
        query: { ...listQueryOf(family, []), order: newestFirstQuery },
      });
      const faults: FieldErrors = {};
      const asked = orderIn(family, query, faults);
      const wanted = conditionsIn(family, { query, zone: () => 'UTC', faults });
      expect(faults).toEqual({});

      const fitting = (records.get(name) ?? []).filter(record =>
        conditions.every(each => isAsked(record, each)),
      );
      fitting.sort((a, b) => {
        for (const { field, isDescending } of sort) {
          const [x, y] = [valueIn(a, field), valueIn(b, field)];
          if (x === null && y === null) continue;
          if (x === null || y === null) return x === null ? 1 : -1;
          if (field === 'id') return isDescending ? b.id - a.id : a.id - b.id;
          const sign = order(x, y);
          if (sign !== 0) return isDescending ? -sign : sign;
        }
        const isDown = isNewestFirst ?? sort[0]?.isDescending ?? false;
        return isDown ? b.id - a.id : a.id - b.id;
      });
      const page = 1 + Math.floor(place * (fitting.length / perPage + 1));
      const found = store.records.page(family, {
        page,
        perPage,
        conditions: wanted,
        sort: asked.sort,
        isNewestFirst: asked.isNewestFirst,
      });
      expect(found.total).toBe(fitting.length);
      const expected = fitting.slice((page - 1) * perPage, page * perPage).map(({ id }) => id);
      expect(found.records.map(({ id }) => id)).toEqual(expected);
      if (fitting.length > 2_000 && sort.length > 0) judged.walked += 1;
      if (conditions.length > 0 && expected.length > 0) judged.filtered += 1;
      if (expected.length === 0) judged.empty += 1;
    }),
    { numRuns: Number(process.env.HOLDPOINT_LIST_RUNS ?? 400) },
  );
  // What was drawn went all the ways.
  expect(judged.walked).toBeGreaterThan(5);
  expect(judged.filtered).toBeGreaterThan(50);
  expect(judged.empty).toBeGreaterThan(5);
});

it.each([
  ['newest', true, (place: number) => place < 200],
  ['oldest', false, (place: number) => place >= 2_100],
])(
  'what only the records at the other end of the %s first have is listed in full',
  async (_, isNewestFirst, has) => {
    const store = await temporaryStore();
    const family: Family = familyNamed('order');
    await store.gate.commit({
      actor: { rights: BY_SERVER, user: 'tester' },
      reason: null,
      work: work => {
        for (let place = 0; place < 2_300; place += 1) {
          const body = has(place) ? { po_number: 'PO' } : {};
          work.create(family, parseInput(family, body, { mode: 'create' }), null);
        }
      },
      answer: () => undefined,
    });
    const query = new Query('/?filter[po_number][is_null]=false', { query: listQueryOf(family, []) });
    const conditions = conditionsIn(family, { query, zone: () => 'UTC', faults: {} });
    const fitting = [...store.records.all('order')].map(({ id }) => id).filter(id => has(id - 1));
    if (isNewestFirst) fitting.reverse();
    expect(fitting).toHaveLength(200);
    for (const page of [1, 2, 4, 5]) {
      const found = store.records.page(family, { page, perPage: 50, conditions, isNewestFirst });
      expect(found.total).toBe(200);
      expect(found.records.map(({ id }) => id)).toEqual(fitting.slice((page - 1) * 50, page * 50));
    }
  },
);

it('a list that would go through too many entries of indexes is refused, and one range of an index is not', async () => {
  const store = await temporaryStore();
  const order: Family = familyNamed('order');
  await create(store, 'order', { order_number: 'A', due_date: '2026-01-31', is_closed: false });
  const page = (address: string) => {
    const keywords = { keyword: { schema: z.string(), description: '', isAdditive: false } };
    const query = new Query(`/?${address}`, { query: { ...listQueryOf(order, []), ...keywords } });
    const [{ sort, isNewestFirst }, conditions] = [
      orderIn(order, query, {}),
      conditionsIn(order, { query, zone: () => 'UTC', faults: {} }),
    ];
    const keyword = query.get('keyword') ?? null;
    return store.records.page(order, { page: 1, perPage: 1, sort, isNewestFirst, conditions, keyword }).total;
  };
  const few = ['sort=is_closed,due_date', 'filter[is_closed][ne]=true', 'filter[order_number][contains]=a'];
  expect(few.map(page)).toEqual([1, 1, 1]);
  // As if there were that many.
  store.database.run(
    `INSERT INTO bucket (family_number, bucket, n) SELECT number, 9, ${ENTRIES_LIMIT} FROM family_number WHERE family = 'order'`,
  );
  for (const address of few)
    expect(() => page(address), address).toThrow(/250001 orders.+by one field alone/);
  for (const address of [
    'filter[is_closed]=false',
    'filter[is_closed]=false&filter[due_date]=2026-01-31&sort=due_date',
    'keyword=a&sort=due_date',
    'keyword=a&sort=is_closed,due_date',
    'keyword=a&filter[is_closed]=false',
  ])
    expect(page(address), address).toBe(1);
});
