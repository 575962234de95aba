/** Doors that are requests for one record: its own operations, those of its items, bulk, the lock of a lot. */
import type { Family } from '../../../shared/contract/define-family.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { families } from '../../../shared/families/registry.ts';
import { isBulkFamily } from '../../../shared/operations/bulk-operations.ts';
import { listOperations } from '../../../shared/operations/operations.ts';
import type { Answer } from '../../support/station.ts';
import type { Callers } from './callers.ts';
import {
  authorOf,
  EVERYBODY,
  expectedAtCreation,
  expectedOf,
  nameOf,
  type Outcome,
  type Row,
  type Shared,
} from './oracle.ts';
import { bodyAt, collectionOf, firstBody, makeScenes, type Scene } from './scenes.ts';
import { type Answered, type Attempt, type Choice, outcomeOf, type Possible } from './walk.ts';

interface Asked {
  method: string;
  path: string;
  body: unknown;
}

/** A way to ask for a row's change. */
export interface Door {
  name: string;
  ask: (scene: Scene, reason: Record<string, string>) => Asked;
  /** What the door makes of the documents' word. */
  expects?: (row: Row, expected: Outcome, hasReason: boolean) => Outcome;
  /** Its body has no place for a reason, or has one always; both where it is not said. */
  reasons?: readonly boolean[];
}

/** Every door that exists for the row, by the table of operations. */
export function doorsOf(row: Row): Door[] {
  const family: Family = families[row.of];
  if (family.name === 'inventory' && row.path === 'is_locked_by_person')
    return [lockDoor, ...updates(family)];
  if (family.name === 'setting') return [settingsDoor];
  const collection = collectionOf(family, row.path);
  return [
    ...updates(family),
    ...(collection ? itemUpdates(family, row.path.split('.')[0] ?? '') : []),
    ...(family.name === 'part' ? [bulkDoor] : []),
    ...(isBulkFamily(family, 'update') && !collection ? [manyDoor] : []),
  ];
}

/** PATCH does what PUT does: that a reason is missing is tried by that one. */
const ALIKE = { reasons: [true] };

function operationsOf(family: Family, kind: Operation['kind'], collection?: string): Operation[] {
  return listOperations().filter(
    one =>
      one.family?.name === family.name && one.kind === kind && (!collection || one.collection === collection),
  );
}

function updates(family: Family): Door[] {
  return operationsOf(family, 'update').map(({ method, path }) => ({
    expects: (row, expected) => (row.isSetByServer ? 'read past' : expected),
    name: `${method} ${path}`,
    ...(method === 'PATCH' && ALIKE),
    ask: (scene, reason) => ({
      method,
      path: path.replace('{id}', String(scene.id)),
      body: { ...insisted(scene), ...bodyAt(scene.path, scene.to), ...reason },
    }),
  }));
}

/** What PUT wants of a complaint. */
function insisted({ family, before }: Scene): Record<string, unknown> {
  const names = Object.keys(family.fields).filter(name => family.fields[name]?.requiredOn.includes('put'));
  return Object.fromEntries(names.map(name => [name, before.fields[name]]));
}

function itemUpdates(family: Family, collection: string): Door[] {
  return operationsOf(family, 'update-item', collection).map(({ method, path }) => ({
    name: `${method} ${path}`,
    ...(method === 'PATCH' && ALIKE),
    ask: (scene, reason) => {
      const [, item = '', ...rest] = scene.path.split('.');
      const ids = [String(scene.id), item];
      return {
        method,
        path: path.replace(/\{\w+\}/g, () => ids.shift() ?? ''),
        body: { ...bodyAt(rest.join('.'), scene.to), ...reason },
      };
    },
  }));
}

const bulkDoor: Door = {
  name: 'PUT /parts/bulk',
  reasons: [false],
  ask: ({ id, path, to, before: { fields } }) => {
    const { name, identification } = fields;
    return { method: 'PUT', path: '/parts/bulk', body: [{ id, name, identification, [path]: to }] };
  },
};

const manyDoor: Door = {
  name: 'PUT /x/bulk/{family}',
  expects: (row, expected) => (row.isSetByServer ? 'read past' : expected),
  ask: ({ id, path, to, family }, reason) => ({
    method: 'PUT',
    path: `/x/bulk/${family.name}`,
    body: { rows: [{ id, ...bodyAt(path, to) }], ...reason },
  }),
};

const lockDoor: Door = {
  name: 'POST /x/inventory/{id}/lock',
  ask: ({ id, to }, reason) => ({
    method: 'POST',
    path: `/x/inventory/${id}/lock`,
    body: { is_locked: to, ...reason },
  }),
  // It wants a reason of programs as well.
  expects: (row, expected, hasReason) => {
    if (expected === 403) return 403;
    if (!hasReason) return 422;
    return row.to === true ? 'taken' : 'recorded';
  },
};

const settingsDoor: Door = {
  name: 'PUT /x/settings',
  ask: (scene, reason) => ({
    method: 'PUT',
    path: '/x/settings',
    body: { ...bodyAt(scene.path, scene.to), ...reason },
  }),
};

const REASON = { reason: 'So it was agreed.' };
const BOTH = [false, true];

export interface Place {
  callers: Callers;
  shared: Shared;
}

const ALL: Choice = possible => possible;

/** Everybody tries the row by the door, without a reason and with one. What is refused leaves the record to the next. */
export async function tryDoor(
  { callers, shared }: Place,
  row: Row,
  door: Door,
  choice = ALL,
): Promise<Attempt[]> {
  const { store } = callers.at.station;
  const possible = EVERYBODY.flatMap(who =>
    (door.reasons ?? BOTH).map((hasReason): Possible => {
      const said = expectedOf(row, authorOf(who, hasReason));
      const expected = door.expects?.(row, said, hasReason) ?? said;
      return { door: door.name, row: nameOf(row), who, hasReason, expected };
    }),
  );
  const tries = choice(possible);
  const isTaken = ({ expected }: { expected: Outcome }) => typeof expected !== 'number';
  const refused = tries.filter(one => !isTaken(one));
  const taken = tries.filter(isTaken);
  const attempts: Attempt[] = [];
  const attempt = async (scene: Scene, one: Possible) => {
    const { who, hasReason, expected } = one;
    const { method, path, body } = door.ask(scene, hasReason ? REASON : {});
    const found = outcomeOf(store, scene, answered(await callers.call(who, method, path, body)));
    // Whether the operation is refused as a whole or the value in it is read past: it changes nothing.
    const got = expected === 'read past' && found === 403 ? expected : found;
    attempts.push({ ...one, got });
    return got;
  };
  const fresh = async () => {
    const [scene] = await makeScenes(store, shared, row, 1);
    if (!scene) throw new Error('No scene.');
    return scene;
  };
  let shownTo = await fresh();
  for (const one of refused) {
    const got = await attempt(shownTo, one);
    if (got !== one.expected) shownTo = await fresh();
  }
  const isOne = row.of === 'setting';
  const scenes = isOne ? [] : await makeScenes(store, shared, row, taken.length);
  for (const [index, one] of taken.entries()) await attempt(scenes[index] ?? (await fresh()), one);
  return attempts;
}

/** Everybody begins a record with the row's value. Undefined where no operation begins records of the family. */
export async function tryCreation({ callers, shared }: Place, row: Row, choice = ALL): Promise<Attempt[]> {
  const { store } = callers.at.station;
  const family: Family = families[row.of];
  const attempts: Attempt[] = [];
  for (const { method, path, id } of creationsOf(family)) {
    const isBulk = id === 'parts.bulk-create';
    const isMany = id === 'x.bulk.create';
    // Of a new record hardly anything wants one.
    const reasons = typeof row.first === 'object' ? BOTH : [false];
    const possible = EVERYBODY.flatMap(who =>
      reasons.map((hasReason): Possible => {
        const expected = expectedAtCreation(row, authorOf(who, hasReason));
        return { door: `${method} ${path}`, row: nameOf(row), who, hasReason, expected };
      }),
    );
    for (const one of choice(possible)) {
      const reason = one.hasReason ? REASON : {};
      const record = firstBody(shared, row);
      const body = isMany ? { rows: [record], ...reason } : { ...record, ...reason };
      const total = store.records.total(row.of);
      const { status, said } = answered(await callers.call(one.who, method, path, isBulk ? [body] : body));
      const isMade = store.records.total(row.of) > total;
      const got: Attempt['got'] =
        isMade !== status < 300
          ? `${status}, and ${isMade ? 'made' : 'not made'} all the same`
          : isMade
            ? 'taken'
            : status === 403 || (status === 422 && said.includes('reason'))
              ? status
              : `${status}: ${said}`;
      attempts.push({ ...one, got });
    }
  }
  return attempts;
}

export function creationsOf(family: Family): Pick<Operation, 'id' | 'method' | 'path'>[] {
  const bulk = listOperations().filter(({ id }) => family.name === 'part' && id === 'parts.bulk-create');
  const many = listOperations().flatMap(({ id, method, path }) =>
    id === 'x.bulk.create' && isBulkFamily(family, 'create')
      ? [{ id, method, path: path.replace('{family}', family.name) }]
      : [],
  );
  return [...operationsOf(family, 'create'), ...bulk, ...many];
}

export function answered({ status, body }: Answer): Answered {
  const { message = '', errors = {} } = Object(body) as { message?: string; errors?: object };
  return { status, said: `${message} ${Object.keys(errors).join(' ')}` };
}
