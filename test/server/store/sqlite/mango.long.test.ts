import { isDeepStrictEqual } from 'node:util';
import {
  fillWithDefaultSettings,
  getQueryMatcher,
  getSortComparator,
  type MangoQuery,
  normalizeMangoQuery,
  prepareQuery,
} from 'rxdb';
import { describe, expect, it } from 'vitest';
import { extraColumns, ownColumns } from '../../../../server/store/sqlite/collection-columns.ts';
import { toCondition, toOrder } from '../../../../server/store/sqlite/mango.ts';
import fc from '../../../support/fast-check.ts';
import { openSamples, type Sample, sampleColumns, sampleSchema, stored } from './sample-collection.ts';
import { temporaryDatabase } from './temporary-folder.ts';

const schema = fillWithDefaultSettings(sampleSchema);
const columns = new Map(
  [...ownColumns('key'), ...extraColumns(schema, sampleColumns)].map(column => [column.path, column]),
);

/** Texts that are near each other, and such that UTF-8, UTF-16 and SQL each treat in their own way. */
const texts = [
  '',
  'a',
  'A',
  'ab',
  'b',
  'é',
  'é',
  'a\u0000b',
  "'",
  '%',
  '_',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '\ufffd',
  '😀',
  '\ud800',
  '5',
];
const numbers = [-1, -0, 0, 0.1, 1, 1.5, 2, 3, 2 ** 31, 2 ** 53, -(2 ** 53), 1e300, 5e-324];

const text = fc.constantFrom(...texts);
const number = fc.constantFrom(...numbers);
const integer = fc.constantFrom(...numbers.filter(Number.isInteger));
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const list = fc.array(fc.oneof(text, number), { maxLength: 3 });
const fields = fc.record({ part: fc.oneof(scalar, list), rank: scalar }, { requiredKeys: [] });

const samples: fc.Arbitrary<Omit<Sample, 'key'>[]> = fc.array(
  fc.record(
    { family: text, id: integer, weight: number, active: fc.boolean(), fields },
    { requiredKeys: [] },
  ),
  { minLength: 40, maxLength: 40 },
);

const column = fc.constantFrom('key', 'family', 'id', 'weight', 'active', '_deleted', '_meta.lwt');
const path = fc.oneof(
  { weight: 8, arbitrary: column },
  { weight: 1, arbitrary: fc.constantFrom('fields.part', 'fields.rank', 'fields', 'nowhere') },
);
/** Not by lists or objects: RxDB leaves those that are alike in the order of reading, past the sort's next part. */
const sortPath = fc.oneof(
  { weight: 8, arbitrary: column },
  { weight: 1, arbitrary: fc.constantFrom('fields.rank', 'nowhere') },
);
const operand = fc.oneof(
  { weight: 20, arbitrary: fc.oneof(text, number, fc.boolean()) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(null, [], ['a'], {}, { a: 1 }, 'sample:1', 'sample:20', 1_003),
  },
);
const comparison = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'), operand) },
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom('$in', '$nin'), fc.array(operand, { maxLength: 4 })) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('$exists'), fc.boolean()) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('$regex'), fc.constantFrom('a', '^a', '.')) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('$size'), fc.nat(2)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('$type'), fc.constantFrom('string', 'number', 'array')) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('$elemMatch'), fc.constantFrom({ $gt: 0 }, { $eq: 'a' })) },
);
const matcher = fc.oneof(
  { weight: 5, arbitrary: fc.array(comparison, { minLength: 1, maxLength: 2 }).map(Object.fromEntries) },
  { weight: 1, arbitrary: comparison.map(one => ({ $not: Object.fromEntries([one]) })) },
  { weight: 1, arbitrary: operand },
);
const { selector } = fc.letrec<{ selector: Record<string, unknown> }>(tie => ({
  selector: fc.oneof(
    { maxDepth: 3 },
    fc.dictionary(path, matcher, { minKeys: 1, maxKeys: 3 }),
    fc
      .tuple(
        fc.constantFrom('$and', '$or', '$nor'),
        fc.array(tie('selector'), { minLength: 1, maxLength: 3 }),
      )
      .map(([operator, parts]) => ({ [operator]: parts })),
  ),
}));
const query = fc.record({
  selector,
  sort: fc.array(
    fc.tuple(sortPath, fc.constantFrom('asc', 'desc')).map(part => Object.fromEntries([part])),
    { maxLength: 2 },
  ),
  skip: fc.nat(5),
  limit: fc.option(fc.nat(10), { nil: undefined }),
});

/** What a run of the comparison covered: without these it might compare the matcher with itself. */
interface Coverage {
  queries: number;
  exact: number;
  sorted: number;
  matching: number;
}

/** Keys that UTF-8 and UTF-16 sort differently, in some collections. */
function keyPrefix(run: number, index: number): string {
  return run % 5 === 0 && index % 3 === 0 ? (['\uffff', '😀'][index % 2] ?? '') : '';
}

describe('queries', () => {
  it('10,000 random ones answer as RxDB itself would', async () => {
    const seed = Number(process.env.HOLDPOINT_TEST_SEED ?? 20_260_131);
    console.log(`seed of the random queries: HOLDPOINT_TEST_SEED=${seed}`);
    const covered: Coverage = { queries: 0, exact: 0, sorted: 0, matching: 0 };
    const perCollection = 200;
    for (const [run, documents] of fc.sample(samples, { numRuns: 50, seed }).entries())
      await compareWithRxdb(
        documents.map((sample, index) => ({ key: `${keyPrefix(run, index)}sample:${index}`, ...sample })),
        fc.sample(query, { numRuns: perCollection, seed: seed + run }),
        covered,
      );
    expect(covered.queries).toBe(10_000);
    expect(covered.exact).toBeGreaterThan(2_000);
    expect(covered.sorted).toBeGreaterThan(2_000);
    expect(covered.matching).toBeGreaterThan(2_000);
  });

  async function compareWithRxdb(
    collection: readonly Sample[],
    queries: readonly unknown[],
    covered: Coverage,
  ): Promise<void> {
    const database = temporaryDatabase();
    const storage = await openSamples(database, { columns: sampleColumns });
    const documents = collection.map((sample, index) =>
      stored(sample, 1, index % 7 === 0, 1_000 + (index % 5)),
    );
    await storage.bulkWrite(
      documents.map(document => ({ document })),
      'test',
    );
    // What comes back from JSON has lost -0, which the comparison of the tests would tell from 0.
    const asStored = documents.map(document => JSON.parse(JSON.stringify(document)));
    for (const each of queries) {
      const filled = normalizeMangoQuery(schema, each as MangoQuery<Sample>);
      const matching = asStored
        .filter(getQueryMatcher(schema, filled))
        .sort(getSortComparator(schema, filled));
      const expected = matching.slice(filled.skip, filled.skip + (filled.limit ?? Number.POSITIVE_INFINITY));
      const prepared = prepareQuery(schema, filled);
      const { documents: found } = await storage.query(prepared);
      const { isExact } = toCondition(filled.selector, columns);
      const counted = await storage.count(prepared);
      const counts = { count: expected.length, mode: isExact ? 'fast' : 'slow' };
      // To compare some hundred thousand documents by `expect` would be most of the time.
      if (!isDeepStrictEqual([found, counted], [expected, counts]))
        expect([found, counted], JSON.stringify(filled)).toEqual([expected, counts]);
      covered.queries += 1;
      covered.exact += isExact ? 1 : 0;
      covered.sorted += toOrder(filled.sort, columns) === undefined ? 0 : 1;
      covered.matching += expected.length > 0 ? 1 : 0;
    }
    database.close();
  }
});
