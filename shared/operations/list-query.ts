import { z } from 'zod';
import type { Family } from '../contract/define-family.ts';
import { expansionsOf } from '../contract/expanded.ts';
import { givenIdSchema } from '../contract/field-schemas.ts';
import { filterFields, type ListKind, listFields } from '../contract/list-fields.ts';
import { IN_LIMIT, type ListOperator, operatorsOf, SORT_LIMIT } from '../contract/list-operators.ts';
import { once, oncePer } from '../contract/once-per.ts';
import type { QuerySpec } from '../contract/operation.ts';
import { itemMembers } from '../contract/present.ts';
import { listedFields } from '../families/inventory.ts';

export const anyText = z.string();

/** The documented filter of a family, by one of its fields. */
export function filterSchema(family: Family, name: string): z.ZodType {
  return family.fields[name]?.kind === 'reference' ? givenIdSchema() : anyText;
}

/** How every paged list of a family is sorted, filtered and shaped, beside what the document has. */
export function listQueryOf(family: Family, collections: readonly string[]): QuerySpec {
  const known = listFields(family);
  const query: QuerySpec = {
    sort: {
      schema: z
        .array(z.enum([...known.keys()].flatMap(name => [name, `-${name}`])))
        .max(SORT_LIMIT)
        .meta({ examples: [[exampleOf(known)]] }),
      description: `Fields to sort by, ${SORT_LIMIT} at most, with a comma between them; \`-\` before one: the highest first. Records without the value come last, records that are alike by id.`,
      isAdditive: true,
    },
    filter: {
      schema: z.object(
        Object.fromEntries([...filterFields(family)].map(([name, kind]) => [name, comparison(kind)])),
      ),
      description:
        'Only records whose fields compare so, all of them: `filter[field]=value`, `filter[field][operator]=value`.',
      isAdditive: true,
      isDeep: true,
    },
    fields: {
      schema: z.array(z.enum(choosable(family, collections))),
      description: `Only these members of each record, with a comma between them, and its id.${collections.length > 0 ? ` Of items, \`${collections[0]}\` is all members.` : ''}`,
      isAdditive: true,
    },
  };
  const possible = expandable(family, collections);
  if (possible.length > 0) {
    query.expand = {
      schema: z.array(z.enum(possible)),
      description: `Records that are referred to, put beside their ids, with a comma between them. Null where there is none; what the caller may not read is left out and named in \`meta.not_expanded\`.`,
      isAdditive: true,
    };
  }
  return query;
}

function expandable(family: Family, collections: readonly string[]): string[] {
  const ofItems = collections.flatMap(name => {
    const collection = family.collections[name];
    return collection ? expansionsOf(collection).map(each => `${name}.${each.name}`) : [];
  });
  return [...expansionsOf(family).map(({ name }) => name), ...ofItems];
}

/** What `fields` may name: members of the record, collections, members of their items. */
function choosable(family: Family, collections: readonly string[]): string[] {
  const ofItems = collections.flatMap(name => {
    const collection = family.collections[name];
    return collection ? itemMembers(collection).map(member => `${name}.${member}`) : [];
  });
  return [...new Set([...listedFields(family), ...collections, ...ofItems])];
}

function exampleOf(known: ReadonlyMap<string, ListKind>): string {
  return `-${[...known.keys()].at(-1) ?? 'id'}`;
}

const WORDS: Record<ListOperator, string> = {
  eq: 'Is this.',
  ne: 'Is something else, or nothing.',
  in: `Is one of these, ${IN_LIMIT} at most, with a comma between them.`,
  lt: 'Is less, or earlier.',
  lte: 'Is this, less, or earlier.',
  gt: 'Is more, or later.',
  gte: 'Is this, more, or later.',
  contains: 'Holds this text.',
  is_null: '`true`: has no value. `false`: has one.',
};

const NAMES: Record<ListKind, [name: string, words: string]> = {
  id: ['FilterById', 'A whole number from 1.'],
  text: ['FilterByText', 'Compared without blanks at its ends, in any case, by its first 200 characters.'],
  number: ['FilterByNumber', 'A number.'],
  boolean: ['FilterByYesOrNo', '`true` or `false`.'],
  date: ['FilterByDay', 'A day, YYYY-MM-DD.'],
  timestamp: [
    'FilterByMoment',
    'ISO 8601 with any offset, UTC without one; where answers tell no milliseconds, the whole second.',
  ],
  choice: ['FilterByChoice', 'One of the values that the field can have.'],
  reference: ['FilterByReference', 'The id of a record.'],
  codes: [
    'FilterByItemNumber',
    'A number that one of its items holds, whole and in any case; `ne`: that none of them holds.',
  ],
};

const compared = oncePer((operator: ListOperator) => anyText.optional().describe(WORDS[operator]));

/** Of a value that has no order: several kinds are, and the document names what they have alike once. */
const comparedAlone = once(() =>
  z
    .object({ eq: compared('eq'), ne: compared('ne'), in: compared('in'), is_null: compared('is_null') })
    .meta({ id: 'FilterOperators' }),
);

/** One schema for all fields of a kind, which the document names once. */
const comparison = oncePer((kind: ListKind): z.ZodType => {
  const [id, description] = NAMES[kind];
  const operators = operatorsOf(kind);
  const isAlone = operators.join() === Object.keys(comparedAlone().shape).join();
  const members = isAlone
    ? comparedAlone()
    : z.object(Object.fromEntries(operators.map(each => [each, compared(each)])));
  return z.union([z.string(), members]).meta({ id, description }).optional();
});
