import type { OperationKind } from '../contract/define-family.ts';
import type { PageMeta } from '../contract/envelope.ts';
import type { Operation } from '../contract/operation.ts';
import { type FamilyName, type families, family } from '../families/registry.ts';
import type { BodyOf, Listed, OperationId, Operations, Single, Written } from './operation-types.ts';
import { listOperations } from './operations.ts';
import {
  type Asked,
  type CallOptions,
  createSender,
  type Reply,
  type SenderOptions,
  type TypedReply,
} from './send-operation.ts';

export interface ClientOptions extends SenderOptions {
  operations?: readonly Operation[];
}

export interface Page<Item> {
  data: Item[];
  meta: PageMeta;
}

type Families = typeof families;

export type Client = ReturnType<typeof createClient>;

/** Calls the operations of the one table as `createSender` does, and those of families by the family's name. */
export function createClient(options: ClientOptions) {
  const operations = indexOperations(options.operations ?? listOperations());
  const sender = createSender(operations.byId, options);

  function idOf(name: FamilyName, kind: OperationKind): string {
    const id = operations.byFamily.get(`${name} ${kind}`);
    if (id === undefined) throw new TypeError(`There is no operation to ${kind} ${name}.`);
    return id;
  }

  return {
    /** The answer of an operation by its id (`orders.items.add`), out of its envelope, in the types of the table. */
    call<Id extends OperationId>(
      id: Id,
      ...[asked]: Asked<Operations[Id]>
    ): Promise<TypedReply<Operations[Id]>> {
      return sender.call(id, asked as CallOptions | undefined) as Promise<TypedReply<Operations[Id]>>;
    },

    /** The same of an operation that is known only when the program runs. */
    send<Data = unknown>(operation: Pick<Operation, 'id'>, options: CallOptions = {}): Promise<Reply<Data>> {
      return sender.call(operation.id, options);
    },

    /** The answer as it comes, for exports and event streams. */
    stream<Id extends OperationId>(id: Id, ...[asked]: Asked<Operations[Id]>): Promise<Response> {
      return sender.stream(id, asked as CallOptions | undefined);
    },

    /** One page of a family, in the order of the ids; `page`, `per_page`, `keyword` and the family's filters. */
    async list<Name extends FamilyName>(
      name: Name,
      query: CallOptions['query'] = {},
      options: CallOptions = {},
    ): Promise<Page<Listed<Families[Name]>>> {
      const as = family(name).operations.listForm === 'first-record' ? { as: 'array' } : {};
      const id = idOf(name, 'list');
      const { data, meta } = await sender.call<Listed<Families[Name]>[]>(id, {
        ...options,
        query: { ...as, ...query },
      });
      // The stock's list has `per_page` as text.
      return { data, meta: { ...meta, per_page: Number(meta.per_page) } as PageMeta };
    },

    read<Name extends FamilyName>(
      name: Name,
      id: number,
      options: CallOptions = {},
    ): Promise<Reply<Single<Families[Name]>>> {
      return sender.call(idOf(name, 'read'), { ...options, params: { id } });
    },

    create<Name extends FamilyName>(
      name: Name,
      body: Written,
      options: CallOptions = {},
    ): Promise<Reply<Single<Families[Name]>>> {
      return sender.call(idOf(name, 'create'), { ...options, body });
    },

    /** A partial update: fields that are left out stay, null clears. */
    update<Name extends FamilyName>(
      name: Name,
      id: number,
      body: Written,
      options: CallOptions = {},
    ): Promise<Reply<Single<Families[Name]>>> {
      return sender.call(`${idOf(name, 'update')}.patch`, { ...options, params: { id }, body });
    },
  };
}

/** By id, and by family and kind; where the document has the operation, that one. */
function indexOperations(list: readonly Operation[]) {
  const byId = new Map<string, Operation>();
  const byFamily = new Map<string, string>();
  for (const operation of list) {
    byId.set(operation.id, operation);
    const key = `${operation.family?.name} ${operation.kind}`;
    if (operation.family && !byFamily.has(key)) byFamily.set(key, operation.id);
  }
  return { byId, byFamily };
}

/**
 * A body as a person has typed it so far: its names are the operation's, and what is missing or no number yet the server
 * names at its field.
 */
export function asTyped<Id extends OperationId>(body: { [Name in keyof BodyOf<Id>]?: unknown }): BodyOf<Id> {
  return body as BodyOf<Id>;
}
