import { hash as digest } from 'node:crypto';
import { canonicalJson } from '../../shared/contract/canonical-json.ts';
import type { Collection, Family } from '../../shared/contract/define-family.ts';
import { AppError, type FieldErrors } from '../../shared/contract/errors.ts';
import type { ParsedInput } from '../../shared/contract/parse-input.ts';
import type { Rights } from '../../shared/contract/permission.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { isSameNumber } from '../../shared/contract/typed-number.ts';
import { type FamilyName, familyOf } from '../../shared/families/registry.ts';
import type { Authored, Authorship, Seen } from '../keys/authorship.ts';
import type { PlannedChange } from './changes.ts';
import { applyChanges, type Change, diffFields, type Fields } from './changes.ts';
import { Faults } from './faults.ts';
import { type Ids, itemCounter } from './ids.ts';
import { pathsOf } from './input-paths.ts';
import { fallbacksOf, mergeInput } from './merge-input.ts';
import { numberedAs } from './numbered.ts';
import { keyOf, type Records } from './records.ts';
import { reserveIds } from './reserve-ids.ts';
import type { SqlReader } from './sqlite/connection.ts';
import { StagedWrites } from './staged-writes.ts';
import { checkReferences, checkUnique } from './unit-of-work-checks.ts';

/** Who writes, and for what reason, as history keeps it. */
export interface Actor {
  user: string;
  /** What the author may write. */
  rights: Rights;
  /** Of the signed-in user; absent for tokens and for what the server itself does. */
  userId?: number | undefined;
  /** Where in the network a call came from; absent for what the server itself does. */
  address?: string | undefined;
  /** Signs the commit with the key of the author's session; absent where there is none. */
  author?: Author | undefined;
}

/** Signs what a person commits, and how far the machine had read central's log. */
export type Author = (commit: Authored, seen: Seen | null) => Authorship;

export type Rule = (work: UnitOfWork, change: PlannedChange) => void;

/**
 * Judges what is asked for, before the rules of its family: refuses or blames. Returns what is to be done once the record
 * stands as it will.
 */
export type Permit = (
  work: UnitOfWork,
  change: PlannedChange,
) => ((record: StoredRecord) => void) | undefined;

/** Who signs, by password. */
export interface Signer {
  id: number;
  name: string;
  /** With the person's own key; absent while there is none here. */
  sign?: (text: string) => { key: string; proof: string };
}

/** What came with a request to sign its acts with, before it is bound to them. */
export interface Signing {
  /** Whose password it was; null where none came, or a wrong one. */
  signer: Signer | null;
  /** As the signer gave it. */
  reason: string | null;
}

/** Judges a commit as it is about to be written, and adds the signatures of what is signed in it. */
export type Seal = (work: UnitOfWork) => void;

export interface UnitOfWorkContext {
  records: Records;
  sql: SqlReader;
  ids: Ids;
  rules: Readonly<Record<string, Rule>>;
  permit: Permit;
  station: string;
  actor: Actor;
  /** ISO 8601 UTC with milliseconds. */
  at: string;
  reason: string | null;
  signing?: Signing | undefined;
  /** What was found at fault in the request before. */
  faults?: FieldErrors | undefined;
}

/** What a commit is about to write: the record before and after, and its changes. */
export interface StagedWrite {
  before: StoredRecord | undefined;
  after: StoredRecord;
  changes: StagedChange[];
  /** Somebody asked for it; what follows from that by rule was not asked for. */
  isAsked: boolean;
  /** The path whose conflict it decides. */
  decides?: string;
}

/** `over` is given for what replaces values that the record does not show, as a resolution does; else the gate fills it in. */
export type StagedChange = Omit<Change, 'over'> & Partial<Pick<Change, 'over'>>;

/**
 * The records of one commit before they are written. Everything that is put passes references, unique numbers and the
 * family's rules; what is read through it includes what was put already.
 */
export class UnitOfWork extends Faults {
  readonly #context: UnitOfWorkContext;
  readonly #staged = new StagedWrites<StagedWrite>();
  /** Records as they are stored: nobody else writes while this goes on, and lines of one record ask for the same again and again. */
  readonly #stored = new Map<string, StoredRecord>();
  /** Ids that no stored record of the family has: from the first on, before the second. */
  readonly #free = new Map<string, { from: number; to: number }>();
  /** While rules and the server's own parts of a write run: what they put follows from what was asked for. */
  #isByServer = false;

  constructor(context: UnitOfWorkContext) {
    super(context.faults);
    this.#context = context;
  }

  get actor(): Actor {
    return this.#context.actor;
  }

  /** The moment of the commit, ISO 8601 UTC with milliseconds. */
  get at(): string {
    return this.#context.at;
  }

  get reason(): string | null {
    return this.#context.reason;
  }

  get signing(): Signing {
    return this.#context.signing ?? { signer: null, reason: null };
  }

  /** SQL on the open transaction, for the rules' own lookups; it does not see what is only staged. */
  get sql(): SqlReader {
    return this.#context.sql;
  }

  get records(): Records {
    return this.#context.records;
  }

  get ids(): Ids {
    return this.#context.ids;
  }

  /** Who wrote each commit of a record's history, by the commit's id, the oldest first. */
  authorsOf(key: string): Map<string, string> {
    const rows = this.sql.all<{ commit_id: string; user: string }>(
      'SELECT h.commit_id, h.user FROM history_subject AS s JOIN history AS h USING (sequence) WHERE s.subject = ? ORDER BY s.sequence',
      this.#context.records.subjectNumberOf(key),
    );
    return new Map(rows.map(({ commit_id: id, user }) => [id, user]));
  }

  staged(): IterableIterator<StagedWrite> {
    return this.#staged.values();
  }

  get(family: string, id: number): StoredRecord | undefined {
    const key = keyOf(family, id);
    return this.#staged.get(key)?.after ?? this.#storedAt(key);
  }

  #storedAt(key: string): StoredRecord | undefined {
    const known = this.#stored.get(key);
    if (known) return known;
    const record = this.#context.records.getByKey(key);
    if (record) this.#stored.set(key, record);
    return record;
  }

  /** @throws AppError `not_found` */
  require(family: string, id: number): StoredRecord {
    const record = this.get(family, id);
    if (record) return record;
    const title = familyOf(family)?.title ?? family;
    throw new AppError('not_found', `There is no ${title.toLowerCase()} with the id ${id}.`);
  }

  /** Records by an indexed field, staged ones included; of a lot number those that people take for the same one. */
  findBy(family: FamilyName, field: string, value: string | number): StoredRecord[] {
    const stored = this.#context.records.findBy(family, field, value);
    const unchanged = stored.filter(record => !this.#staged.has(record.key));
    return [...unchanged, ...this.#staged.findBy(family, field, value)].sort((a, b) => a.id - b.id);
  }

  /** @throws AppError `conflict` when the wanted id is taken or belongs to another installation. */
  create(family: Family, input: ParsedInput, wantedId: number | null = null): StoredRecord {
    const id = wantedId === null ? this.nextId(family.name) : this.#claim(family, wantedId);
    const fields: Fields = { ...fallbacksOf(family) };
    this.#number(family, fields, input);
    return this.#put(family, id, undefined, this.#merge(family, fields, input), input);
  }

  /** Changes what the input names and leaves the rest; null clears. */
  update(family: Family, id: number, input: ParsedInput): StoredRecord {
    const before = this.require(family.name, id);
    const number = family.numbered?.field;
    if (number !== undefined && input.fields[number] !== undefined && isNoNumber(input.fields[number])) {
      const message = 'The number cannot be cleared. Give another one, or leave it out.';
      this.blame(input.paths[number] ?? number, message);
    }
    return this.#put(family, id, before, this.#merge(family, before.fields, input), input);
  }

  /**
   * Puts back a record that an export holds, under its id and with its items' ids. No rule runs: what the server once
   * worked out (the lots that a shipment took, the template that an inspection followed) is a fact and stays as it was.
   * @throws AppError `conflict` as `create` does; 422 on references and unique numbers
   */
  restore(family: Family, id: number, fields: Fields): StoredRecord {
    this.#claim(family, id);
    const change: PlannedChange = {
      family,
      id,
      before: undefined,
      fields,
      isGiven: () => true,
      isByRule: false,
      pathOf: pathsOf(family, null),
    };
    const permitted = this.#context.permit(this, change);
    checkReferences(change, this);
    checkUnique(change, this);
    reserveIds(this.#context.ids, family, id, fields);
    const record = this.#stage(change);
    permitted?.(record);
    return record;
  }

  /**
   * Decides a conflict: as `update` with the chosen value in `input`, over every value that stations wrote for the path,
   * also where the one that stands is chosen.
   * @throws AppError `conflict` when there is none any more
   */
  resolve(family: Family, id: number, path: string, input: ParsedInput): StoredRecord {
    const before = this.require(family.name, id);
    const written = before.writers[path];
    if (!Array.isArray(written)) {
      throw new AppError('conflict', `The value ${path} of ${before.key} is in no conflict any more.`);
    }
    this.update(family, id, input);
    const { after, changes } = this.#staged.get(before.key) ?? {
      after: {
        ...before,
        version: before.version + 1,
        updated_at: this.at,
        station: this.#context.station,
        user: this.actor.user,
      },
      changes: [],
    };
    const over = written.map(({ commit }) => commit);
    const standing = written[0]?.value ?? null;
    const change = changes.find(one => one.path === path) ?? { path, old: standing, new: standing };
    const others = changes.filter(one => one !== change);
    this.#staged.set(before.key, {
      before,
      after,
      changes: [...others, { ...change, over }],
      isAsked: true,
      decides: path,
    });
    return after;
  }

  /** For rules: the record's fields as they should be. */
  set(family: Family, id: number, fields: Fields): StoredRecord {
    return this.#put(family, id, this.get(family.name, id), fields, null);
  }

  /** Records of a family with this number, as people compare numbers; by id. @param field one of the family's codes */
  numbered(family: Family, field: string, number: string): StoredRecord[] {
    const stored = numberedAs(this.sql, this.records, family, field, number);
    const staged = [...this.#staged.values()].flatMap(({ after }) =>
      after.family === family.name && isSameNumber(after.fields[field], number) ? [after] : [],
    );
    return [...stored.filter(({ key }) => !this.#staged.has(key)), ...staged].sort((a, b) => a.id - b.id);
  }

  /** For rules: a new record with these fields. */
  insert(family: Family, fields: Fields): StoredRecord {
    return this.#put(family, this.nextId(family.name), undefined, fields, null);
  }

  /** What the server adds to what was asked for, and what a person may do without a role: their own language. */
  byServer<Result>(work: () => Result): Result {
    const before = this.#isByServer;
    this.#isByServer = true;
    try {
      return work();
    } finally {
      this.#isByServer = before;
    }
  }

  nextId(family: string): number {
    return this.#context.ids.next(
      family,
      id => this.#staged.has(keyOf(family, id)) || this.#isStored(family, id),
    );
  }

  /** Looks once for many ids: up to the next one that is stored, none is. */
  #isStored(family: string, id: number): boolean {
    const free = this.#free.get(family);
    if (free && id >= free.from && id < free.to) return false;
    const to = this.records.firstFrom(family, id) ?? Number.POSITIVE_INFINITY;
    this.#free.set(family, { from: id, to });
    return to === id;
  }

  nextItemId(collection: Pick<Collection, 'name'>): number {
    return this.#context.ids.next(itemCounter(collection), () => false);
  }

  #put(
    family: Family,
    id: number,
    before: StoredRecord | undefined,
    fields: Fields,
    input: ParsedInput | null,
  ): StoredRecord {
    const change: PlannedChange = {
      family,
      id,
      before,
      fields,
      isGiven: field => input?.fields[field] !== undefined,
      isByRule: input === null,
      pathOf: pathsOf(family, input),
    };
    checkReferences(change, this);
    const permitted = this.#isByServer ? undefined : this.#context.permit(this, change);
    this.byServer(() => {
      for (const name of family.rules) this.#context.rules[name]?.(this, change);
    });
    checkUnique(change, this);
    const record = this.#stage(change);
    permitted?.(record);
    return record;
  }

  /** Folds the changes onto the record, so that what is stored is exactly what history folds to. */
  #stage(change: PlannedChange): StoredRecord {
    const { family, id } = change;
    const key = keyOf(family.name, id);
    const earlier = this.#staged.get(key);
    const original = earlier ? earlier.before : change.before;
    const changes = diffFields(family, original?.fields ?? {}, change.fields).map((each): StagedChange => {
      const written = original?.writers[each.path];
      if (!Array.isArray(written) || !change.isOverAll?.(each.path)) return each;
      return { ...each, over: written.map(({ commit }) => commit) };
    });
    if (changes.length === 0 && original) {
      this.#staged.delete(key);
      return original;
    }
    const { at, station, actor } = this.#context;
    const fields = applyChanges(original?.fields ?? {}, changes, at);
    const after: StoredRecord = {
      key,
      family: family.name,
      id,
      version: (original?.version ?? 0) + 1,
      state: stateOf(fields),
      fields,
      field_set: 1,
      created_at: original?.created_at ?? at,
      updated_at: at,
      station,
      user: actor.user,
      // The gate fills these in, once the commit has its id.
      creator: original?.creator ?? '',
      writers: original?.writers ?? {},
      folded: original?.folded ?? 0,
    };
    const isAsked = earlier?.isAsked === true || !this.#isByServer;
    const decides = earlier?.decides;
    this.#staged.set(key, { before: original, after, changes, isAsked, ...(decides && { decides }) });
    return after;
  }

  #claim(family: Family, id: number): number {
    if (!this.#context.ids.owns(id)) {
      throw new AppError(
        'conflict',
        `The id ${id} is outside this installation's blocks of ids. Leave id out to have one allocated.`,
      );
    }
    if (this.get(family.name, id)) {
      throw new AppError('conflict', `The id ${id} is taken. Leave id out to have one allocated.`);
    }
    return id;
  }

  #merge(family: Family, fields: Fields, input: ParsedInput): Fields {
    return mergeInput(family, fields, input, this);
  }

  /** The server's number, with the station's code in it so that stations never give the same. */
  #number(family: Family, fields: Fields, input: ParsedInput): void {
    if (!family.numbered) return;
    const { field, prefix } = family.numbered;
    if (!isNoNumber(input.fields[field])) return;
    delete input.fields[field];
    const { ids } = this.#context;
    const numberOf = (n: number) => `${prefix}-${ids.stationCode}-${String(n).padStart(6, '0')}`;
    const isTaken = (n: number) =>
      family.unique.includes(field) && this.findBy(family.name as FamilyName, field, numberOf(n)).length > 0;
    fields[field] = numberOf(ids.nextNumber(family.name, isTaken));
  }
}

/** Blanks name nothing. */
function isNoNumber(given: unknown): boolean {
  return typeof given !== 'string' || given.trim() === '';
}

/** The hash of a record's canonical fields. */
export function stateOf(fields: Fields): string {
  return digest('sha256', canonicalJson(fields));
}
