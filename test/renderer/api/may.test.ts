import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { pathsInNeed, useHasRole, useJudge, useLackedRole, useMay } from '../../../renderer/api/may.ts';
import { families } from '../../../shared/families/registry.ts';
import { drawn } from '../support/drawn.ts';

/** Whoever is signed in, as the server has said it. */
function signedIn(...roles: string[]): QueryClient {
  const queries = new QueryClient();
  queries.setQueryData(['x.session.read', {}], { data: { user: { id: 1, roles } } });
  return queries;
}

it.each([
  [[], 'parts.list', false],
  [['viewer'], 'parts.list', true],
  [['viewer'], 'parts.create', false],
  [['operator'], 'parts.create', true],
  [['operator'], 'inspections.create', false],
  [['inspector'], 'inspections.create', true],
  [['inspector'], 'x.conflicts.resolve', false],
  [['quality'], 'x.conflicts.resolve', true],
  [['quality'], 'x.users.create', false],
  [['viewer', 'administrator'], 'x.users.create', true],
  [['administrator'], 'there is no such operation', false],
])('%j is offered %s: %s', async (roles, operation, isOffered) => {
  const may = await drawn(useMay, { queries: signedIn(...roles) });
  expect(may(operation)).toBe(isOffered);
});

it('nothing is offered to nobody', async () => {
  expect((await drawn(useMay))('parts.list')).toBe(false);
  expect(await drawn(() => useHasRole('viewer'))).toBe(false);
});

it('a role includes those before it', async () => {
  const queries = signedIn('inspector');
  const has = (role: Parameters<typeof useHasRole>[0]) => drawn(() => useHasRole(role), { queries });
  expect([await has('operator'), await has('inspector'), await has('quality')]).toEqual([true, true, false]);
});

it.each([
  ['operator', 'receiving-inspection', 'is_quarantined', true, 'quality'],
  ['operator', 'receiving-inspection', 'is_quarantined', false, null],
  ['quality', 'receiving-inspection', 'is_quarantined', true, null],
  ['operator', 'receiving-inspection', 'items.7.quantity_accepted', 5, null],
  ['operator', 'part', 'sampling_aql', 1, 'quality'],
  ['operator', 'part', 'name', 'Bolt', null],
  ['inspector', 'inventory', 'is_locked_by_person', true, 'quality'],
  ['inspector', 'inventory', 'is_locked_by_person', false, null],
  ['inspector', 'inventory', 'expiry_date', '2030-01-01', 'quality'],
  // A passed verdict is taken back by anybody who inspects; a failed one is not, or it could be given anew.
  ['inspector', 'inspection', 'passed', true, null],
  ['inspector', 'inspection', 'passed', false, 'quality'],
  ['viewer', 'supplier', 'name', 'Acme', 'operator'],
] as const)('%s lacks for each change of %s.%s from %j: %s', async (role, family, path, old, lacked) => {
  const queries = signedIn(role);
  const lackedRole = await drawn(useLackedRole, { queries });
  expect(lackedRole(families[family], path, old)).toBe(lacked);
});

it.each([
  ['a measured value', 'inspection', 'samples.1.results.2.value', 40.1, 40.2, true],
  ['the first value', 'inspection', 'samples.1.results.2.value', null, 40.2, false],
  ['an accepted quantity', 'receiving-inspection', 'items.7.quantity_accepted', 5, 3, true],
  // Nobody gave it: where somebody has given a 0, the server asks.
  ['a quantity that was filled in', 'receiving-inspection', 'items.7.quantity_accepted', 0, 3, false],
  ['a note', 'receiving-inspection', 'notes', 'old', 'new', false],
] as const)('%s needs a reason: %s.%s', async (_, family, path, old, now, isNeeded) => {
  const judge = await drawn(useJudge, { queries: signedIn('quality') });
  const paths = pathsInNeed(judge(families[family], [{ path, old, new: now }]));
  expect(paths.length > 0).toBe(isNeeded);
});
