import type { Operation } from '../contract/operation.ts';
import { familyOf } from '../families/registry.ts';
import { labelKinds, paperDocuments } from './paper-operations.ts';

/**
 * What an operation reaches, for a token that is bounded to some families. `none`: no records. `narrowed`: it tells of the
 * token's families only. `all`: what a bounded token may not call. Else the families that it reads and writes.
 */
export type Reach = 'none' | 'narrowed' | 'all' | readonly string[];

/** By the operation's id without `x.`, or what stands before its verb. What is not named, and names no family, reaches all. */
const REACHES: Readonly<Record<string, Reach>> = {
  'status.read': 'none',
  'openapi.read': 'none',
  'health.read': 'none',
  'metrics.read': 'none',
  'clock.read': 'none',
  'clock.facts': 'none',
  'checkpoints.read': 'none',
  'sync.read': 'none',
  'settings.read': 'none',
  drafts: 'none',
  events: 'narrowed',
  'changes.list': 'narrowed',
  scan: 'narrowed',
  'titles.list': 'narrowed',
  inventory: ['inventory'],
  'stock.list': ['inventory'],
  'figures.stock-value': ['inventory'],
  'figures.ncrs': ['ncr'],
  'trends.lab': ['lab-result'],
  'lab-results.import': ['lab-result'],
  'parts.barcodes': ['part'],
  // What is proposed or picked says where goods of others stand.
  'inventory.places': ['inventory', 'location'],
  'putaway.list': ['inventory', 'location'],
  'locations.contents': ['inventory', 'location'],
  'locations.proposals': ['inventory', 'location'],
  'shipments.picks': ['shipment', 'inventory', 'location'],
  'stock-counts.post': ['stock-count', 'adjustment'],
  'open-scans': ['receiving-inspection'],
  certificates: ['certificate', 'inventory'],
};

/** They show what is around a record. */
const AROUND = new Set(['x.references.read', 'x.proposals.list']);
const AROUND_PAPER = new Set(['recall', 'part-recall']);

/** What a request reaches. @param parameters of its path */
export function reachOf(
  { id, family, path }: Pick<Operation, 'id' | 'family' | 'path'>,
  parameters: Readonly<Record<string, string>>,
): Reach {
  if (family) return [family.name];
  if (AROUND.has(id)) return 'all';
  if (path.includes('{family}')) return known(familyOf(parameters.family ?? '')?.name);
  if (id === 'x.paper.read') {
    const document = parameters.document ?? '';
    // As the list that it prints.
    if (document === 'pick-list') return REACHES['shipments.picks'] ?? 'all';
    return AROUND_PAPER.has(document) ? 'all' : known(Reflect.get(paperDocuments, document));
  }
  if (id === 'x.labels.read' || id === 'x.labels.list')
    return known(Reflect.get(labelKinds, parameters.kind ?? ''));
  const plain = id.replace(/^x\./, '');
  for (let name = plain; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const reach = Object.hasOwn(REACHES, name) ? REACHES[name] : undefined;
    if (reach !== undefined) return reach;
  }
  return 'all';
}

/** Whether a token that is bounded to these families may make the request. */
export function isWithinReach(reach: Reach, bounds: ReadonlySet<string>): boolean {
  if (typeof reach === 'string') return reach !== 'all';
  return reach.every(name => bounds.has(name));
}

function known(name: unknown): Reach {
  return typeof name === 'string' ? [name] : 'all';
}
