import { z } from 'zod';
import type { Family, OperationKind } from './define-family.ts';
import type { Deprecation } from './deprecation.ts';
import { PER_PAGE_DEFAULT, PER_PAGE_LIMIT } from './envelope.ts';
import { givenIdSchema } from './field-schemas.ts';

/**
 * Every operation of the interface as a value. Routes, OpenAPI, the client and the contract tests walk this one table;
 * nothing is served that does not stand in it. Handlers, clients and screens take their types from it
 * (`operations/operation-types.ts`).
 */
export interface Operation<
  Id extends string = string,
  Path extends string = string,
  Query extends QuerySpec<Schema> = QuerySpec,
  Body extends BodySpec<Schema> | null = BodySpec | null,
  Answer extends AnswerSpec<Schema> | null = AnswerSpec | null,
> {
  /** `suppliers.list`; unique. */
  id: Id;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Below `/api/v2`, with `{name}` parameters. */
  path: Path;
  /** Section of the interface document; null for an extension. */
  section: string | null;
  summary: string;
  tag: string;
  kind: OperationKind | 'add-item' | 'update-item' | 'custom';
  family: Family | null;
  /** For item operations: which collection of the family. */
  collection: string | null;
  parameters: Record<string, ParameterSpec>;
  query: Query;
  body: Body;
  /**
   * The whole answer of a success; null where it is not JSON of ours (an event stream, a file). Made when it is asked
   * for: only the description of the interface does, and a server must not wait for it to start.
   */
  answer: Answer;
  answerType: string;
  /** Further types, answered where the query asks for them; all are text. */
  otherAnswerTypes?: readonly string[];
  /** Goes away one day. */
  deprecation?: Deprecation;
  success: 200 | 201;
  /** Statuses beside the success and those that every operation can have. */
  errors: readonly number[];
  /**
   * `station`: for the key of a station, and for nobody's token. Bodies of these operations may come packed with gzip
   * (`BodySpec.limit` bounds what is unpacked), and answers go so to who accepts it.
   */
  scope: 'none' | 'read' | 'write' | 'admin' | 'station';
}

/**
 * Any schema, as types know one: to ask of a type whether it has all methods of `z.ZodType` takes the compiler longer
 * than everything else about it.
 */
export type Schema = z.core.SomeType;

export type AnswerSpec<Of extends Schema = z.ZodType> = () => Of;

export type QuerySpec<Of extends Schema = z.ZodType> = Record<string, ParameterSpec<Of>>;

export interface ParameterSpec<Of extends Schema = z.ZodType> {
  schema: Of;
  description: string;
  isRequired?: boolean;
  isAdditive?: boolean;
  /** Given member by member, with their names in brackets: `filter[name]=Jar` (OpenAPI's `deepObject`). */
  isDeep?: boolean;
}

/** Whether several values may be given: with commas between them (`sort=name,-id`), or the name several times. */
export function isList({ schema }: ParameterSpec): boolean {
  return schema instanceof z.ZodArray;
}

export interface BodySpec<Of extends Schema = z.ZodType, IsOptional extends boolean = boolean> {
  /** Made when it is asked for, as `answer` is. */
  schema: () => Of;
  isOptional: IsOptional;
  /** Bytes. */
  limit: number;
  /** `application/json` unless said otherwise. */
  type: string;
}

/** Interface decisions, 2: a body of 1 MiB at most, 5 MiB on bulk. In bytes. */
export const BODY_LIMIT = 1024 * 1024;
export const BULK_BODY_LIMIT = 5 * BODY_LIMIT;

/** Of every paged list: interface 2.2. */
export const pageQuery = {
  page: { schema: z.int().min(1).default(1), description: 'Which page, from 1.' },
  per_page: {
    schema: z.int().min(1).default(PER_PAGE_DEFAULT),
    description: `Records on a page; more than ${PER_PAGE_LIMIT} is read as ${PER_PAGE_LIMIT}.`,
  },
} satisfies QuerySpec;

/** Of paged lists, which are in order of id; people want what is new first. */
export const newestFirstQuery = {
  schema: z.enum(['asc', 'desc']),
  description: '`desc`: the newest first. Absent or `asc`: the oldest first.',
  isAdditive: true,
} satisfies ParameterSpec;

/** Of paged lists of records. */
export const updatedSinceQuery: ParameterSpec = {
  schema: z.string().meta({ examples: ['2026-01-31T08:30:00Z'] }),
  description:
    'Only records that were written on this machine at this moment or later: ISO 8601 with any offset, UTC without one. Some of the minute before may be among them; what came from another station counts from its arrival. Records that only show another one that has changed are not (`/x/changes` tells them).',
  isAdditive: true,
};

/** An operation; what `details` leave out is as most have it: a read, of no family, without parameters and body. */
export function defineOperation<
  const Id extends string,
  const Path extends string,
  Query extends QuerySpec<Schema> = Record<never, ParameterSpec>,
  Body extends BodySpec<Schema> | null = null,
  Answer extends AnswerSpec<Schema> | null = null,
>(
  id: Id,
  method: Operation['method'],
  path: Path,
  tag: string,
  details: Partial<Omit<Operation<Id, Path, Query, Body, Answer>, 'id' | 'method' | 'path' | 'tag'>>,
): Operation<Id, Path, Query, Body, Answer> {
  const usual: Operation = {
    ...{ id, method, path, tag },
    section: null,
    summary: '',
    kind: 'custom',
    family: null,
    collection: null,
    parameters: {},
    query: {},
    body: null,
    answer: null,
    answerType: 'application/json',
    success: 200,
    errors: [],
    scope: 'read',
  };
  return { ...usual, ...details } as unknown as Operation<Id, Path, Query, Body, Answer>;
}

/** A path parameter that names a record. */
export function idParameter(description: string): ParameterSpec {
  return { schema: givenIdSchema(), description, isRequired: true };
}

/** The path parameter that names a family. */
export const familyParameter: ParameterSpec = {
  schema: z.string(),
  description: 'Family, as `supplier` or `suppliers`.',
  isRequired: true,
};

/** A JSON body of the usual size. */
export function jsonBody<Of extends Schema>(schema: () => Of): BodySpec<Of, false> {
  return { schema, isOptional: false, limit: BODY_LIMIT, type: 'application/json' };
}

/** The body of an operation that takes nothing: empty, or left out. */
export const noBody: BodySpec<z.ZodObject, true> = { ...jsonBody(() => z.object({})), isOptional: true };
