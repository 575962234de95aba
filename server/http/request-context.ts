import type { Request, Response } from 'express';
import { parseTimestamp, type ZoneOf } from '../../shared/contract/dates.ts';
import { PER_PAGE_DEFAULT, PER_PAGE_LIMIT } from '../../shared/contract/envelope.ts';
import { AppError, type FieldErrors, invalid, refuse } from '../../shared/contract/errors.ts';
import { shown } from '../../shared/contract/field-schemas.ts';
import { isList, type Operation } from '../../shared/contract/operation.ts';
import type { Rights } from '../../shared/contract/permission.ts';
import type { PathOf, QueryNamesOf } from '../../shared/operations/operation-types.ts';
import type { AuditEvent } from '../audit/event.ts';
import type { Actor, Author } from '../store/unit-of-work.ts';
import type { Traffic } from './traffic.ts';

/** One of several writes of a request, each by itself and remembered by itself. */
export interface Part {
  /** Which one, within the request's `Idempotency-Key`. */
  name: string;
  /** What it writes, by which a repeated one is known as the same. */
  body: unknown;
}

/** One request for one operation, read as far as every operation needs it. Its id says what `bodyOf` makes of the body. */
export interface RequestContext<Id extends string = string> {
  operation: Operation<Id>;
  /** Path parameters, as they stand in the path. */
  parameters: PathOf<Id>;
  query: Query<QueryNamesOf<Id>>;
  /** The parsed JSON body; undefined where there is none. */
  body: unknown;
  /** Milliseconds in which the server had nothing to do while it arrived. */
  bodyMs: number;
  /** The site's time zone: looked up where days are read, which is seldom. */
  zone: ZoneOf;
  /** Which of several writes of the request this is; undefined: it is one. */
  part?: Part;
  /** Who else asks. */
  traffic: Pick<Traffic, 'isBusy'>;
  /** Whether names are refused that the operation does not know. */
  isStrict: boolean;
  /** What a write has found at fault so far; it is refused for all of it at once. */
  faults: FieldErrors;
  /** The caller's name, for history. */
  user: string;
  /** What the signed-in user is called; undefined for tokens and stations. */
  userName?: string | undefined;
  /** Id of the signed-in user; undefined for tokens and stations. */
  userId?: number | undefined;
  /** Roles of the signed-in user, or those that bound a token here; undefined for other callers, whose scopes say what they may do. */
  roles?: readonly string[] | undefined;
  /** What the caller may write. */
  rights: Rights;
  /** The families that a bounded token reaches; undefined: all that it may read. */
  families?: ReadonlySet<string> | undefined;
  /** Signs what the caller's session commits; absent for tokens, and while the session has no key. */
  author?: Author | undefined;
  /** Whose answers are remembered, and whose event streams are counted, together. */
  tokenId: number;
  /** The calling station's id at central; undefined for everybody else. */
  stationId: number | undefined;
  request: Request;
  response: Response;
}

/** The caller as the author of a commit. */
export function actorOf(context: RequestContext): Actor {
  const { user, userId, rights, author } = context;
  return { user, userId, rights, author, address: addressOf(context) };
}

/** Where the call comes from in the network, as people write it. */
export function addressOf({ request }: Pick<RequestContext, 'request'>): string {
  return (request.socket.remoteAddress ?? '').replace(/^::ffff:(?=[\d.]+$)/i, '');
}

/** Who calls and from where, as the system's own trail has it. */
export function callerOf(context: RequestContext): Pick<AuditEvent, 'author' | 'author_name' | 'address'> {
  const { user, userName } = context;
  return {
    author: user,
    ...(userName !== undefined && { author_name: userName }),
    address: addressOf(context),
  };
}

/** An answer that is not sent yet: the envelope, and headers beside those that every answer has. */
export interface Reply<Data = unknown> {
  status: number;
  headers: Record<string, string>;
  body: { data?: Data; [member: string]: unknown };
}

/** An id that a body gives, as a number or as text; null for anything but a whole number from 1. */
export function givenId(given: unknown): number | null {
  const number = typeof given === 'string' && /^[1-9]\d{0,15}$/.test(given) ? Number(given) : given;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null;
}

/** The ids of `ids=12,13`. @param what what they are of, in the plural @throws AppError 422 on what is no such list, or a longer one */
export function idsIn({ query }: RequestContext, what: string, limit: number): number[] {
  const text = query.get('ids') ?? '';
  if (!/^\d{1,16}(,\d{1,16})*$/.test(text)) {
    throw invalid({ ids: [`${shown(text)} is no list of ids. Give ${what} as 12,13.`] });
  }
  const ids = text.split(',').map(Number);
  if (ids.length > limit) throw invalid({ ids: [`There are ${ids.length} ${what}. The most is ${limit}.`] });
  return ids;
}

/** The path parameter as an id; anything but a plain whole number from 1 names nothing, so it is 404. */
export function idIn(context: RequestContext, name = 'id'): number {
  const text = context.parameters[name] ?? '';
  const id = givenId(text);
  if (id === null) throw new AppError('not_found', `There is no record with the id ${shown(text)}.`);
  return id;
}

/** One member of a parameter that is given in brackets: `filter[name][in]=a,b` has the path `name`, `in`. */
export interface DeepMember {
  /** As it stands in the address, decoded. */
  name: string;
  path: readonly string[];
  value: string;
}

/** A moment of an address with the plus of its offset, which is a blank there. */
export function withPlus(text: string): string {
  return text.replace(/^(\S+[T ]\d\d:\d\d\S*) (\d\d:?\d\d)$/, '$1+$2');
}

/** What most addresses say behind a question mark, which they do not have. */
const NOTHING = new Map<string, never>();

/** The query of a request. Every parameter at most once; those that the operation does not know are `ignored`. */
export class Query<Name extends string = string> {
  readonly ignored: string[] = [];
  readonly #values: Map<string, string>;
  readonly #members: Map<string, DeepMember[]>;

  constructor(url: string, operation: Pick<Operation, 'query'>) {
    const start = url.indexOf('?');
    this.#values = start < 0 ? NOTHING : new Map();
    this.#members = start < 0 ? NOTHING : new Map();
    if (start < 0) return;
    const errors: FieldErrors = {};
    for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
      const plain = name.replace(/\[.*$/, '');
      const spec = Object.hasOwn(operation.query, plain) ? operation.query[plain] : undefined;
      if (!spec) this.ignored.push(name);
      else if (spec.isDeep) this.#addMember(plain, name, value, errors);
      else if (plain !== name) errors[plain] = [`Give ${plain} as ${plain}=value, without brackets.`];
      else if (this.#values.has(name) && isList(spec))
        this.#values.set(name, `${this.#values.get(name)},${value}`);
      else if (this.#values.has(name)) errors[name] = [`${name} stands twice in the address. Give it once.`];
      else this.#values.set(name, value);
    }
    refuse(errors);
  }

  get(name: Name): string | undefined {
    return this.#values.get(name);
  }

  /** What was given of a parameter whose members are named in brackets, in the order of the address. */
  members(name: Name): readonly DeepMember[] {
    return this.#members.get(name) ?? [];
  }

  #addMember(plain: string, name: string, value: string, errors: FieldErrors): void {
    const path = /^(?:\[[^[\]]+\])+$/.test(name.slice(plain.length))
      ? name.slice(plain.length + 1, -1).split('][')
      : null;
    const members = this.#members.get(plain) ?? [];
    if (path === null)
      errors[name] = [
        `${shown(name)} names no field. Give ${plain}[field]=value or ${plain}[field][operator]=value.`,
      ];
    else if (members.some(member => member.name === name))
      errors[name] = [`${name} stands twice in the address. Give it once.`];
    else this.#members.set(plain, [...members, { name, path, value }]);
  }

  /** Those of these parameters that say something. */
  given(names: readonly Name[]): Record<string, string> {
    return Object.fromEntries(
      names.flatMap(name => {
        const value = this.#values.get(name);
        return value === undefined || value === '' ? [] : [[name, value] as const];
      }),
    );
  }

  /** A whole number from 1; undefined when absent. @throws AppError 422 */
  count(name: Name): number | undefined {
    return this.#count(name);
  }

  #count(name: string): number | undefined {
    const text = this.#values.get(name);
    if (text === undefined) return undefined;
    const number = /^\d{1,15}$/.test(text) ? Number(text) : 0;
    if (number < 1) throw invalid({ [name]: [`${shown(text)} is not a whole number from 1.`] });
    return number;
  }

  /** A yes or no, as programs write them; undefined when absent. @throws AppError 422 */
  flag(name: Name): boolean | undefined {
    const text = this.#values.get(name);
    if (text === undefined) return undefined;
    if (/^(true|1)$/i.test(text)) return true;
    if (/^(false|0)$/i.test(text)) return false;
    throw invalid({ [name]: [`${shown(text)} is not a yes or no. Give true or false.`] });
  }

  /** A moment, in milliseconds since 1970; undefined when absent. @throws AppError 422 */
  moment(name: Name): number | undefined {
    const text = this.#values.get(name);
    if (text === undefined) return undefined;
    const moment = parseTimestamp(withPlus(text));
    if (moment !== null) return Date.parse(moment);
    throw invalid({
      [name]: [`${shown(text)} is not a date and time. Give ISO 8601, for example 2026-01-31T08:30:00Z.`],
    });
  }

  /** Whether the list is wanted with the newest first. @throws AppError 422 */
  isNewestFirst(): boolean {
    const order = this.#values.get('order') ?? 'asc';
    if (order !== 'asc' && order !== 'desc') {
      throw invalid({ order: [`${shown(order)} is no order. Give asc or desc.`] });
    }
    return order === 'desc';
  }

  /** Page and size; a size over the limit is read as the limit (interface decisions, 2). */
  page(): { page: number; perPage: number } {
    const page = this.#count('page') ?? 1;
    return { page, perPage: Math.min(this.#count('per_page') ?? PER_PAGE_DEFAULT, PER_PAGE_LIMIT) };
  }
}
