import { hash as digest } from 'node:crypto';
import type { Collection, Family } from '../../shared/contract/define-family.ts';
import { AppError } from '../../shared/contract/errors.ts';
import type { Field } from '../../shared/contract/fields.ts';
import type { PathWriters, StoredRecord } from '../../shared/contract/present.ts';
import { families, familyOf, familyOfKey } from '../../shared/families/registry.ts';
import { movedAuthorship } from '../keys/authorship.ts';
import type { Commit, Entry } from './changes.ts';
import { type Change, type Fields, isItems, mapOf, UNKNOWN } from './changes.ts';
import { BLOCK_SIZE, itemCounter } from './ids.ts';
import { stateOf } from './unit-of-work.ts';

/** All ids of a block move to another one by the same offset (interface decisions, 4). */
export interface BlockMove {
  from: number;
  to: number;
}

export interface Moving {
  blocks: readonly BlockMove[];
  /** The chain that what moves is issued in. */
  chain: string;
  /** `company:1` is as setup wrote it: the central's company takes its place, and what refers to it refers to that one. */
  isCompanyReplaced: boolean;
  /** Users are not moved with their history: each is handed to central as it is. Of a former version they were. */
  areUsersHanded?: boolean;
}

type Described = Pick<Family | Collection, 'name' | 'fields' | 'collections'>;

/** The company that every installation has. */
const FIRST_COMPANY = 1;

/**
 * What a stand-alone installation has written, with the ids that it has as a station: a pure function of what was
 * written, so that anybody who has both can prove that the one is the other.
 */
export class IdRemapping {
  readonly #blocks: ReadonlyMap<number, number>;
  readonly #chain: string;
  readonly #isCompanyReplaced: boolean;
  readonly #areUsersHanded: boolean;

  constructor({ blocks, chain, isCompanyReplaced, areUsersHanded = false }: Moving) {
    this.#blocks = new Map(blocks.map(({ from, to }) => [from, to]));
    this.#chain = chain;
    this.#isCompanyReplaced = isCompanyReplaced;
    this.#areUsersHanded = areUsersHanded;
  }

  /** An id of the counter: a record's of the family, or an item's (`itemCounter`). One of a block that does not move stays. */
  id(id: number, counter?: string): number {
    if (counter === families.company.name && id === FIRST_COMPANY && this.#isCompanyReplaced) return id;
    const to = this.#blocks.get(Math.floor(id / BLOCK_SIZE));
    return to === undefined ? id : to * BLOCK_SIZE + (id % BLOCK_SIZE);
  }

  /** Whether central's own record takes the place of this one, or central decides whether there is one. */
  isReplaced(family: string, id: number): boolean {
    if (family === families.setting.name) return true;
    if (family === families.user.name && this.#areUsersHanded) return true;
    return family === families.company.name && id === FIRST_COMPANY && this.#isCompanyReplaced;
  }

  /** A commit under its id in the new chain; the same for the same commit. */
  commitId(id: string): string {
    const hex = digest('sha256', `${this.#chain} ${id}`);
    const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
    return [...parts, hex.slice(20, 32)].join('-');
  }

  /** What a commit says, moved; what it says of records that central's replace is left out. */
  commit(commit: Commit, signed: SignedState): MovedCommit {
    const { chain: _, number: __, previous_hash: ___, hash: ____, commit_id, entries, ...about } = commit;
    return {
      ...about,
      ...movedAuthorship(commit),
      commit_id: this.commitId(commit_id),
      entries: entries.flatMap(entry => this.#entry(entry, signed) ?? []),
    };
  }

  fields(family: Family, fields: Fields): Fields {
    return { ...this.#members(family, fields), ...this.#about(family, fields) };
  }

  /** A key of a record: `ncr:17`. */
  subject(key: string): string {
    const colon = key.lastIndexOf(':');
    const family = key.slice(0, colon);
    return `${family}:${this.id(Number(key.slice(colon + 1)), family)}`;
  }

  /** The record as the moved commits make it. */
  record(record: StoredRecord, signed: SignedState): StoredRecord {
    const family = describedFamily(record.family);
    const id = this.id(record.id, family.name);
    const fields = this.fields(family, signedFields(family, record.fields, signed));
    return {
      ...record,
      key: `${family.name}:${id}`,
      id,
      fields,
      state: stateOf(fields),
      creator: this.commitId(record.creator),
      writers: this.#writers(family, record.writers),
    };
  }

  #entry({ subject, changes, ...further }: Entry, signed: SignedState): Entry | undefined {
    const colon = subject.lastIndexOf(':');
    const family = describedFamily(subject.slice(0, colon));
    const id = Number(subject.slice(colon + 1));
    if (this.isReplaced(family.name, id)) return undefined;
    const said = Object.fromEntries(changes.map(({ path, new: value }) => [path, value]));
    const { state } = signedFields(family, said, signed);
    const about =
      family.name === families.signature.name && state !== undefined ? { state } : this.#about(family, said);
    return {
      ...further,
      subject: this.subject(subject),
      changes: changes.map(change => {
        const moved = this.#change(family, change);
        return Object.hasOwn(about, change.path) ? { ...moved, new: about[change.path] } : moved;
      }),
    };
  }

  #change(family: Described, { path, old, new: value, over, ...further }: Change): Change {
    return {
      ...further,
      path: this.#path(family, path),
      old: this.#valueAt(family, path, old),
      new: this.#valueAt(family, path, value),
      over: over.map(id => this.commitId(id)),
    };
  }

  #writers(family: Described, writers: PathWriters): PathWriters {
    const moved = Object.entries(writers).map(([path, written]) => {
      const by =
        typeof written === 'string'
          ? this.commitId(written)
          : written.map(({ commit, value }) => ({
              commit: this.commitId(commit),
              value: this.#valueAt(family, path, value),
            }));
      return [this.#path(family, path), by] as const;
    });
    return Object.fromEntries(moved);
  }

  /** Names of fields and ids of items by turns. */
  #path(family: Described | undefined, path: string): string {
    let described = family;
    const moved = path.split('.').map((part, index) => {
      if (index % 2 === 1) return this.id(Number(part), described && itemCounter(described));
      described =
        described && Object.hasOwn(described.collections, part) ? described.collections[part] : undefined;
      return part;
    });
    return moved.join('.');
  }

  #valueAt(family: Described, path: string, value: unknown): unknown {
    const parts = path.split('.');
    let described = family;
    for (let index = 0; index + 1 < parts.length; index += 2) {
      described = described.collections[parts[index] ?? ''] ?? UNKNOWN;
    }
    if (value === null || value === undefined) return value;
    if (parts.length % 2 === 0 && typeof value === 'object') return this.#members(described, mapOf(value));
    return this.#value(described, parts.at(-1) ?? '', value);
  }

  #members(described: Described, members: Fields): Fields {
    const moved = Object.entries(members).map(([name, value]) => {
      const isUnknown = !described.fields[name] && isItems(value);
      const collection = described.collections[name] ?? (isUnknown ? UNKNOWN : undefined);
      return [name, collection ? this.#items(collection, value) : this.#value(described, name, value)];
    });
    return Object.fromEntries(moved);
  }

  #items(collection: Described, items: unknown): Fields {
    const moved = Object.entries(mapOf(items)).map(([id, item]) => [
      this.id(Number(id), itemCounter(collection)),
      this.#members(collection, mapOf(item)),
    ]);
    return Object.fromEntries(moved);
  }

  #value(described: Described, name: string, value: unknown): unknown {
    const target = referredBy(name, described.fields[name]);
    if (target !== undefined) return typeof value === 'number' ? this.id(value, target) : value;
    if (described.name === families.signature.name && name === 'subject') return this.subject(String(value));
    if (described.name === families['audit-event'].name && name === 'subject')
      return typeof value === 'string' && familyOfKey(value) ? this.subject(value) : value;
    if (described.name === families.correction.name && name === 'lots')
      return Array.isArray(value) ? value.map(id => this.#number(id, families.inventory.name)) : value;
    if (described.name === families.certificate.name && name === 'basis') return this.#basis(value);
    if (described.name === families.inspection.name && name === 'template') return this.#template(value);
    if (described.name === families.shipment.collections.items?.name && name === 'taken') {
      return this.#taken(value);
    }
    return value;
  }

  /** Of a correction what it is about, whose ids only its record and path tell; nothing of any other. */
  #about({ name }: Described, fields: Fields): Fields {
    const { subject, path } = fields;
    if (name !== families.correction.name || typeof subject !== 'string' || typeof path !== 'string')
      return {};
    const family = familyOfKey(subject);
    const values = ['old_value', 'new_value'].flatMap(which =>
      family && which in fields ? [[which, this.#valueAt(family, path, fields[which])] as const] : [],
    );
    return {
      subject: this.subject(subject),
      path: this.#path(family, path),
      ...Object.fromEntries(values),
    };
  }

  /** The records that a certificate rests on; its paper names no ids. */
  #basis(basis: unknown): unknown {
    if (!Array.isArray(basis)) return basis;
    return basis.map((each: Fields) => ({ ...each, subject: this.subject(String(each.subject)) }));
  }

  /** The copy of a template in an inspection has the ids of its characteristics. */
  #template(template: unknown): unknown {
    const { characteristics } = families.specification.collections;
    if (characteristics === undefined) return template;
    const copied = mapOf(template);
    return { ...copied, characteristics: this.#items(characteristics, copied.characteristics) };
  }

  /** What a closing took, by lot and place (`takenSchema`). */
  #taken(taken: unknown): unknown {
    if (!Array.isArray(taken)) return taken;
    return taken.map((each: Fields) => ({
      ...each,
      inventory_id: this.#number(each.inventory_id, families.inventory.name),
      location_id: this.#number(each.location_id, families.location.name),
      ...('line' in each && { line: this.#takenLine(mapOf(each.line)) }),
    }));
  }

  #takenLine(line: Fields): Fields {
    return { ...line, part_id: this.#number(line.part_id, families.part.name) };
  }

  #number(id: unknown, family: string): unknown {
    return typeof id === 'number' ? this.id(id, family) : id;
  }
}

/**
 * What a signature of a record says is the record's state, moved: a signature holds as long as its record has the state
 * that was signed, and the move of its ids is no change of it.
 */
export type SignedState = (subject: string, state: string) => string;

function signedFields(family: Family, fields: Fields, signed: SignedState): Fields {
  const { subject, state } = fields;
  const isSignature = family.name === families.signature.name;
  if (!isSignature || typeof subject !== 'string' || typeof state !== 'string') return fields;
  return { ...fields, state: signed(subject, state) };
}

const USER_ID = /^(?:.*_)?user_id$|^approved_by$/;

/** The family that a field names a record of. Users are named by whole numbers, so that records outlive them. */
export function referredBy(name: string, field: Field | undefined): string | undefined {
  if (field?.kind === 'integer' && USER_ID.test(name)) return families.user.name;
  return field?.reference;
}

/** A commit before it has its place in the new chain. */
export type MovedCommit = Omit<Commit, 'chain' | 'number' | 'previous_hash' | 'hash'>;

/** @throws AppError `conflict` for a family that this version does not know: where it has ids is not known either */
function describedFamily(name: string): Family {
  const family = familyOf(name);
  if (family) return family;
  const message = `This installation has records of the family ${JSON.stringify(name)}, which this version does not know. Update it, then enrol.`;
  throw new AppError('conflict', message);
}

/** One of nothing: what entries are put into that alone are meant. */
export const NO_COMMIT: Commit = {
  chain: '',
  number: 0,
  commit_id: '',
  at: '',
  clock_offset: null,
  user: '',
  reason: null,
  entries: [],
  previous_hash: '',
  hash: '',
};
