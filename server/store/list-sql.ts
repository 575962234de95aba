import { ID } from '../../shared/contract/list-fields.ts';
import { columnOf, isFolded, soughtValue } from './family-index.ts';
import type { Bound, ListCondition, ListTest, SortKey } from './list-conditions.ts';
import { indexNameOf } from './sqlite/collection-table.ts';
import type { SqlValue } from './sqlite/connection.ts';

/** SQL that gives the ids of some records of one family, and what is bound to it. */
export interface IdSelection {
  sql: string;
  values: readonly SqlValue[];
}

/** How the numbers that items hold lead to records: by the table `lookup`. */
export interface CodesOf {
  /** The place of such a field; undefined for any other. */
  placeOf: (field: string) => string | undefined;
  /** The subject number that those of the family's records are counted from. */
  firstSubject: number;
}

/** The SQL of sorted and filtered lists of one family in the table of records. Each range is one of an index that is named. */
export class ListSql {
  readonly #table: string;
  readonly #family: string;
  readonly #codes: CodesOf;

  /** @param codes where numbers of items are looked up */
  constructor(table: string, family: string, codes: CodesOf) {
    this.#table = table;
    this.#family = family;
    this.#codes = codes;
  }

  /** Every record of the family. */
  all(): IdSelection {
    return { sql: this.#from('page', 'TRUE'), values: [] };
  }

  /** The records that pass a condition's test, whether it is negated or not. */
  passing({ field, test }: Pick<ListCondition, 'field' | 'test'>): IdSelection {
    const place = this.#codes.placeOf(field);
    if (place !== undefined) return this.#holding(place, test);
    const { sql, values } = testSql(this.#column(field), test);
    return { sql: this.#from(this.#index(field), sql), values };
  }

  /** The records whose items hold such a number, each once. */
  #holding(place: string, test: ListTest): IdSelection {
    const { sql, values } = testSql('value', test);
    return {
      sql: `SELECT DISTINCT subject - ${this.#codes.firstSubject} AS id FROM lookup WHERE place = ? AND ${sql}`,
      values: [place, ...values],
    };
  }

  /** Those that fit all conditions, of the ones that `parts` select. */
  fitting(parts: readonly IdSelection[], conditions: readonly ListCondition[]): IdSelection {
    const wanted = [...parts, ...conditions.filter(each => !each.isNegated).map(each => this.passing(each))];
    const unwanted = conditions.filter(each => each.isNegated).map(each => this.passing(each));
    // Compound selects are worked from the left.
    const [first = this.all(), ...others] = wanted;
    const further = [
      ...others.map(({ sql }) => ` INTERSECT ${sql}`),
      ...unwanted.map(({ sql }) => ` EXCEPT ${sql}`),
    ];
    return {
      sql: first.sql + further.join(''),
      values: [first, ...others, ...unwanted].flatMap(({ values }) => values),
    };
  }

  /**
   * A page of the records that fit one condition, along their ids: those that do not fit are passed over. Undefined where
   * that would look into each record.
   * @param most so many records are looked into for a value; those that have one may all lie beyond
   */
  along(condition: ListCondition, isNewestFirst: boolean, most: number): IdSelection | undefined {
    const { field, test, isNegated } = condition;
    const order = `ORDER BY f_id ${isNewestFirst ? 'DESC' : 'ASC'}`;
    const page = (where: string) => `${this.#from('page', where)} ${order} LIMIT ? OFFSET ?`;
    if (isNegated) {
      const { sql, values } = this.passing(condition);
      return { sql: page(`f_id NOT IN (${sql})`), values };
    }
    if (test.kind !== 'any' || this.#codes.placeOf(field) !== undefined) return undefined;
    const looked = `${this.#from('page', 'TRUE')} ${order} LIMIT ${most}`;
    const isWithin = `f_id ${isNewestFirst ? '>= (SELECT min(id)' : '<= (SELECT max(id)'} FROM (${looked}))`;
    return { sql: page(`${this.#column(field)} IS NOT NULL AND ${isWithin}`), values: [] };
  }

  /**
   * A page, along the ids, of what is left of a selection without another one. Both are gone through as a whole: shorter than
   * passing over where most of it is passed over.
   */
  butFor(among: IdSelection, unwanted: IdSelection, isNewestFirst: boolean): IdSelection {
    return {
      sql: `SELECT id FROM (${among.sql} EXCEPT ${unwanted.sql})
        ORDER BY id ${isNewestFirst ? 'DESC' : 'ASC'} LIMIT ? OFFSET ?`,
      values: [...among.values, ...unwanted.values],
    };
  }

  /** A page of a few records, each of which is looked at. */
  sorted(few: IdSelection, sort: readonly SortKey[], isNewestFirst: boolean): IdSelection {
    const sql = `${this.#from('page', `f_id IN (${few.sql})`)}
      ORDER BY ${this.#order(sort, isNewestFirst)} LIMIT ? OFFSET ?`;
    return { sql, values: few.values };
  }

  /**
   * A page of the records that have a value of the first key, along its index; `tests` are of its conditions that are not
   * negated, `among` selects by what else is asked for.
   */
  walk(
    sort: readonly [SortKey, ...SortKey[]],
    isNewestFirst: boolean,
    tests: readonly ListTest[],
    among: IdSelection | undefined,
  ): { page: IdSelection; all: IdSelection } {
    const [{ field, isDescending }, ...rest] = sort;
    const column = this.#column(field);
    const conditions = tests.map(test => testSql(column, test));
    const where = [
      `${column} IS NOT NULL`,
      ...conditions.map(({ sql }) => sql),
      ...(among ? [`f_id IN (${among.sql})`] : []),
    ].join(' AND ');
    const values = [...conditions.flatMap(each => each.values), ...(among?.values ?? [])];
    const from = this.#from(this.#index(field), where);
    const order = `${column} ${isDescending ? 'DESC' : 'ASC'}, ${this.#order(rest, isNewestFirst)}`;
    return {
      page: { sql: `${from} ORDER BY ${order} LIMIT ? OFFSET ?`, values },
      all: { sql: from, values },
    };
  }

  /**
   * A page of the records without a value of a field, of those that `among` selects. What has a value is listed once, and the
   * others are gone through only as far as the page: most records have no value of most fields.
   * @param areFew of the field most records have a value
   */
  without(
    field: string,
    among: IdSelection | undefined,
    rest: readonly SortKey[],
    { isNewestFirst, areFew }: { isNewestFirst: boolean; areFew: boolean },
  ): IdSelection {
    const has = this.#from(this.#index(field), `${this.#column(field)} IS NOT NULL`);
    const values = among?.values ?? [];
    if (rest.length > 0)
      return this.sorted({ sql: `${(among ?? this.all()).sql} EXCEPT ${has}`, values }, rest, isNewestFirst);
    if (areFew) return this.butFor(among ?? this.all(), { sql: has, values: [] }, isNewestFirst);
    const where = [`f_id NOT IN (${has})`, ...(among ? [`f_id IN (${among.sql})`] : [])].join(' AND ');
    const sql = `${this.#from('page', where)} ORDER BY f_id ${isNewestFirst ? 'DESC' : 'ASC'} LIMIT ? OFFSET ?`;
    return { sql, values };
  }

  #order(sort: readonly SortKey[], isNewestFirst: boolean): string {
    const keys = sort.map(({ field, isDescending }) => {
      const column = this.#column(field);
      return `${column} IS NULL, ${column} ${isDescending ? 'DESC' : 'ASC'}`;
    });
    return [...keys, `f_id ${isNewestFirst ? 'DESC' : 'ASC'}`].join(', ');
  }

  #from(index: string, where: string): string {
    return `SELECT f_id AS id FROM "${this.#table}" INDEXED BY "${indexNameOf(this.#table, index)}"
      WHERE f_family = '${this.#family}' AND ${where}`;
  }

  #column(field: string): string {
    return field === ID ? 'f_id' : columnOf(this.#family, field);
  }

  #index(field: string): string {
    return field === ID ? 'page' : this.#column(field);
  }
}

/** A filter of the document's: exactly the value, also of a text whose column has it folded. */
export function filterSql(family: string, field: string, value: string | number): IdSelection {
  const column = `${columnOf(family, field)} = ?`;
  if (!isFolded(family, field)) return { sql: column, values: [value] };
  const sql = `${column} AND json_extract(document, '$.fields.${field}') = ?`;
  return { sql, values: [soughtValue(family, field, value), value] };
}

function testSql(column: string, test: ListTest): IdSelection {
  // The indexes hold the records that have the value, which the planner has to be told of.
  const there = `${column} IS NOT NULL`;
  switch (test.kind) {
    case 'in':
      return {
        sql: `${there} AND ${column} IN (SELECT value FROM json_each(?))`,
        values: [JSON.stringify(test.values)],
      };
    case 'range': {
      const bounds = [boundSql(column, '>', test.from), boundSql(column, '<', test.to)].flat();
      return {
        sql: [there, ...bounds.map(({ sql }) => sql)].join(' AND '),
        values: bounds.flatMap(({ values }) => values),
      };
    }
    case 'contains':
      return { sql: `${there} AND instr(${column}, ?) > 0`, values: [test.text] };
    case 'any':
      return { sql: there, values: [] };
  }
}

function boundSql(column: string, sign: '>' | '<', bound: Bound | undefined): IdSelection[] {
  if (!bound) return [];
  return [{ sql: `${column} ${sign}${bound.isIncluded ? '=' : ''} ?`, values: [bound.value] }];
}
