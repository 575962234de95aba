import type { Answer, OperationKind } from '../contract/define-family.ts';
import type { PageMeta } from '../contract/envelope.ts';
import type { Operation } from '../contract/operation.ts';
import type { inventoryDetailFields, inventoryListFields } from '../families/inventory.ts';
import { type FamilyName, type families, family } from '../families/registry.ts';
import { listOperations } from './operations.ts';
import { type CallOptions, createSender, type Reply, type SenderOptions } from './send-operation.ts';

export interface ClientOptions extends SenderOptions {
  operations?: readonly Operation[];
}

export interface Page<Item> {
  data: Item[];
  meta: PageMeta;
}

type Lot = Answer<(typeof families)['inventory']>;

/** The fields of a single record. The items that some answers carry beside them are typed by the caller: `call<…>`. */
export type Single<Name extends FamilyName> = Name extends 'inventory'
  ? Pick<Lot, (typeof inventoryDetailFields)[number]>
  : Answer<(typeof families)[Name]>;

export type Listed<Name extends FamilyName> = Name extends 'inventory'
  ? Pick<Lot, (typeof inventoryListFields)[number]>
  : Answer<(typeof families)[Name]>;

/** Names that a write of the family takes are its fields' and their second names; the server names those it ignores. */
export type Written = Record<string, unknown>;

export type Client = ReturnType<typeof createClient>;

/** Calls the operations of the one table as `createSender` does, and those of families by the family's name. */
export function createClient(options: ClientOptions) {
  const operations = indexOperations(options.operations ?? listOperations());
  const { call, stream } = createSender(operations.byId, options);

  function idOf(name: FamilyName, kind: OperationKind): string {
    const id = operations.byFamily.get(`${name} ${kind}`);
    if (id === undefined) throw new TypeError(`There is no operation to ${kind} ${name}.`);
    return id;
  }

  return {
    call,
    stream,

    /** One page of a family, in the order of the ids; `page`, `per_page`, `keyword` and the family's filters. */
    async list<Name extends FamilyName>(
      name: Name,
      query: CallOptions['query'] = {},
      options: CallOptions = {},
    ): Promise<Page<Listed<Name>>> {
      const as = family(name).operations.listForm === 'first-record' ? { as: 'array' } : {};
      const id = idOf(name, 'list');
      const { data, meta } = await call<Listed<Name>[]>(id, { ...options, query: { ...as, ...query } });
      // The stock's list has `per_page` as text.
      return { data, meta: { ...meta, per_page: Number(meta.per_page) } as PageMeta };
    },

    read<Name extends FamilyName>(
      name: Name,
      id: number,
      options: CallOptions = {},
    ): Promise<Reply<Single<Name>>> {
      return call(idOf(name, 'read'), { ...options, params: { id } });
    },

    create<Name extends FamilyName>(
      name: Name,
      body: Written,
      options: CallOptions = {},
    ): Promise<Reply<Single<Name>>> {
      return call(idOf(name, 'create'), { ...options, body });
    },

    /** A partial update: fields that are left out stay, null clears. */
    update<Name extends FamilyName>(
      name: Name,
      id: number,
      body: Written,
      options: CallOptions = {},
    ): Promise<Reply<Single<Name>>> {
      return call(`${idOf(name, 'update')}.patch`, { ...options, params: { id }, body });
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
