import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../../shared/contract/operation.ts';
import { ROLES, type Role } from '../../../shared/contract/role.ts';
import { lowestRole, mayCall } from '../../../shared/contract/roles.ts';
import { listOperations } from '../../../shared/operations/operations.ts';
import type { Browser } from './browser.ts';
import { ClockedStation } from './clocked-station.ts';

/** Who may write what, as people were told; what is not here is for quality, and administration for administrators. */
const WRITES: Record<string, Role> = {
  'suppliers.create': 'operator',
  'suppliers.update': 'operator',
  'orders.create': 'operator',
  'orders.update': 'operator',
  'orders.items.add': 'operator',
  'orders.items.update': 'operator',
  'parts.create': 'operator',
  'parts.update': 'operator',
  'parts.bulk-create': 'operator',
  'parts.bulk-write': 'operator',
  'shipments.create': 'operator',
  'shipments.update': 'operator',
  'shipments.items.add': 'operator',
  'shipments.items.update': 'operator',
  'receiving-inspections.create': 'operator',
  'receiving-inspections.update': 'operator',
  'receiving-inspections.items.add': 'operator',
  'receiving-inspections.items.update': 'operator',
  'x.customers.create': 'operator',
  'x.customers.update': 'operator',
  'x.locations.create': 'operator',
  'x.locations.update': 'operator',
  'x.moves.create': 'operator',
  'x.inventory.moves.create': 'operator',
  'ncrs.create': 'operator',
  'inspections.create': 'inspector',
  'inspections.update': 'inspector',
  'inspections.samples.add': 'inspector',
  'inspections.samples.update': 'inspector',
  'lab-results.create': 'inspector',
  'lab-results.update': 'inspector',
  'x.equipment.create': 'inspector',
  'x.equipment.update': 'inspector',
  'x.inventory.lock': 'inspector',
  'x.lab-results.import': 'inspector',
  'ncrs.update': 'quality',
  'cars.create': 'quality',
  'cars.update': 'quality',
  'complaints.create': 'quality',
  'complaints.update': 'quality',
  'x.specifications.create': 'quality',
  'x.specifications.update': 'quality',
  'x.adjustments.create': 'quality',
  'x.error-codes.create': 'quality',
  'x.error-codes.update': 'quality',
  'x.conflicts.resolve': 'quality',
  'x.held.release': 'quality',
  'x.held.withdraw': 'quality',
  'x.users.password': 'viewer',
  'x.users.language': 'viewer',
  'x.users.create': 'administrator',
  'x.users.update': 'administrator',
  'x.settings.update': 'administrator',
  'x.tokens.create': 'administrator',
  'x.backups.create': 'administrator',
  'x.clock.confirm': 'quality',
  'x.audit.list': 'quality',
  'x.audit.read': 'quality',
  'x.audit.export': 'quality',
  'x.audit.reviews': 'quality',
  'x.audit.review': 'quality',
  'x.audit.paper': 'quality',
  'x.audit.package': 'quality',
  'x.validation.create': 'quality',
  'x.validation.cancel': 'quality',
  'x.validation.list': 'quality',
  'x.validation.read': 'quality',
  'x.validation.paper': 'quality',
  'x.imports.create': 'administrator',
  'x.sync.enrol': 'administrator',
  'x.enrolment-codes.create': 'administrator',
};

const operations = listOperations().filter(({ scope }) => scope !== 'none');
const nobodys = operations.filter(({ scope }) => scope === 'station');
/** Those of later parts that a role below quality may write are named with them, in `shared/contract/roles.ts`. */
const isTold = ({ id, method }: Operation) => method === 'GET' || id.replace(/\.patch$/, '') in WRITES;

const at = new ClockedStation();
const browsers = new Map<Role | 'none', Browser>();
beforeAll(async () => {
  await at.start();
  for (const role of ROLES) {
    await at.user(role, [role]);
    browsers.set(role, await at.signedIn(role));
  }
  await at.user('none', []);
  browsers.set('none', await at.signedIn('none'));
});
afterAll(() => at.end());

function expected({ id, scope, method }: Operation): Role | null {
  if (scope === 'station') return null;
  if (scope === 'admin' && method === 'GET') return WRITES[id] ?? 'administrator';
  return method === 'GET' ? 'viewer' : (WRITES[id.replace(/\.patch$/, '')] ?? null);
}

async function isRefused(browser: Browser, operation: Operation): Promise<boolean> {
  const url = `${browser.origin}/api/v2${operation.path.replace(/\{\w+\}/g, '1')}`;
  const response = await fetch(url, {
    method: operation.method,
    headers: {
      cookie: browser.cookie,
      origin: browser.origin,
      ...(operation.body ? { 'content-type': operation.body.type } : {}),
    },
    ...(operation.body ? { body: operation.path.endsWith('/bulk') ? '[]' : '{}' } : {}),
  });
  // An event stream goes on.
  await response.body?.cancel();
  expect(response.status, `${operation.id}`).not.toBe(401);
  return response.status === 403;
}

it('every operation is told of, or is for quality or administrators, or reads', () => {
  expect(operations.length).toBeGreaterThan(150);
  for (const id of Object.keys(WRITES)) expect(operations.map(operation => operation.id)).toContain(id);
  const others = operations.filter(operation => !isTold(operation) && operation.scope !== 'station');
  for (const { id, scope } of others.filter(operation => operation.scope === 'admin')) {
    expect([id, lowestRole({ id, scope })]).toEqual([id, 'administrator']);
  }
  expect(lowestRole({ id: 'x.something.new', scope: 'write' })).toBe('quality');
  expect(lowestRole({ id: 'x.something.new', scope: 'admin' })).toBe('administrator');
  expect(mayCall(['nonsense'], { id: 'suppliers.list', scope: 'read' })).toBe(false);
});

describe.each([...ROLES, 'none'] as const)('the role %s', role => {
  it.each(operations.filter(isTold).map(operation => ({ id: operation.id, operation })))(
    '$id',
    async ({ operation }) => {
      const lowest = expected(operation);
      const may = role !== 'none' && lowest !== null && ROLES.indexOf(role) >= ROLES.indexOf(lowest);
      expect(mayCall(role === 'none' ? [] : [role], operation)).toBe(may);
      const browser = browsers.get(role);
      // One's own password and language are everybody's, another's are not: the user with the id 1 is the viewer.
      const isOwn = /^x\.users\.(password|language)$/.test(operation.id);
      const isOthers = isOwn && role !== 'viewer' && role !== 'administrator';
      expect(browser && (await isRefused(browser, operation))).toBe(!may || isOthers);
    },
  );

  it('may call nothing that is for stations', async () => {
    for (const operation of nobodys) {
      const browser = browsers.get(role);
      expect(browser && (await isRefused(browser, operation))).toBe(true);
    }
  });
});

it("a user's own language changes that and nothing else of the user", async () => {
  const body = { language: 'de', roles: ['administrator'], login: 'somebody' };
  const answer = await browsers.get('viewer')?.post('/x/users/1/language', body);
  expect(answer?.status).toBe(200);
  expect(answer?.body).toMatchObject({
    data: { login: 'viewer', roles: ['viewer'], language: 'de' },
    meta: { ignored: ['roles', 'login'] },
  });
  expect((await browsers.get('viewer')?.post('/x/users/1/language', { language: 'fr' }))?.status).toBe(422);
  expect((await browsers.get('viewer')?.post('/x/users/1/language', {}))?.status).toBe(422);
});

it('quality lifts a lock, an inspector only locks; the roles of one user add up', async () => {
  const quality = browsers.get('quality');
  const made = async (path: string, body: object) =>
    (await quality?.post(path, body))?.body as { data: { id: number } };
  const part = (await made('/parts', { name: 'Bolt' })).data.id;
  const lot = (await made('/x/inventory', { part_id: part, batch_number: 'L', opening_quantity: 5 })).data.id;
  const lock = async (role: Role, isLocked: boolean) => {
    const body = { is_locked: isLocked, reason: 'Looks odd.' };
    return (await browsers.get(role)?.post(`/x/inventory/${lot}/lock`, body))?.status;
  };
  expect(await lock('operator', true)).toBe(403);
  expect(await lock('inspector', true)).toBe(200);
  expect(await lock('inspector', false)).toBe(403);
  expect(await lock('quality', false)).toBe(200);
  const creates = operations.filter(({ id }) => id === 'inspections.create');
  expect(creates.map(operation => mayCall(['viewer', 'inspector'], operation))).toEqual([true]);
});
