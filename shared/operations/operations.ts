import { z } from 'zod';
import { answerSchema, requestSchema } from '../contract/answer-schema.ts';
import type { Family } from '../contract/define-family.ts';
import { pageMetaSchema, successSchema } from '../contract/envelope.ts';
import { named } from '../contract/field-schemas.ts';
import {
  BULK_BODY_LIMIT,
  defineOperation,
  idParameter,
  jsonBody,
  type Operation,
} from '../contract/operation.ts';
import { inventoryDetailFields } from '../families/inventory.ts';
import { families } from '../families/registry.ts';
import { extensionOperations } from './extensions.ts';
import { familyOperation, itemOperations, patchOf } from './family-operations.ts';

let table: readonly Operation[] | undefined;

/** All operations, documented ones first, in the order of the document. The same list with every call. */
export function listOperations(): readonly Operation[] {
  table ??= buildTable();
  return table;
}

function buildTable(): Operation[] {
  const documented: Operation[] = [];
  const extensions: Operation[] = [];
  for (const family of Object.values<Family>(families)) {
    const { operations } = family;
    if (operations.documented) {
      const { section, kinds } = operations.documented;
      for (const kind of kinds) {
        documented.push(familyOperation(family, kind, section));
        if (kind === 'update') extensions.push(patchOf(familyOperation(family, kind, section)));
      }
    }
    for (const kind of operations.extensions) {
      extensions.push(familyOperation(family, kind, null));
      if (kind === 'update') extensions.push(patchOf(familyOperation(family, kind, null)));
    }
    for (const name of Object.keys(family.collections)) {
      for (const operation of itemOperations(family, name)) {
        documented.push(operation);
        if (operation.kind === 'update-item') extensions.push(patchOf(operation));
      }
    }
  }
  const byHand = documentedByHand() as unknown as Operation[];
  return [...documented, ...byHand, ...extensions, ...extensionOperations()];
}

/** As the types know them. */
export type DocumentedOperation = ReturnType<typeof documentedByHand>[number];

/** What is documented but does not follow from a family: interface 4.1, 4.4, 4.7 and 4.10. */
function documentedByHand() {
  const { inventory, part, shipment } = families;
  const status = () =>
    named('Status', {
      status: z.literal('success'),
      version: z.string().describe('Version of the interface.'),
      online: z.boolean().describe('Whether the service takes requests.'),
    });
  const bulk = <const Id extends string>(id: Id, method: 'POST' | 'PUT', summary: string) =>
    defineOperation(id, method, '/parts/bulk', part.plural, {
      ...{ section: '4.7', summary, family: part },
      body: {
        ...jsonBody(() =>
          z
            .array(
              requestSchema(part, 'create', {
                required: ['name', 'identification'],
                extra: method === 'POST' ? {} : { id: z.int().min(1).describe('Id of the part.') },
              }).meta({ id: method === 'POST' ? 'PartBulkCreate' : 'PartBulkWrite' }),
            )
            .max(1_000),
        ),
        limit: BULK_BODY_LIMIT,
      },
      answer: () => successSchema(z.array(answerSchema(part)), { meta: pageMetaSchema }),
      success: method === 'POST' ? 201 : 200,
      errors: [413, 422, 507],
      scope: 'write',
    });
  return [
    defineOperation('status.read', 'GET', '/status', 'Status', {
      section: '4.1',
      summary: 'Whether the service is online, and its version',
      answer: status,
      scope: 'none',
    }),
    defineOperation('inventory.locations', 'GET', '/inventory/{id}/locations', inventory.plural, {
      section: '4.4',
      summary: 'Read a lot with its locations',
      family: inventory,
      parameters: { id: idParameter('Id of the lot') },
      answer: () =>
        successSchema(
          answerSchema(inventory, {
            fields: [...inventoryDetailFields, 'locations'],
            name: 'InventoryWithLocations',
          }),
        ),
      errors: [404],
    }),
    bulk('parts.bulk-create', 'POST', 'Create many parts, all or none'),
    bulk('parts.bulk-write', 'PUT', 'Write many parts by their ids, all or none'),
    defineOperation('shipments.list', 'GET', '/shipments', 'Shipments', {
      section: '4.10',
      summary: 'List shipments by date range',
      family: shipment,
      query: {
        dateRange: {
          schema: z.boolean(),
          description: 'False: the dates are not looked at.',
          isRequired: true,
        },
        fromDate: {
          schema: z.string(),
          description: 'First day, YYYY-MM-DD; empty: open.',
          isRequired: true,
        },
        toDate: { schema: z.string(), description: 'Last day, YYYY-MM-DD; empty: open.', isRequired: true },
      },
      answer: () => successSchema(z.array(answerSchema(shipment))),
      errors: [422],
    }),
  ];
}
