import type { FieldOptions } from '../contract/fields.ts';
import { createdAt, flag, recordId, text, updatedAt } from '../contract/fields.ts';

/** The fields of a simple list record: interface 2.3. `is_active` is answered as 0 or 1. */
export function simpleFields(name: FieldOptions = {}) {
  return {
    id: recordId(),
    name: text({ required: true, ...name }),
    is_active: flag({ as: 'integer', fallback: true }),
    created_at: createdAt(),
    updated_at: updatedAt(),
  };
}

export const everyOperation = ['list', 'create', 'read', 'update'] as const;
