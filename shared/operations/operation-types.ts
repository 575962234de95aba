import type { z } from 'zod';
import type { Answer, Item, OperationKind } from '../contract/define-family.ts';
import type { PageMeta } from '../contract/envelope.ts';
import type { AnswerSpec, ParameterSpec, QuerySpec, Schema } from '../contract/operation.ts';
import type { inventoryDetailFields, inventoryListFields } from '../families/inventory.ts';
import type { ListedCorrections } from '../families/record-corrections.ts';
import type { families } from '../families/registry.ts';
import type { ExtensionOperation } from './extensions.ts';
import type { DocumentedOperation } from './operations.ts';
import type { OperationTypes, RawBody, Scalar } from './send-operation.ts';

/**
 * What each operation is asked and answers, by its id: worked out of the table of operations and the families, for
 * handlers (`server/http/handlers/handler.ts`), clients and screens. Nothing of it is there when the program runs.
 */
export type Operations = {
  [Id in keyof CustomOperations]: TypesOf<CustomOperations[Id]>;
} & OfFamilies;

export type OperationId = keyof Operations;

/** The envelope's `data` of an operation. */
export type AnswerOf<Id extends OperationId> = Operations[Id]['answer'];

/** A record of an operation's list. */
export type ListedBy<Id extends OperationId> = Extract<AnswerOf<Id>, readonly unknown[]>[number];

export type BodyOf<Id extends OperationId> = Operations[Id]['asked'] extends { body?: infer Body }
  ? NonNullable<Body>
  : never;

/** Operations that do not follow from a family: each needs a handler of its own. */
export type CustomOperation = DocumentedOperation | ExtensionOperation;

type CustomOperations = { [Each in CustomOperation as Each['id']]: Each };

/** What a handler is given of a body: as the operation's schema makes it of what was sent. */
export type TakenBy<Id extends CustomOperation['id']> = CustomOperations[Id]['body'] extends {
  schema: () => infer Of;
}
  ? z.output<Of>
  : undefined;

/** The parameters of an operation's path, as text. */
export type PathOf<Id extends string> = Id extends keyof CustomOperations
  ? Record<ParamNames<CustomOperations[Id]['path']>, string>
  : Record<string, string>;

/** The names in an operation's query. */
export type QueryNamesOf<Id extends string> = Id extends keyof CustomOperations
  ? keyof CustomOperations[Id]['query'] & string
  : string;

/** What may be chosen by a parameter of an operation's query. */
export type ChoiceOf<Id extends string, Name extends string> = Id extends keyof CustomOperations
  ? CustomOperations[Id]['query'] extends Record<Name, { schema: infer Of }>
    ? z.output<Of>
    : never
  : never;

type TypesOf<Each extends CustomOperation> = {
  asked: Params<Each['path']> & QueryAsked<Each['query']> & BodyAsked<Each['body']>;
} & Answered<Each['answer']>;

/** The names in a path: `/x/orders/{order_id}/items/{id}`. */
export type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

type Params<Path extends string> = [ParamNames<Path>] extends [never]
  ? unknown
  : { params: Record<ParamNames<Path>, string | number> };

type QueryAsked<Query extends QuerySpec<Schema>> =
  RequiredNames<Query> extends never ? { query?: Queried<Query> } : { query: Queried<Query> };
type Queried<Query extends QuerySpec<Schema>> = {
  [Name in RequiredNames<Query>]: QueryValue<Query[Name]>;
} & {
  [Name in Exclude<keyof Query, RequiredNames<Query>>]?: QueryValue<Query[Name]> | undefined;
};
type RequiredNames<Query extends QuerySpec<Schema>> = {
  [Name in keyof Query]: Query[Name] extends { isRequired: true } ? Name : never;
}[keyof Query];
/** A list may be given as text as well: values with commas between them. */
type QueryValue<Spec extends ParameterSpec<Schema>> =
  z.input<Spec['schema']> extends infer Value
    ? Value extends readonly unknown[]
      ? Value | string
      : Value extends Scalar | undefined
        ? Value
        : never
    : never;

type BodyAsked<Body> = Body extends { schema: () => infer Of; isOptional: infer IsOptional }
  ? IsOptional extends true
    ? { body?: BodyInput<z.input<Of>> }
    : { body: BodyInput<z.input<Of>> }
  : unknown;
/** What is no JSON is sent as it is. */
type BodyInput<Given> = Given extends string ? RawBody : Given;

type Answered<Answers> =
  Answers extends AnswerSpec<Schema>
    ? z.output<ReturnType<Answers>> extends infer Whole
      ? {
          answer: Whole extends { data: infer Data } ? Data : Whole;
          meta: Whole extends { meta: infer Meta } ? Meta : Record<string, unknown>;
        }
      : never
    : { answer: never; meta: Record<string, unknown> };

/** The operations of a family, by its path: those that the document has, and those under `/x`. */
type OfFamilies = UnionToIntersection<
  { [Name in keyof Families]: OfFamily<Families[Name]> & OfItems<Families[Name]> }[keyof Families]
>;
type Families = typeof families;

type OfFamily<F extends Families[keyof Families]> = (F['operations'] extends {
  documented: { kinds: readonly (infer Kind extends OperationKind)[] };
}
  ? { [Each in Kind as `${PathName<F>}.${Each}`]: FamilyTypes<F, Each, 'one'> } & {
      [Each in Kind & 'update' as `${PathName<F>}.${Each}.patch`]: FamilyTypes<F, Each, 'one'>;
    }
  : unknown) &
  (F['operations'] extends { extensions: readonly (infer Kind extends OperationKind)[] }
    ? { [Each in Kind as `x.${PathName<F>}.${Each}`]: FamilyTypes<F, Each, 'any'> } & {
        [Each in Kind & 'update' as `x.${PathName<F>}.${Each}.patch`]: FamilyTypes<F, Each, 'any'>;
      }
    : unknown);

type PathName<F extends { path: string }> = F['path'] extends `/${infer Name}` ? Name : never;

interface FamilyAsked {
  list: { query?: Record<string, Scalar | readonly Scalar[] | undefined> };
  create: { body: Written };
  read: { params: { id: number | string } };
  update: { params: { id: number | string }; body: Written };
}

/** Names that a write of the family takes are its fields' and their second names; the server names those it ignores. */
export type Written = Record<string, unknown>;

interface FamilyTypes<F extends Families[keyof Families], Kind extends OperationKind, Read> {
  asked: FamilyAsked[Kind];
  answer: Kind extends 'list' ? Listed<F>[] : Single<F, Kind extends 'read' ? Read : WrittenWhere<F>>;
  meta: Kind extends 'list' ? PageMeta : Record<string, unknown>;
}

type WrittenWhere<F> = F extends { operations: { isSummaryOnWrite: true } } ? never : 'one';

/** A record as its own read answers it: what the document does not show with it (the samples of an inspection) is read under `/x`. */
export type Single<F extends Families[keyof Families], Where = 'one'> = (F extends Families['inventory']
  ? Pick<Answer<Families['inventory']>, (typeof inventoryDetailFields)[number]>
  : Answer<F, Where>) &
  ListedCorrections;

export type Listed<F extends Families[keyof Families]> = F extends Families['inventory']
  ? Pick<Answer<Families['inventory']>, (typeof inventoryListFields)[number]>
  : Answer<F, 'list'>;

type OfItems<F extends Families[keyof Families]> = UnionToIntersection<
  {
    [Name in keyof F['collections']]: F['collections'][Name] extends {
      operations: infer Spec extends { segment: string; parentParameter: string; itemParameter: string };
    }
      ? {
          [Each in ItemKind as `${PathName<F>}.${Spec['segment']}.${Each}`]: {
            asked: {
              params: Record<Spec['parentParameter'], number | string> &
                (Each extends 'add' ? unknown : Record<Spec['itemParameter'], number | string>);
            } & (Spec extends { isBodyOptional: true } ? { body?: Written } : { body: Written });
            answer: Spec extends { answers: { kind: 'item' } }
              ? Spec extends { answers: { fields: readonly (infer Field)[] } }
                ? Pick<Item<F['collections'][Name]>, Field & keyof Item<F['collections'][Name]>>
                : Item<F['collections'][Name]>
              : Single<F, 'items'>;
            meta: Record<string, unknown>;
          };
        }
      : unknown;
  }[keyof F['collections']]
>;
type ItemKind = 'add' | 'update' | 'update.patch';

type UnionToIntersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** Every entry is what a client can be made of. */
export type Checked = Operations extends { [Id in OperationId]: OperationTypes } ? Operations : never;
