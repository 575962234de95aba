import { sameJson } from './canonical-json.ts';
import type { Collection, Family } from './define-family.ts';
import type { Field } from './fields.ts';
import { DIRECTIONS, type Direction, type FieldRule } from './may.ts';
import { oncePerObject } from './once-per.ts';
import { hasRole, ROLES, type Role } from './role.ts';

/** Who writes, as far as permission goes. */
export interface Rights {
  /**
   * A signed-in person; an integration, whose documented requests know no reason; an import, whose reason nobody gave for
   * the single change; or the server itself, which does what it was made to do (setting up, noting a sign-in).
   */
  kind: 'person' | 'integration' | 'import' | 'server';
  roles: readonly string[];
}

/** One changed value of a record; null for none. */
export interface ChangedValue {
  /** `items.17.quantity_accepted`; `items.17` for a whole added item. */
  path: string;
  old: unknown;
  new: unknown;
}

/** A rule that a change meets. */
export interface Met {
  path: string;
  /** `items.*.quantity_accepted` */
  pattern: string;
  rule: FieldRule;
  old: unknown;
  new: unknown;
}

/** What the author lacks for a change: the role, for the record as a whole (null) or for a path. */
export interface Lack {
  path: string | null;
  role: Role | null;
  when: Direction | null;
}

export interface Judged {
  /** Empty: the author may. */
  lacks: Lack[];
  /** The rules that ask for a reason or another person. */
  met: Met[];
}

/** What the server does by itself. */
export const BY_SERVER: Rights = { kind: 'server', roles: [] };

/** The rights of somebody with an API token of these scopes. */
export function rightsOfScopes(scopes: readonly string[]): Rights {
  const roles = scopes.includes('admin')
    ? ['administrator']
    : scopes.includes('write')
      ? ['inspector']
      : ['viewer'];
  return { kind: 'integration', roles };
}

/**
 * What a change of one record needs and what its author lacks. Pure, and the same for a form, the write gate and central.
 * `isNew`: the changes create the record.
 */
export function judge(
  family: Pick<Family, 'may' | 'fields' | 'collections'>,
  changes: readonly ChangedValue[],
  isNew: boolean,
  rights: Rights,
): Judged {
  const met: Met[] = [];
  const lacks: Lack[] = [];
  let isOrdinary = isNew;
  const rules = family.may.rules ?? NO_RULES;
  // Most of what a new record says is named by no rule.
  const ruled = isNew ? ruledOf(rules, changes) : changes;
  for (const change of valuesIn(family, ruled, isNew ? ruledInItems(rules) : undefined)) {
    const pattern = patternOf(change.path);
    const found = rules[pattern]?.filter(({ when }) => DIRECTIONS[when].isMet(change.old, change.new));
    isOrdinary ||= !found?.some(({ role }) => role !== undefined);
    for (const rule of found ?? []) {
      const { role, when } = rule;
      if (role !== undefined && !hasRights(rights, role)) lacks.push({ path: change.path, role, when });
      if (rule.needsReason || rule.needsAnother || rule.acceptedBy) met.push({ ...change, pattern, rule });
    }
  }
  const ordinary = isOrdinary ? ordinaryLack(family, isNew, rights) : undefined;
  if (ordinary) lacks.unshift(ordinary);
  return { lacks, met };
}

type Rules = NonNullable<Family['may']['rules']>;

const NO_RULES: Rules = {};

function ruledOf(rules: Rules, changes: readonly ChangedValue[]): readonly ChangedValue[] {
  const isOne = ({ path }: ChangedValue) => isRuled(rules, path);
  return changes.some(isOne) ? changes.filter(isOne) : NONE;
}

const NONE: readonly ChangedValue[] = [];

/** Whether a rule names the value; of an item, whether one names any value of items. */
function isRuled(rules: Rules, path: string): boolean {
  return path.includes('.') ? ruledInItems(rules).size > 0 : rules[path] !== undefined;
}

/** The fields of items that rules name, of whatever collection. */
const ruledInItems = oncePerObject((rules: Rules): ReadonlySet<string> => {
  const patterns = Object.keys(rules).filter(pattern => pattern.includes('.'));
  return new Set(patterns.map(pattern => pattern.slice(pattern.lastIndexOf('.') + 1)));
});

/** What the author lacks to begin a record of the family, or to change of one what no rule names. */
export function ordinaryLack({ may }: Pick<Family, 'may'>, isNew: boolean, rights: Rights): Lack | undefined {
  if (rights.kind === 'server') return undefined;
  const created = rights.kind === 'import' && may.restore ? may.restore : may.create;
  const lowest = isNew ? created : may.change;
  const isOpen = rights.kind === 'integration' && may.isOpenToIntegrations === true;
  const role = isOpen && lowest !== null ? 'operator' : lowest;
  return role === null || !hasRights(rights, role) ? { path: null, role, when: null } : undefined;
}

/** The lowest role with which something of a family's records can be written by that kind of operation. */
export function lowestWriter({ may }: Pick<Family, 'may'>, isNew: boolean): Role | null {
  if (isNew) return may.create;
  const roles = Object.values(may.rules ?? {}).flatMap(rules => rules.flatMap(({ role }) => role ?? []));
  const all = may.change === null ? roles : [may.change, ...roles];
  return ROLES.find(role => all.includes(role)) ?? null;
}

/**
 * Whether a change that may free goods counts at once, by its author's word: else it waits for quality. What an import
 * gives as a reason is nobody's word, and a program is never another person.
 */
export function countsAtOnce(
  { acceptedBy, needsAnother }: Pick<FieldRule, 'acceptedBy' | 'needsAnother'>,
  { kind, roles }: Rights,
  hasReason: boolean,
): boolean {
  const isWord = kind === 'person' || (kind === 'integration' && needsAnother !== true);
  return isWord && hasReason && (acceptedBy === undefined || hasRole(roles, acceptedBy));
}

/** Blanks, also those of no width, give no reason. */
export function isSaid(reason: string | null): reason is string {
  return reason !== null && /[\p{L}\p{N}\p{P}\p{S}]/u.test(reason);
}

export function patternOf(path: string): string {
  return path.includes('.') ? path.replace(/\.\d+/g, '.*') : path;
}

/** The field that a path or a pattern leads to; undefined for a whole item and for what the version does not know. */
export function fieldAt(family: Pick<Family, 'fields' | 'collections'>, path: string): Field | undefined {
  const steps = patternOf(path).split('.*.');
  const name = steps.pop() ?? '';
  let described: Pick<Family, 'fields' | 'collections'> | undefined = family;
  for (const step of steps) described = described?.collections[step];
  return described?.fields[name];
}

function hasRights({ kind, roles }: Rights, role: Role): boolean {
  return kind === 'server' || hasRole(roles, role);
}

/**
 * An added item as the values of its fields: that it is added whole hides none of them. A value that the server fills in
 * when nobody gives one was given by nobody.
 * @param names of added items only the values of these fields
 */
export function valuesIn(
  described: Pick<Family | Collection, 'fields' | 'collections'>,
  changes: readonly ChangedValue[],
  names?: ReadonlySet<string>,
): ChangedValue[] {
  const values: ChangedValue[] = [];
  for (const change of changes) {
    const collection = collectionAt(described, change.path);
    if (collection) addFields(collection, change.path, change.new, { values, names });
    else if (change.old !== null || !sameJson(described.fields[change.path]?.fallback ?? null, change.new))
      values.push(change);
  }
  return values;
}

interface Found {
  values: ChangedValue[];
  names: ReadonlySet<string> | undefined;
}

function addFields(collection: Collection, path: string, item: unknown, found: Found): void {
  const { values, names } = found;
  for (const [name, value] of Object.entries(Object(item))) {
    const nested = collection.collections[name];
    if (!nested) {
      if (names && !names.has(name)) continue;
      const isFilledIn = sameJson(collection.fields[name]?.fallback ?? null, value ?? null);
      if (!isFilledIn) values.push({ path: `${path}.${name}`, old: null, new: value });
      continue;
    }
    for (const [id, entry] of Object.entries(Object(value)))
      addFields(nested, `${path}.${name}.${id}`, entry, found);
  }
}

/** The collection whose whole item the path names; undefined for the path of a field. */
function collectionAt(described: Pick<Collection, 'collections'>, path: string): Collection | undefined {
  if (!path.includes('.')) return undefined;
  const steps = path.split('.');
  if (steps.length % 2 === 1) return undefined;
  let found: Pick<Collection, 'collections'> | undefined = described;
  for (let step = 0; step < steps.length; step += 2) found = found?.collections[steps[step] ?? ''];
  return found as Collection | undefined;
}
