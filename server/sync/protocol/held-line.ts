import type { Commit } from '../../store/changes.ts';
import { HOLD_SUBJECT } from '../../store/subjects.ts';
import { atOnce, type Steps } from '../../store/yield-to-event-loop.ts';
import type { HoldReason } from './decide.ts';

/** Records of a held commit that are noted in one step. */
const AT_ONCE = 2_000;

export interface HeldCommit {
  commit: Commit;
  /** As the newest decision about it says. */
  reason: string;
}

interface Placed extends HeldCommit {
  /** In the order of arrival. */
  place: number;
}

/** The held commits of one station in the order in which they arrived, found by the records that they are of. */
export class HeldLine {
  readonly #held = new Map<string, Placed>();
  /** Of almost every record there is one: a map for each would take most of the time of a commit of thousands. */
  readonly #bySubject = new Map<string, Placed | Map<string, Placed>>();
  /** Followers of nothing in the line: they build on what is held of another station, or of another record. */
  readonly #loose = new Map<string, Placed>();
  #last = 0;

  constructor(held: readonly HeldCommit[]) {
    for (const one of held) this.put(one);
  }

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  get(id: string): Placed | undefined {
    return this.#held.get(id);
  }

  /** Those of a record, the earliest first. */
  of(subject: string): Iterable<Placed> {
    const there = this.#bySubject.get(subject);
    if (there instanceof Map) return there.values();
    return there ? [there] : [];
  }

  loose(): Iterable<Placed> {
    return this.#loose.values();
  }

  /** At the end; one that is held already keeps its place. */
  put(held: HeldCommit): void {
    atOnce(this.putting(held));
  }

  /** `put` in steps. */
  *putting({ commit, reason }: HeldCommit): Steps<void> {
    const id = commit.commit_id;
    this.#last += 1;
    const placed = { commit, reason, place: this.#held.get(id)?.place ?? this.#last };
    this.#held.set(id, placed);
    let done = 0;
    for (const subject of subjectsOf(commit)) {
      this.#putAt(subject, placed);
      done += 1;
      if (done % AT_ONCE === 0) yield;
    }
    this.#loose.delete(id);
    if (isFollower(placed) && !new HeldNow(this).before(commit)) this.#loose.set(id, placed);
  }

  #putAt(subject: string, placed: Placed): void {
    const id = placed.commit.commit_id;
    const there = this.#bySubject.get(subject);
    if (there instanceof Map) there.set(id, placed);
    else if (!there || there.commit.commit_id === id) this.#bySubject.set(subject, placed);
    else {
      const both: [string, Placed][] = [
        [there.commit.commit_id, there],
        [id, placed],
      ];
      this.#bySubject.set(subject, new Map(both));
    }
  }

  remove(id: string): void {
    const held = this.#held.get(id);
    if (!held) return;
    this.#held.delete(id);
    this.#loose.delete(id);
    for (const subject of subjectsOf(held.commit)) {
      const there = this.#bySubject.get(subject);
      if (there instanceof Map) there.delete(id);
      if (there instanceof Map ? there.size === 0 : there?.commit.commit_id === id)
        this.#bySubject.delete(subject);
    }
  }
}

/** The same with what one entry of the log decides of it on top: the line itself stays as it is. */
export class HeldNow {
  readonly #line: HeldLine;
  readonly #gone = new Set<string>();
  readonly #again = new Map<string, HeldCommit>();
  /** What may go on, the earliest last. */
  readonly #free: Placed[] = [];
  /** Of a record those that are not known to be gone: of thousands that go one after the other none is met twice. */
  readonly #left = new Map<string, { at: Placed | undefined; rest: Iterator<Placed> }>();

  constructor(line: HeldLine) {
    this.#line = line;
  }

  get(id: string): HeldCommit | undefined {
    if (this.#gone.has(id)) return undefined;
    return this.#again.get(id) ?? this.#line.get(id);
  }

  put(held: HeldCommit): void {
    this.#again.set(held.commit.commit_id, held);
  }

  remove(id: string): void {
    const held = this.#line.get(id);
    this.#gone.add(id);
    if (!held) return;
    for (const subject of subjectsOf(held.commit)) {
      const first = this.#firstOf(subject);
      if (first && isFollower(first) && !this.before(first.commit)) this.#setFree(first);
    }
  }

  /** The first that is held before a commit, of a record that it is of; of all where it is not held itself. */
  before(commit: Commit, except?: ReadonlySet<string>): HeldCommit | undefined {
    if (this.#line.isEmpty) return undefined;
    let found: Placed | undefined;
    for (const subject of subjectsOf(commit)) {
      const first = except && except.size > 0 ? this.#firstBut(subject, except) : this.#firstOf(subject);
      if (!first || first.commit.commit_id === commit.commit_id) continue;
      if (!found || first.place < found.place) found = first;
    }
    return found;
  }

  /** Takes the earliest of the followers that nothing before them holds any more; each once. */
  takeFree(): HeldCommit | undefined {
    for (let next = this.#free.pop(); next; next = this.#free.pop()) {
      const held = this.get(next.commit.commit_id);
      if (held && isFollower(held) && !this.before(held.commit)) return held;
    }
    return undefined;
  }

  /** Those that build on what is held elsewhere are looked at with whatever is decided. */
  freeLoose(isWaiting: (commit: Commit) => boolean): void {
    for (const one of this.#line.loose()) if (!isWaiting(one.commit)) this.#setFree(one);
  }

  #setFree(one: Placed): void {
    const free = this.#free;
    let [from, to] = [0, free.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((free[middle]?.place ?? 0) > one.place) from = middle + 1;
      else to = middle;
    }
    if (free[from]?.place !== one.place) free.splice(from, 0, one);
  }

  #firstOf(subject: string): Placed | undefined {
    let left = this.#left.get(subject);
    if (!left) {
      const rest = this.#line.of(subject)[Symbol.iterator]();
      left = { at: rest.next().value, rest };
      this.#left.set(subject, left);
    }
    while (left.at && this.#gone.has(left.at.commit.commit_id)) left.at = left.rest.next().value;
    return left.at;
  }

  #firstBut(subject: string, except: ReadonlySet<string>): Placed | undefined {
    for (const one of this.#line.of(subject)) {
      const id = one.commit.commit_id;
      if (!this.#gone.has(id) && !except.has(id)) return one;
    }
    return undefined;
  }
}

function isFollower({ reason }: HeldCommit): boolean {
  return reason === ('follows' satisfies HoldReason);
}

/** What a commit says of held ones shares nothing with what others say of them. */
function subjectsOf({ entries }: Commit): Set<string> {
  return new Set(entries.flatMap(({ subject }) => (subject.startsWith(HOLD_SUBJECT) ? [] : subject)));
}
