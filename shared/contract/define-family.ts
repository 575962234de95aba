import type { Field } from './fields.ts';
import type { May } from './may.ts';
import type { Role } from './role.ts';

/**
 * A record family: everything that validation, routes, OpenAPI, references, search, import, tables and forms
 * need to know about one kind of record. Adding a family is one file that calls `defineFamily` and one line in
 * `families/registry.ts`; what only one family does is a rule in `server/rules`, named here.
 */
export interface Family {
  /** Singular, kebab-case; part of every key (`supplier:1048583`) and so never renamed. */
  name: string;
  /** Singular and plural as people say them. */
  title: string;
  plural: string;
  path: string;
  /** The section of the interface document that describes the record; null for an extension. */
  section: string | null;
  description: string;
  /** In the order of the documented record. */
  fields: Record<string, Field>;
  collections: Record<string, Collection>;
  operations: FamilyOperations;
  /** Columns of its table, most telling first. */
  columns: readonly string[];
  /** Fields that `keyword` looks in. */
  search: readonly string[];
  /** References whose own search fields `keyword` looks in as well: a lot is found by its part's name. */
  searchThrough: readonly string[];
  /** Fields that the list can be filtered by; each has an index. */
  filters: Record<string, Filter>;
  /** Fields or item fields (`items.*.part_id` is not indexed; plain names only) that rules look records up by. */
  indexes: readonly string[];
  /** Fields beside these that lists sort and filter by (`list-fields.ts`). Each value costs an entry of an index. */
  lists: readonly string[];
  /** Numbers that people type: the same one twice on one station is refused. */
  unique: readonly string[];
  /** What people call a record: the first of these fields that has a value; none of them: its kind and id. */
  nameFields: readonly string[];
  /** What tells records of one name apart, in their order: fields, references as what they refer to is called. */
  detailFields: readonly string[];
  /** Fields whose whole value, in any case, finds the record: numbers, lot numbers, barcodes. Each value costs a row. */
  codes: readonly string[];
  /**
   * The server numbers the record when the client gives none: `SH-0-000001`, with the station's code in it
   * (decisions/0091).
   */
  numbered: { field: string; prefix: string } | null;
  /** Names of rules in `server/rules` that every change of a record passes, in order. */
  rules: readonly string[];
  /** Who may create and change its records. */
  may: May;
  /**
   * `central`: in a fleet only central writes its records. A station refuses to, and what one sends of them is held until
   * an administrator at central decides.
   */
  writer: 'everybody' | 'central';
  /**
   * Only the machine writes its records, about itself: they are neither made, changed nor imported by anybody, and are no
   * part of an export of all records. They have operations of their own.
   */
  isByMachine: boolean;
}

export interface Filter {
  description: string;
  /** Interface document or addition. */
  isAdditive: boolean;
}

/** Items inside a record: order items, samples, characteristics. Stored as a map by id, answered as a list. */
export interface Collection {
  /** Kebab-case; the counter that gives its ids. */
  name: string;
  /** Singular and plural as people say them. */
  title: string;
  plural: string;
  fields: Record<string, Field>;
  collections: Record<string, Collection>;
  /** The field that holds the position; items sort by it, then by id. */
  position: string;
  /** The record's documented answers that carry the items: of the list, of the single record. */
  shownIn: readonly ('list' | 'one' | 'items')[];
  operations: CollectionOperations | null;
  /** The document has the items in no body of the record's own writes; they are accepted there all the same. */
  isAdditiveOnWrite: boolean;
  /** Fields whose values, in any case, find the record: numbers of single pieces. Each value costs a row. */
  codes: readonly string[];
  /** Most items that one record holds. */
  limit: number;
  /**
   * False: a list in the body of a write adds and changes, and items that it leaves out stay (interface decisions, 3).
   * True: the list is the whole list. An entry without an id is the item of the same name, and items that it leaves
   * out are marked `is_removed`: kept, but neither answered nor used.
   */
  isWholeList: boolean;
  /** Ids are given by the client and a rule checks them: the results of a sample have those of the characteristics. */
  idsFromClient: boolean;
}

export interface CollectionOperations {
  section: string;
  /** Path segment: `/orders/{order_id}/items/{id}`. */
  segment: string;
  parentParameter: string;
  itemParameter: string;
  /** What the two operations answer with: the record, or the item in these fields (null: its documented ones). */
  answers: { kind: 'record' } | { kind: 'item'; fields: readonly string[] | null; updateUnderMeta: boolean };
  /** Fields that adding one must give; a partial update never must. */
  required: readonly string[];
  isBodyOptional: boolean;
}

export type OperationKind = 'list' | 'create' | 'read' | 'update';

export interface DocumentedOperations {
  section: string;
  kinds: readonly OperationKind[];
  /** Fields that the documented create alone insists on: a number that the server gives at every other door. */
  requiredOnCreate?: readonly string[];
}

export interface FamilyOperations {
  documented: DocumentedOperations | null;
  /** Under `/x`. */
  extensions: readonly OperationKind[];
  /** `page`: a list with `meta`. `inventory` and `first-record` are the document's exceptions (decisions, 3). */
  listForm: 'page' | 'inventory' | 'first-record';
  /** Create and update answer without the collections that the single read has (shipments). */
  isSummaryOnWrite: boolean;
  /** Single answers carry `meta.id`, because the documented record has no id. */
  hasMetaId: boolean;
  /** Names that create and update read themselves and that are not fields of the record. */
  passes: readonly string[];
  /** Names that only create reads itself. */
  passesOnCreate: readonly string[];
  /** `create` may carry the record's id (inspection, lab result). */
  acceptsId: boolean;
  /** Reading and writing the family's records by its operations is for administrators. */
  isAdministrative: boolean;
  /** The lowest role that reads them all the same; null: none. */
  readers: Role | null;
}

type Shape = Record<string, Field>;

export interface FamilyInput<
  Fields extends Shape,
  Path extends string = string,
  Operations extends Partial<FamilyOperations> = Partial<FamilyOperations>,
  Collections extends Record<string, Collection> = Record<string, Collection>,
> {
  name: string;
  title: string;
  plural: string;
  path: Path;
  section?: string;
  description: string;
  fields: Fields;
  collections?: Collections;
  operations: Operations;
  columns: readonly (keyof Fields & string)[];
  search?: readonly (keyof Fields & string)[];
  searchThrough?: readonly (keyof Fields & string)[];
  filters?: Partial<Record<keyof Fields & string, Filter>>;
  indexes?: readonly (keyof Fields & string)[];
  lists?: readonly (keyof Fields & string)[];
  unique?: readonly (keyof Fields & string)[];
  nameFields?: readonly (keyof Fields & string)[];
  detailFields?: readonly (keyof Fields & string)[];
  codes?: readonly (keyof Fields & string)[];
  numbered?: { field: keyof Fields & string; prefix: string };
  rules?: readonly string[];
  may: May;
  writer?: Family['writer'];
  isByMachine?: true;
}

/** A family whose fields, items and operations are known to the types. */
export interface Defined<Fields, Path, Operations, Collections>
  extends Omit<Family, 'fields' | 'path' | 'operations' | 'collections'> {
  fields: Fields;
  path: Path;
  operations: Given<FamilyOperations, Operations, { extensions: readonly [] }>;
  collections: Collections;
}

/** What is given as it is given; of the rest what stands in its place where that matters to types. */
type Given<All, Some, Usual> = Omit<All, keyof Some | keyof Usual> & Some & Omit<Usual, keyof Some>;

/** Fills in what a family leaves out, so that everything after it finds every member. */
export function defineFamily<
  const Fields extends Shape,
  const Path extends string,
  const Operations extends Partial<FamilyOperations>,
  Collections extends Record<string, Collection> = Record<never, Collection>,
>(input: FamilyInput<Fields, Path, Operations, Collections>): Defined<Fields, Path, Operations, Collections> {
  return {
    name: input.name,
    title: input.title,
    plural: input.plural,
    path: input.path,
    section: input.section ?? null,
    description: input.description,
    fields: labelled(input.fields),
    collections: input.collections ?? ({} as Collections),
    operations: {
      documented: null,
      extensions: [],
      listForm: 'page',
      isSummaryOnWrite: false,
      hasMetaId: false,
      passes: [],
      passesOnCreate: [],
      acceptsId: false,
      isAdministrative: false,
      readers: null,
      ...input.operations,
    },
    columns: input.columns,
    search: input.search ?? [],
    searchThrough: input.searchThrough ?? [],
    filters: (input.filters ?? {}) as Record<string, Filter>,
    indexes: input.indexes ?? [],
    lists: input.lists ?? [],
    unique: input.unique ?? [],
    nameFields: input.nameFields ?? namesIn(input),
    detailFields: input.detailFields ?? [],
    codes: input.codes ?? input.unique ?? [],
    numbered: input.numbered ?? null,
    rules: input.rules ?? [],
    may: input.may,
    writer: input.writer ?? 'everybody',
    isByMachine: input.isByMachine ?? false,
  };
}

/** Unless a family says otherwise, its records go by their number, else by their name. */
function namesIn({ unique = [], fields }: Pick<FamilyInput<Shape>, 'unique' | 'fields'>): readonly string[] {
  if (unique.length > 0) return unique;
  return 'name' in fields ? ['name'] : [];
}

type ItemOperations = Partial<CollectionOperations> &
  Pick<CollectionOperations, 'section' | 'parentParameter'>;

export interface CollectionInput<
  Fields extends Shape,
  Collections extends Record<string, Collection>,
  ShownIn extends Collection['shownIn'],
  Operations extends ItemOperations | undefined,
> {
  name: string;
  title: string;
  plural: string;
  fields: Fields;
  collections?: Collections;
  position: keyof Fields & string;
  shownIn: ShownIn;
  operations?: Operations;
  isAdditiveOnWrite?: boolean;
  codes?: readonly (keyof Fields & string)[];
  limit?: number;
  isWholeList?: boolean;
  idsFromClient?: boolean;
}

export function defineCollection<
  const Fields extends Shape,
  const ShownIn extends Collection['shownIn'],
  const Operations extends ItemOperations | undefined = undefined,
  Collections extends Record<string, Collection> = Record<never, Collection>,
>(
  input: CollectionInput<Fields, Collections, ShownIn, Operations>,
): DefinedCollection<Fields, Collections, ShownIn, Operations> {
  const operations = input.operations as ItemOperations | undefined;
  return {
    name: input.name,
    title: input.title,
    plural: input.plural,
    fields: labelled(input.fields),
    collections: input.collections ?? ({} as Collections),
    position: input.position,
    shownIn: input.shownIn,
    operations: (operations
      ? {
          segment: 'items',
          itemParameter: 'id',
          answers: { kind: 'record' },
          required: [],
          isBodyOptional: false,
          ...operations,
        }
      : null) as DefinedCollection<Fields, Collections, ShownIn, Operations>['operations'],
    isAdditiveOnWrite: input.isAdditiveOnWrite ?? false,
    codes: input.codes ?? [],
    limit: input.limit ?? 1_000,
    isWholeList: input.isWholeList ?? false,
    idsFromClient: input.idsFromClient ?? false,
  };
}

/** A collection whose fields and operations are known to the types. */
export interface DefinedCollection<Fields, Collections, ShownIn, Operations>
  extends Omit<Collection, 'fields' | 'collections' | 'shownIn' | 'operations'> {
  fields: Fields;
  collections: Collections;
  shownIn: ShownIn;
  operations: Operations extends ItemOperations
    ? Given<CollectionOperations, Operations, { segment: 'items'; itemParameter: 'id' }>
    : null;
}

/**
 * The documented record of a family, or item of a collection, as a type: `Answer<typeof supplier>`. With a place (`one`)
 * with the items that are shown there.
 */
export type Answer<Described extends WithFields, Where = never> = {
  -readonly [Name in keyof Described['fields']]: AnswerOfField<Described['fields'][Name]>;
} & {
  [Name in keyof Described['collections'] as IsShown<Described['collections'][Name], Where> extends true
    ? Name
    : never]: Item<Described['collections'][Name]>[];
};

/** An item in answers: the lists that stand in it are always part of it. */
export type Item<Described> = Described extends WithFields ? Answer<Described, 'any'> : never;

export type WithFields = { fields: Shape; collections: Record<string, Collection> };
type IsShown<Items, Where> = Items extends { shownIn: readonly (infer Place)[] }
  ? 'any' extends Where
    ? true
    : Where extends Place
      ? true
      : false
  : false;
type AnswerOfField<F> = F extends Field<infer Out> ? (F extends NeverAbsent ? Out : Out | null) : never;
type NeverAbsent = { source: 'id' | 'created_at' | 'updated_at' | 'station' } | { absent: object };

/** A field without a label of its own is called by its name: `batch_number` is "Batch number", `is_closed` "Closed". */
function labelled<Fields extends Shape>(fields: Fields): Fields {
  const entries = Object.entries(fields).map(([name, field]) => {
    const words = name
      .replace(/^(is|has)_/, '')
      .replace(/_id$/, '')
      .replace(/_/g, ' ');
    const label = field.label || words.charAt(0).toUpperCase() + words.slice(1);
    return [name, { ...field, label }];
  });
  return Object.fromEntries(entries) as Fields;
}
