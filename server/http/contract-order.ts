import { z } from 'zod';
import { AppError, invalid } from '../../shared/contract/errors.ts';
import type { Operation } from '../../shared/contract/operation.ts';

/**
 * What was thrown, its `errors` in the order in which the operation lists what they name: parameters of the path, then the
 * body's members as its schema has them, items by their place. What it does not list, such as a header, comes before the
 * body's.
 */
export function inContractOrder(error: unknown, { parameters, body }: Operation): unknown {
  const entries = error instanceof AppError ? Object.entries(error.errors ?? {}) : [];
  if (entries.length < 2) return error;
  const schema = body?.schema();
  const placed = entries.map(entry => ({
    entry,
    place: Object.hasOwn(parameters, entry[0]) ? [-2] : placeIn(schema, entry[0].split('.')),
  }));
  placed.sort((a, b) => compare(a.place, b.place));
  return invalid(Object.fromEntries(placed.map(({ entry }) => entry)));
}

/** The place of each part of a path among its siblings; -1 for what the schema does not know. */
function placeIn(schema: z.ZodType | undefined, [part, ...rest]: readonly string[]): number[] {
  if (part === undefined) return [];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return placeIn(schema.unwrap() as z.ZodType, [part, ...rest]);
  }
  if (schema instanceof z.ZodArray) return [Number(part), ...placeIn(schema.element as z.ZodType, rest)];
  const shape: Record<string, z.ZodType> = schema instanceof z.ZodObject ? schema.shape : {};
  return [Object.keys(shape).indexOf(part), ...placeIn(shape[part], rest)];
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((place, index) => place !== other[index]);
  return at < 0 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? -1);
}
