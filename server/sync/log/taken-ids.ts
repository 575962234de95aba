import { familyOfKey } from '../../../shared/families/registry.ts';
import type { Commit, Entry } from '../../store/changes.ts';
import { IdRemapping, NO_COMMIT, type SignedState } from '../../store/id-remapping.ts';
import { type CreatedId, createdIds, itemsChanged } from './created-ids.ts';

/** An id of a record or an item that another commit took, and the one in its place. */
export interface TakenId {
  /** The counter that gives such ids: the family, or `itemCounter`. */
  family: string;
  from: number;
  to: number;
}

/** The ids in which two ways to write one commit differ: of what it creates, and of the records and items that it changes. */
export function renamed(mine: Commit, theirs: Commit | undefined): TakenId[] {
  if (!theirs) return [];
  const differing = (idsOf: (entry: Entry) => CreatedId[]): TakenId[] => {
    const [from, to] = [mine, theirs].map(({ entries }) => entries.flatMap(idsOf));
    if (!from || from.length !== to?.length) return [];
    return from.flatMap(({ counter, id }, place) => {
      const other = to[place];
      return other?.counter === counter && other.id !== id
        ? [{ family: counter, from: id, to: other.id }]
        : [];
    });
  };
  const created = differing(createdIds);
  const changed = differing(entry => [...recordOf(entry.subject), ...itemsChanged(entry)]).filter(
    ({ family, from }) => !created.some(one => one.family === family && one.from === from),
  );
  return [...created, ...changed];
}

/** Of a hold, and of a family that this version does not know, none. */
function recordOf(subject: string): CreatedId[] {
  const family = familyOfKey(subject);
  return family ? [{ counter: family.name, id: Number(subject.slice(family.name.length + 1)) }] : [];
}

/** What a station wrote, with other ids in the place of those that others had taken. */
export class TakenIds extends IdRemapping {
  readonly #ids: ReadonlyMap<string, number>;

  constructor(ids: readonly TakenId[]) {
    super({ blocks: [], chain: '', isCompanyReplaced: false });
    this.#ids = new Map(ids.map(({ family, from, to }) => [`${family}:${from}`, to]));
  }

  override id(id: number, counter?: string): number {
    return (counter === undefined ? undefined : this.#ids.get(`${counter}:${id}`)) ?? id;
  }

  override isReplaced(): boolean {
    return false;
  }

  /** Only ids of records and items change here. */
  override commitId(id: string): string {
    return id;
  }

  /** @throws AppError `conflict` for a family that this version does not know: where it has ids is not known either */
  entry(entry: Entry, signed: SignedState = (_, state) => state): Entry {
    const commit = { ...NO_COMMIT, entries: [entry] };
    return this.commit(commit, signed).entries[0] ?? entry;
  }
}
