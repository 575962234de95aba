/** Writes of people and programs, judged as the server judges theirs, and what they leave of a lot. */

import { locksOf } from '../../../server/rules/lot-state.ts';
import type { Store } from '../../../server/store/store.ts';
import type { Actor } from '../../../server/store/unit-of-work.ts';
import type { Family } from '../../../shared/contract/define-family.ts';
import { parseInput } from '../../../shared/contract/parse-input.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import type { Role } from '../../../shared/contract/role.ts';
import { type FamilyName, families } from '../../../shared/families/registry.ts';
import { refusalOf } from './refusal.ts';

type Fields = Record<string, unknown>;

export interface Writer {
  create: (family: FamilyName, body: Fields, reason?: string) => Promise<StoredRecord>;
  update: (family: FamilyName, id: number, body: Fields, reason?: string) => Promise<StoredRecord>;
  /** Why the change is refused, by path or code; nothing where it is taken. */
  refusal: (family: FamilyName, id: number, body: Fields, reason?: string) => Promise<Record<string, string>>;
}

/** Somebody with this login and role. */
export function person(store: Store, user: string, ...roles: Role[]): Writer {
  return writer(store, { user, rights: { kind: 'person', roles } });
}

/** A program with this role's rights. */
export function program(store: Store, ...roles: Role[]): Writer {
  return writer(store, { user: 'integration', rights: { kind: 'integration', roles } });
}

/** An import that somebody of this role runs. */
export function imported(store: Store, ...roles: Role[]): Writer {
  return writer(store, { user: 'importer', rights: { kind: 'import', roles } });
}

function writer(store: Store, actor: Actor): Writer {
  const update: Writer['update'] = (name, id, body, reason) => {
    const family: Family = families[name];
    return store.gate.commit({
      actor,
      reason: reason ?? null,
      work: work => work.update(family, id, parseInput(family, body, { mode: 'patch' })),
      answer: record => record,
    });
  };
  return {
    update,
    create: (name, body, reason) => {
      const family: Family = families[name];
      return store.gate.commit({
        actor,
        reason: reason ?? null,
        work: work => work.create(family, parseInput(family, body, { mode: 'create' })),
        answer: record => record,
      });
    },
    refusal: (...change) => refusalOf(update(...change)),
  };
}

/** Why the lot is locked, in the order of the facts. */
export function locks(store: Store, lot: number): string[] {
  const record = store.records.get('inventory', lot);
  if (!record) throw new Error(`There is no lot ${lot}.`);
  return locksOf({ records: store.records, sql: store.database.reader }, record).map(({ lock }) => lock);
}

/** The corrections of a record, oldest first. */
export function correctionsOf(store: Store, subject: string): Fields[] {
  return store.records.findBy('correction', 'subject', subject).map(({ fields }) => fields);
}
