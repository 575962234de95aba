import type { ParsedInput } from '../../shared/contract/parse-input.ts';

/** Values that a rule gives as if a client had sent them, so that defaults and further rules apply. */
export function inputOf(fields: Record<string, unknown>): ParsedInput {
  return { fields, items: {}, paths: {}, ignored: [] };
}
