import type { Collection, Family } from '../../../shared/contract/define-family.ts';
import { families } from '../../../shared/families/registry.ts';

/** The English name of what an error's path names, and its place in a list, from 1: `items.0.part_id` is `Part`, 1. */
export function pathLabel(path: string): { label: string; place: number | null } {
  const parts = path.split('.');
  const name = parts.findLast(part => !/^\d+$/.test(part)) ?? path;
  const place = parts.find(part => /^\d+$/.test(part));
  return { label: labels.get(name) ?? name, place: place === undefined ? null : Number(place) + 1 };
}

/** A name of a field means the same in every family that has it, but for small differences that an error can bear. */
const labels = new Map<string, string>();
for (const each of Object.values<Family>(families)) collect(each);

function collect({ fields, collections }: Pick<Collection, 'fields' | 'collections'>): void {
  for (const [name, { label }] of Object.entries(fields)) if (!labels.has(name)) labels.set(name, label);
  for (const inner of Object.values(collections)) collect(inner);
}
