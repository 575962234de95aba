import type { Collection, Family } from '../contract/define-family.ts';
import { families, familyOf } from './registry.ts';

/**
 * All families that travel as files, each after those that its records refer to, so that an import of them finds every
 * reference. What a machine wrote about itself is no other machine's to have done.
 */
export function transferOrder(): Family[] {
  const order = new Set<Family>();
  const visit = (family: Family, above: readonly Family[]) => {
    if (order.has(family) || above.includes(family)) return;
    for (const target of targetsOf(family)) visit(target, [...above, family]);
    order.add(family);
  };
  for (const family of Object.values<Family>(families)) if (!family.isByMachine) visit(family, []);
  return [...order];
}

function targetsOf(described: Family | Collection): Family[] {
  const own = Object.values(described.fields).flatMap(({ reference }) =>
    reference === undefined ? [] : named(reference),
  );
  return [...own, ...Object.values(described.collections).flatMap(targetsOf)];
}

/** What is inspected is a part or a piece of equipment. */
function named(reference: string): Family[] {
  if (reference === 'entity') return [families.part, families.equipment];
  const family = familyOf(reference);
  return family ? [family] : [];
}
