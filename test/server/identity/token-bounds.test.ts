import { describe, expect, it } from 'vitest';
import { checkBounds, networkList } from '../../../server/identity/token-bounds.ts';
import { listOperations } from '../../../shared/operations/operations.ts';
import { isWithinReach, reachOf } from '../../../shared/operations/token-reach.ts';

const now = new Date('2026-06-15T12:00:00Z');

function checked(wanted: Parameters<typeof checkBounds>[0], scopes = ['read']) {
  const faults: Record<string, string[]> = {};
  const bounds = checkBounds(wanted, { scopes, now }, (field, message) => {
    faults[field] = [...(faults[field] ?? []), message];
  });
  return { bounds, fields: Object.keys(faults).toSorted() };
}

describe('what bounds a new token', () => {
  it('is nothing where nothing is said', () => {
    const none = { ends_at: null, families: null, networks: null };
    expect(checked({})).toEqual({ bounds: none, fields: [] });
    expect(checked({ families: [], networks: [] })).toEqual({ bounds: none, fields: [] });
  });

  it('is an end to come, families and networks, in any of their names', () => {
    const { bounds, fields } = checked({
      ends_at: '2026-06-15T12:00:01.000Z',
      families: ['parts', 'part', 'supplier'],
      networks: [' 10.2.0.0/16 ', '::1', '192.168.0.7'],
    });
    expect(fields).toEqual([]);
    expect(bounds).toEqual({
      ends_at: '2026-06-15T12:00:01.000Z',
      families: ['part', 'supplier'],
      networks: ['10.2.0.0/16', '::1', '192.168.0.7'],
    });
  });

  it.each([
    ['an end that is over', { ends_at: '2026-06-15T12:00:00.000Z' }, ['read'], ['ends_at']],
    ['a family that is none', { families: ['part', 'planet'] }, ['read'], ['families']],
    ['users, which no bounded token reaches', { families: ['user'] }, ['read'], ['families']],
    [
      'families of a token that administers',
      { families: ['part'] },
      ['read', 'write', 'admin'],
      ['families'],
    ],
    ['a network that is none', { networks: ['10.0.0.0/33'] }, ['read'], ['networks']],
    ['everywhere as a network', { networks: ['0.0.0.0/0'] }, ['read'], ['networks']],
    ['a name as a network', { networks: ['dock-3'] }, ['read'], ['networks']],
    [
      'all at once',
      { ends_at: '2020-01-01', families: ['x'], networks: ['y'] },
      ['read'],
      ['ends_at', 'families', 'networks'],
    ],
  ])('is not %s', (_what, wanted, scopes, fields) => {
    expect(checked(wanted, scopes).fields).toEqual(fields);
  });
});

describe('a network', () => {
  const isFrom = networkList(['10.2.0.0/16', '192.168.0.7', 'fd00::/8']);
  it.each([
    ['10.2.255.1', true],
    ['::ffff:10.2.0.1', true],
    ['10.3.0.1', false],
    ['192.168.0.7', true],
    ['192.168.0.8', false],
    ['fd12::7', true],
    ['fd12::7%eth0', true],
    ['2001:db8::1', false],
    ['127.0.0.1', false],
    ['', false],
  ])('holds %j: %j', (address, isIn) => {
    expect(isFrom(address)).toBe(isIn);
  });
});

describe('what a bounded token may call', () => {
  const parameters = { family: 'part', document: 'ncr', kind: 'part' };
  const callable = (families: string[]) =>
    listOperations()
      .filter(({ scope, kind }) => kind === 'custom' && (scope === 'read' || scope === 'write'))
      .filter(one => isWithinReach(reachOf(one, parameters), new Set(families)))
      .map(({ id }) => id);

  it('is, of the operations that belong to no family, what stands here, and nothing that is added later', () => {
    expect(callable([]).toSorted()).toEqual([
      'openapi.read',
      'x.changes.list',
      'x.checkpoints.read',
      'x.clock.facts',
      'x.clock.read',
      'x.drafts.read',
      'x.drafts.update',
      'x.events',
      'x.metrics.read',
      'x.scan',
      'x.settings.read',
      'x.sync.read',
      'x.titles.list',
    ]);
    expect(
      callable(['part'])
        .filter(id => !callable([]).includes(id))
        .toSorted(),
    ).toEqual([
      'parts.bulk-create',
      'parts.bulk-write',
      'x.boards.read',
      'x.bulk.create',
      'x.bulk.update',
      'x.exports.read',
      'x.history.list',
      'x.labels.list',
      'x.labels.read',
      'x.list-views.list',
      'x.list-views.update',
      'x.moved.read',
      'x.parts.barcodes',
      'x.records.list',
      'x.records.paper',
      'x.records.read',
      'x.signatures.list',
    ]);
  });

  it('is no recall paper, and no export of all families', () => {
    const operations = new Map(listOperations().map(one => [one.id, one]));
    const within = (id: string, given: Record<string, string>) => {
      const operation = operations.get(id);
      return operation && isWithinReach(reachOf(operation, given), new Set(['inventory', 'part']));
    };
    expect(within('x.paper.read', { document: 'recall' })).toBe(false);
    expect(within('x.paper.read', { document: 'certificate' })).toBe(true);
    expect(within('x.paper.read', { document: 'pick-list' })).toBe(false);
    expect(within('x.exports.read', { family: 'all' })).toBe(false);
    expect(within('x.exports.read', { family: 'toString' })).toBe(false);
    expect(within('x.labels.read', { kind: 'location' })).toBe(false);
  });
});
