import { describe, expect, it } from 'vitest';
import type { Database } from '../../../../server/store/sqlite/database.ts';
import { SearchIndex } from '../../../../server/store/sqlite/search.ts';
import fc from '../../../support/fast-check.ts';
import { temporaryDatabase } from './temporary-folder.ts';

function find(database: Database, search: SearchIndex, keyword: string, low = 0, high = 2 ** 50): number[] {
  const query = search.query(keyword, low, high);
  if (!query) throw new Error('An empty keyword finds everything.');
  const rows = database.reader.all<{ row: number }>(`${query.sql} ORDER BY row`, ...query.parameters);
  return rows.map(({ row }) => row);
}

function indexed(...texts: string[]): { find: (keyword: string) => number[]; search: SearchIndex } {
  const database = temporaryDatabase();
  const search = new SearchIndex(database);
  database.transaction(() => {
    for (const [row, text] of texts.entries()) search.index(row, text);
  });
  return { find: keyword => find(database, search, keyword), search };
}

describe('a keyword', () => {
  const texts = [
    'Hex bolt M5 × 20, stainless',
    'Écrou étoile Ø 5',
    'flat washer "NEAR(a, b)" 100 % \\ (a+)+$',
    '日本ボルト 😀😀😀',
    "O'Ring #12 AND OR NOT *",
    '',
  ];
  const cases: [keyword: string, rows: number[]][] = [
    ['bolt', [0]],
    ['BOLT m5', [0]],
    ['olt M5 × 2', [0]],
    ['bolts', []],
    ['ÉTOILE', [1]],
    ['e\u0301toile', [1]],
    ['h', [0]],
    ['b', [0, 2]],
    ['bo', [0]],
    ['ol', []],
    ['m5', [0]],
    ['5', [1]],
    ['é', [1]],
    ['20', [0]],
    ['日', [3]],
    ['本ボ', []],
    ['日本', [3]],
    ['😀', [3]],
    ['😀😀😀', [3]],
    ['"', [2]],
    ['"near(a', [2]],
    ['NEAR(', [2]],
    ['%', [2]],
    ['% \\', [2]],
    ['(a+)+$', [2]],
    ['_', []],
    ['*', [4]],
    ['#1', [4]],
    ["o'", [4]],
    ['ring', [4]],
    ['AND OR', [4]],
    ['a* OR b', []],
    ['text:bolt', []],
    [' ', []],
    ['\0\0\0', []],
    ['x'.repeat(10_000), []],
  ];
  it.each(cases)('%j finds %j', (keyword, rows) => {
    expect(indexed(...texts).find(keyword)).toEqual(rows);
  });

  it('that is empty is no condition', () => {
    expect(indexed().search.query('', 0, 1)).toBeUndefined();
  });

  it('of 10,000 characters is found by its beginning, which the condition says', () => {
    const long = Array.from({ length: 2_000 }, (_, n) => `n${n}`)
      .join(' ')
      .slice(0, 10_000);
    const { find: found, search } = indexed(`before ${long} after`, long.slice(1), long.slice(0, 9_999));
    expect(found(long)).toEqual([0, 2]);
    expect(search.query(long, 0, 9)?.isWhole).toBe(false);
    expect(search.query(long.slice(0, 32), 0, 9)?.isWhole).toBe(true);
  });

  it('finds literally what a plain comparison finds', () => {
    const piece = fc.constantFrom(
      ...['a', 'b', 'B', 'é', 'É', 'e\u0301', 'ß', 'Σ', 'σ', 'ς', 'İ', '日', '😀', '5', ' ', '\n', '-', '.'],
      ...['"', "'", '%', '_', '\\', '*', '(', ':', '^', '\0', '\u0001', '\ue000', '\ud83d', 'ab', 'NEAR('],
    );
    const text = fc.array(piece, { maxLength: 12 }).map(pieces => pieces.join(''));
    const keyword = fc.array(piece, { minLength: 1, maxLength: 5 }).map(pieces => pieces.join(''));
    const database = temporaryDatabase();
    const search = new SearchIndex(database);
    let found = 0;
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 12 }),
        fc.array(keyword, { minLength: 12 }),
        (texts, keywords) => {
          database.transaction(() => {
            search.clear();
            for (const [row, each] of texts.entries()) search.index(row, each);
          });
          // Parts of the texts, too: random ones of three characters are hardly ever found.
          const parts = texts.flatMap(each => [each.slice(1, 4), each.slice(2), each.slice(0, 2)]);
          for (const each of [...keywords, ...parts].filter(word => word !== '')) {
            const expected = [...texts.keys()].filter(row => containsPlainly(texts[row] ?? '', each));
            expect(find(database, search, each), JSON.stringify({ texts, keyword: each })).toEqual(expected);
            found += expected.length;
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(found).toBeGreaterThan(1_000);
  });

  /** The rule in plain words; what no index keeps (NUL, the marker, half a character) is one unknown character. */
  function containsPlainly(text: string, keyword: string): boolean {
    const plain = (raw: string) =>
      raw
        .replace(/[\0\ue000]|\p{Surrogate}/gu, '\ufffd')
        .normalize('NFC')
        .toLowerCase()
        .replaceAll('ς', 'σ');
    const wanted = [...plain(keyword)];
    if (wanted.length > 2) return plain(text).includes(wanted.join(''));
    const characters = [...plain(text)];
    return characters.some((character, at) => {
      const before = characters[at - 1];
      const isWord = (one: string) => /[\p{L}\p{M}\p{N}]/u.test(one);
      const isFirst = before === undefined || /\s/.test(before) || (isWord(character) && !isWord(before));
      return (
        isFirst && !/\s/.test(character) && wanted.every((one, offset) => characters[at + offset] === one)
      );
    });
  }
});

describe('the index', () => {
  it('follows changes of a text, and forgets removed ones', () => {
    const { find: search, search: index } = indexed('first bolt', 'second bolt');
    index.index(0, 'nut');
    index.remove(1);
    index.remove(7);
    expect([search('bolt'), search('nut'), search('first'), search('n')]).toEqual([[], [0], [], [0]]);
    index.clear();
    expect(search('nut')).toEqual([]);
  });

  it('is undone with the transaction and the savepoint that wrote it', () => {
    const database = temporaryDatabase();
    const search = new SearchIndex(database);
    database.transaction(() => {
      search.index(1, 'kept bolt');
      expect(() =>
        database.transaction(() => {
          search.index(1, 'undone nut');
          search.index(2, 'undone bolt');
          throw new Error('no');
        }),
      ).toThrow('no');
    });
    expect(find(database, search, 'bolt')).toEqual([1]);
    expect(find(database, search, 'undone')).toEqual([]);
  });

  it('is asked by ranges of rows, as large as a family with its ids', () => {
    const database = temporaryDatabase();
    const search = new SearchIndex(database);
    const span = 2 ** 44;
    const rows = [span, span + 1, 2 * span - 1, 2 * span, 300 * span + 2 ** 43];
    for (const row of rows) search.index(row, 'bolt');
    expect(find(database, search, 'bolt', span, 2 * span - 1)).toEqual(rows.slice(0, 3));
    expect(find(database, search, 'b', span + 1, 2 * span)).toEqual(rows.slice(1, 4));
    expect(find(database, search, 'bolt', 300 * span, 301 * span - 1)).toEqual(rows.slice(4));
  });

  it('finds a text that waits, its later words and not its earlier ones, before and after it is moved', () => {
    const database = temporaryDatabase();
    const search = new SearchIndex(database);
    const of = (table: string) => database.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n;
    search.index(1, 'first bolt');
    search.index(2, 'second bolt');
    search.remove(2);
    search.index(1, 'first nut');
    const rows = () => [of('search_waiting'), of('search_index_docsize')];
    const hits = () => ['bolt', 'nut', 'f', 'second'].map(keyword => find(database, search, keyword));
    expect([rows(), hits()]).toEqual([
      [1, 0],
      [[], [1], [1], []],
    ]);
    while (search.merge());
    expect([rows(), hits()]).toEqual([
      [0, 1],
      [[], [1], [1], []],
    ]);
    search.index(1, 'first bolt');
    expect([rows(), hits()]).toEqual([
      [1, 0],
      [[1], [], [1], []],
    ]);
  });

  it('keeps few waiting of a bulk, and not more than some hundred of all', () => {
    const database = temporaryDatabase();
    const search = new SearchIndex(database);
    const waiting = () => database.get<{ n: number }>('SELECT count(*) AS n FROM search_waiting')?.n;
    database.transaction(() => {
      for (let row = 0; row < 1_000; row += 1) search.add(row, `part ${row}`);
    });
    expect([waiting(), search.isMergeDue]).toEqual([64, false]);
    for (let row = 1_000; row < 2_000; row += 1) database.transaction(() => search.add(row, `part ${row}`));
    expect([waiting(), search.isMergeDue]).toEqual([512, true]);
    expect(find(database, search, 'part')).toHaveLength(2_000);
    while (search.merge());
    expect([waiting(), search.isMergeDue]).toEqual([0, false]);
    expect(find(database, search, 'part')).toHaveLength(2_000);
  });

  it('keeps none waiting of a bulk that is announced, whose commits bring no merging with them', () => {
    const database = temporaryDatabase();
    const search = new SearchIndex(database);
    for (let bulk = 0; bulk < 5; bulk += 1) {
      database.transaction(() => {
        search.expect(100);
        for (let row = 0; row < 100; row += 1) search.add(100 * bulk + row, `part ${row}`);
      });
    }
    const waiting = database.get<{ n: number }>('SELECT count(*) AS n FROM search_waiting')?.n;
    expect([waiting, search.isMergeDue]).toEqual([0, false]);
    expect(find(database, search, 'part')).toHaveLength(500);
    database.transaction(() => search.add(500, 'part'));
    expect(database.get('SELECT row FROM search_waiting')).toEqual({ row: 500 });
  });

  it('is due to be merged after some bulks, of which each left it a segment more, whatever else waits', () => {
    const database = temporaryDatabase();
    const search = new SearchIndex(database);
    const add = (from: number, rows: number) =>
      database.transaction(() => {
        search.expect(rows);
        for (let row = from; row < from + rows; row += 1) search.add(row, `part ${row}`);
      });
    for (let bulk = 0; bulk < 8; bulk += 1) add(100 * bulk, 100);
    expect(search.isMergeDue).toBe(true);
    // FTS5 counts the segments of each level in the record of its structure.
    const structure = () =>
      database.get<{ block: Uint8Array }>('SELECT block FROM search_index_data WHERE id = 10');
    const before = structure();
    for (let row = 800; search.isMergeDue; row += 1) {
      add(row, 1);
      search.merge();
      expect(row).toBeLessThan(900);
    }
    expect(structure()).not.toEqual(before);
    while (search.merge());
    expect([search.isMergeDue, find(database, search, 'part 7').length]).toEqual([false, 111]);
  });

  it('answers the same while and after it is merged, and when it is opened again', () => {
    const database = temporaryDatabase();
    const search = new SearchIndex(database);
    for (let row = 0; row < 200; row += 1) {
      database.transaction(() => search.index(row, `part ${row}`));
      search.merge();
    }
    for (let row = 0; row < 200; row += 2) search.remove(row);
    const odd = Array.from({ length: 100 }, (_, n) => 2 * n + 1);
    expect(find(database, search, 'part')).toEqual(odd);
    let merges = 0;
    while (search.merge()) {
      merges += 1;
      expect(find(database, search, 'part')).toEqual(odd);
    }
    expect(merges).toBeGreaterThan(0);
    expect(find(database, new SearchIndex(database), 'part')).toEqual(odd);
  });
});

it('what the index keeps in memory of many rows is written before the commit where that is asked for', () => {
  const database = temporaryDatabase();
  const search = new SearchIndex(database);
  const pages = () => database.get<{ n: number }>('SELECT count(*) AS n FROM search_index_data')?.n ?? 0;
  database.transaction(() => {
    for (let row = 0; row < 500; row += 1) search.index(row, `Hex bolt number ${row}`);
    const before = pages();
    database.writeAtEnd();
    expect(pages()).toBeGreaterThan(before);
  });
});
