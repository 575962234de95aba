import { z } from 'zod';
import { answerSchema, requestSchema } from '../contract/answer-schema.ts';
import { pageMetaSchema, successSchema } from '../contract/envelope.ts';
import { named } from '../contract/field-schemas.ts';
import {
  defineOperation,
  familyParameter,
  idParameter,
  jsonBody,
  newestFirstQuery,
  noBody,
  type Operation,
  pageQuery,
} from '../contract/operation.ts';
import { inventoryDetailSchema } from '../families/inventory.ts';
import { families } from '../families/registry.ts';
import { auditOperations } from './audit-operations.ts';
import { backupOperations } from './backup-operations.ts';
import { bulkOperations } from './bulk-operations.ts';
import { carryOperations } from './carry-operations.ts';
import { certificateOperations } from './certificate-operations.ts';
import { changeOperations } from './change-operations.ts';
import { checkpointOperations } from './checkpoint-operations.ts';
import { clockOperations } from './clock-operations.ts';
import { draftOperations } from './draft-operations.ts';
import { exchangeOperations } from './exchange-operations.ts';
import {
  historyEntrySchema,
  historyMetaSchema,
  LOT_STATES_LIMIT,
  lotFactsSchema,
  lotStateSchema,
  settingsSchema,
  tokenCreateSchema,
  tokenSchema,
} from './extension-schemas.ts';
import { healthOperations } from './health-operations.ts';
import { identityOperations } from './identity-operations.ts';
import { listViewOperations } from './list-view-operations.ts';
import { machinePolicyOperations } from './machine-policy-operations.ts';
import { movedOperations } from './moved-operations.ts';
import { openScanOperations } from './open-scan-operations.ts';
import { overviewOperations } from './overview-operations.ts';
import { paperOperations } from './paper-operations.ts';
import { pastOperations } from './past-operations.ts';
import { placeOperations } from './place-operations.ts';
import { qualityOperations } from './quality-operations.ts';
import { renewalOperations } from './renewal-operations.ts';
import { sampleOperations } from './sample-operations.ts';
import { sessionOperations } from './session-operations.ts';
import { signatureInput } from './signature-input.ts';
import { stationBackupOperations } from './station-backup-operations.ts';
import { stationPeopleOperations } from './station-people-operations.ts';
import { syncOperations } from './sync-operations.ts';
import { transferOperations } from './transfer-operations.ts';
import { validationOperations } from './validation-operations.ts';
import { webhookOperations } from './webhook-operations.ts';

const areas = [
  recordOperations,
  auditOperations,
  backupOperations,
  webhookOperations,
  validationOperations,
  bulkOperations,
  changeOperations,
  clockOperations,
  healthOperations,
  machinePolicyOperations,
  draftOperations,
  listViewOperations,
  openScanOperations,
  identityOperations,
  sessionOperations,
  overviewOperations,
  pastOperations,
  placeOperations,
  qualityOperations,
  certificateOperations,
  transferOperations,
  sampleOperations,
  paperOperations,
  syncOperations,
  stationPeopleOperations,
  stationBackupOperations,
  renewalOperations,
  exchangeOperations,
  carryOperations,
  checkpointOperations,
  movedOperations,
] as const;

/** Operations under `/x` that do not follow from a family, and the description of the interface itself. */
export function extensionOperations(): Operation[] {
  return areas.flatMap(area => area() as unknown as Operation[]);
}

/** As the types know them. */
export type ExtensionOperation = ReturnType<(typeof areas)[number]>[number];

/** Of records, stock, settings and tokens. */
function recordOperations() {
  const record = { family: familyParameter, id: idParameter('Id of the record') };
  const lot = { id: idParameter('Id of the lot') };
  return [
    defineOperation('openapi.read', 'GET', '/openapi.json', 'Interface', {
      summary: 'This interface as an OpenAPI 3.1 document',
      answerType: 'application/json',
    }),
    defineOperation('x.history.list', 'GET', '/x/history/{family}/{id}', 'Records', {
      summary: 'Who changed what of a record, when and why, newest last unless asked otherwise',
      parameters: record,
      query: { ...pageQuery, order: newestFirstQuery },
      answer: () => successSchema(z.array(historyEntrySchema), { meta: historyMetaSchema }),
      errors: [404, 422],
    }),
    defineOperation('x.inventory.lock', 'POST', '/x/inventory/{id}/lock', 'Stock', {
      summary: 'Lock or unlock a lot by hand',
      parameters: lot,
      body: jsonBody(() =>
        named('LotLock', {
          is_locked: z.boolean().describe('True locks the lot, false lifts the lock.'),
          reason: z.string().min(1).describe('Why; kept in history.'),
          ...signatureInput,
        }),
      ),
      answer: () => successSchema(lotSchema),
      errors: [404, 412, 422, 429],
      scope: 'write',
    }),
    defineOperation('x.inventory.states', 'GET', '/x/inventory/states', 'Stock', {
      summary: 'Expiry, locks and places of some lots, for lists; unknown ones are left out',
      query: {
        ids: {
          schema: z
            .string()
            .regex(/^\d+(,\d+)*$/)
            .meta({ examples: ['12,13'] }),
          description: `Ids of lots as \`12,13\`, at most ${LOT_STATES_LIMIT}.`,
          isRequired: true,
        },
      },
      answer: () => successSchema(z.array(lotStateSchema)),
      errors: [422],
    }),
    defineOperation('x.inventory.facts', 'GET', '/x/inventory/{id}/facts', 'Stock', {
      summary: 'What stands behind a lot: every record that adds, takes, locks, and where it stands',
      parameters: lot,
      answer: () => successSchema(lotFactsSchema),
      errors: [404],
    }),
    defineOperation('x.proposals.list', 'GET', '/x/proposals/{family}/{id}', 'Non-conformance reports', {
      summary:
        'Reports that a receipt, inspection, lab result, lot or complaint suggests, filled in, not yet created; of a report, a corrective action request',
      parameters: record,
      // Partial: whoever creates the report gives its number.
      answer: () =>
        successSchema(
          z.array(
            z.union([
              requestSchema(families.ncr, 'create').partial(),
              requestSchema(families.car, 'create').partial(),
            ]),
          ),
        ),
      errors: [404],
    }),
    defineOperation('x.inventory.moves.list', 'GET', '/x/inventory/{id}/moves', 'Stock', {
      summary: 'List the moves of a lot',
      parameters: lot,
      query: { ...pageQuery, order: newestFirstQuery },
      answer: () => successSchema(z.array(answerSchema(families.move)), { meta: pageMetaSchema }),
      errors: [404, 422],
    }),
    defineOperation('x.inventory.moves.create', 'POST', '/x/inventory/{id}/moves', 'Stock', {
      summary: 'Move a quantity of a lot to another location',
      parameters: lot,
      body: jsonBody(() =>
        named('LotMove', {
          to_location_id: z.int().min(1).describe('Where it goes: id of the location.'),
          from_location_id: z
            .int()
            .min(1)
            .nullable()
            .optional()
            .describe('Where it comes from: id of the location. Absent: the place where all of it stands.'),
          quantity: z
            .number()
            .min(0)
            .nullable()
            .optional()
            .describe('In the unit of the lot. Absent: all that stands there.'),
          shipment_id: z
            .int()
            .min(1)
            .nullable()
            .optional()
            .meta({ description: 'The shipment that it is picked for.', examples: [null] }),
          move_date: z.iso.date().nullable().optional().describe('The day of it, YYYY-MM-DD. Absent: today.'),
          reason: z.string().nullable().optional().describe('Why; kept in history.'),
        }),
      ),
      answer: () => successSchema(answerSchema(families.move)),
      success: 201,
      errors: [404, 409, 422],
      scope: 'write',
    }),
    defineOperation('x.settings.read', 'GET', '/x/settings', 'Settings', {
      summary: "Read the site's settings, and this machine's own (`backup_…`)",
      answer: () => successSchema(settingsSchema),
    }),
    defineOperation('x.settings.update', 'PUT', '/x/settings', 'Settings', {
      summary: "Change the site's settings (in a fleet only at central), or this machine's own (`backup_…`)",
      body: jsonBody(() => settingsSchema.partial().extend(signatureInput)),
      answer: () => successSchema(settingsSchema),
      errors: [412, 422, 429],
      scope: 'admin',
    }),
    defineOperation('x.tokens.list', 'GET', '/x/tokens', 'Tokens', {
      summary: 'List the tokens of the interface',
      answer: () => successSchema(z.array(tokenSchema)),
      scope: 'admin',
    }),
    defineOperation('x.tokens.create', 'POST', '/x/tokens', 'Tokens', {
      summary: 'Create a token; its secret is in this answer only',
      body: jsonBody(() => tokenCreateSchema),
      answer: () =>
        successSchema(
          tokenSchema
            .extend({ secret: z.string().describe('What a client sends after `Bearer`.') })
            .meta({ id: 'NewToken' }),
        ),
      success: 201,
      errors: [422],
      scope: 'admin',
    }),
    defineOperation('x.tokens.revoke', 'POST', '/x/tokens/{id}/revoke', 'Tokens', {
      summary: 'Revoke a token; it is refused from the next call on',
      parameters: { id: idParameter('Id of the token') },
      body: noBody,
      answer: () => successSchema(tokenSchema),
      errors: [404],
      scope: 'admin',
    }),
    defineOperation('x.rebuild', 'POST', '/x/rebuild', 'Maintenance', {
      summary: 'Work out stock, search and counters anew from the records',
      body: noBody,
      answer: () =>
        successSchema(
          z.object({
            records: z.int().describe('Records that were read.'),
            differences: z.int().describe('Derived values that were wrong and are mended.'),
            seconds: z.number().describe('How long it took.'),
          }),
        ),
      scope: 'admin',
    }),
  ];
}

const lotSchema = inventoryDetailSchema();
