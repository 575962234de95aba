import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { useHasRole, useMay } from '../../../renderer/api/may.ts';
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
