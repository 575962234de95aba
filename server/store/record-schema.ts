import type { RxJsonSchema } from 'rxdb';
import type { StoredRecord } from '../../shared/contract/present.ts';

/**
 * The frozen schema of the one collection. What a family's fields are is not part of it: fields of another version
 * survive here, and a new family needs no migration. Indexes are the storage's own (`instanceCreationOptions`).
 */
export const recordSchema: RxJsonSchema<StoredRecord> = {
  title: 'record',
  version: 0,
  primaryKey: 'key',
  type: 'object',
  properties: {
    key: { type: 'string', maxLength: 100 },
    family: { type: 'string', maxLength: 60 },
    id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, multipleOf: 1 },
    version: { type: 'integer', minimum: 1 },
    state: { type: 'string', maxLength: 64 },
    fields: { type: 'object', additionalProperties: true },
    field_set: { type: 'integer', minimum: 1 },
    created_at: { type: 'string', maxLength: 40 },
    updated_at: { type: 'string', maxLength: 40 },
    station: { type: 'string', maxLength: 100 },
    user: { type: 'string', maxLength: 200 },
    creator: { type: 'string', maxLength: 60 },
    writers: { type: 'object', additionalProperties: true },
    folded: { type: 'integer', minimum: 0 },
  },
  required: [
    'key',
    'family',
    'id',
    'version',
    'state',
    'fields',
    'field_set',
    'created_at',
    'updated_at',
    'station',
    'user',
    'creator',
    'writers',
    'folded',
  ],
};
