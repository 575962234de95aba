import type { Collection, Family } from '../../shared/contract/define-family.ts';
import { familyOfKey } from '../../shared/families/registry.ts';
import { type Commit, mapOf } from './changes.ts';
import { furtherOf, KEPT_FURTHER } from './commit-text.ts';

type Described = Pick<Family | Collection, 'fields' | 'collections'>;

/**
 * What a commit says of a record that this version does not know, since a later one wrote it: paths of values, and names
 * of members of the commit, of its entry and of its changes. Each once, in their order.
 */
export function unknownIn(commit: Commit, key: string): string[] {
  const family = familyOfKey(key);
  const found = new Set(Object.keys(furtherOf(commit)).filter(name => !KEPT_FURTHER.has(name)));
  for (const { subject, changes, ...ofEntry } of commit.entries) {
    if (subject !== key) continue;
    for (const name of Object.keys(ofEntry)) found.add(name);
    for (const { path, new: value, old: _, over: __, ...ofChange } of changes) {
      for (const name of Object.keys(ofChange)) found.add(name);
      for (const unknown of unknownAt(family, path, value)) found.add(unknown);
    }
  }
  return [...found];
}

function unknownAt(family: Described | undefined, path: string, value: unknown): string[] {
  const steps = path.split('.');
  let described = family;
  for (let step = 0; step + 1 < steps.length; step += 2)
    described = described?.collections[steps[step] ?? ''];
  if (!described) return [path];
  if (steps.length % 2 === 0) return unknownMembers(described, path, value);
  return isKnown(described, steps.at(-1) ?? '') ? [] : [path];
}

/** Of an added item, with the items in it. */
function unknownMembers(described: Described, path: string, item: unknown): string[] {
  return Object.entries(mapOf(item)).flatMap(([name, value]) => {
    const nested = described.collections[name];
    if (!nested) return isKnown(described, name) ? [] : [`${path}.${name}`];
    return Object.entries(mapOf(value)).flatMap(([id, inner]) =>
      unknownMembers(nested, `${path}.${name}.${id}`, inner),
    );
  });
}

function isKnown({ fields, collections }: Described, name: string): boolean {
  return Object.hasOwn(fields, name) || Object.hasOwn(collections, name) || name === 'is_removed';
}
