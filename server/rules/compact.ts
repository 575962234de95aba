import type { Fields } from '../store/changes.ts';

/** Without what has no value. */
export function compact(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}
