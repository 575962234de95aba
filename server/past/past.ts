import { AppError, invalid } from '../../shared/contract/errors.ts';
import { momentOf } from '../../shared/contract/moment-of.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import type { PastAnswer } from '../../shared/operations/past-operations.ts';
import { OwnCopies } from '../store/changes.ts';
import { checkedDocument } from '../store/sqlite/checksum.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import { readDocument } from '../store/sqlite/documents.ts';
import { readLocal } from '../store/tables.ts';
import { foldEffects, withState } from '../sync/log/fold.ts';
import { meantIn } from '../sync/log/meant-records.ts';
import { syncRules } from '../sync/log/rules.ts';
import { shownOf } from '../sync/log/shown.ts';
import { connected } from '../sync/protocol/overlay.ts';
import type { Cut } from './cut.ts';
import { type Step, Steps, type Written } from './steps.ts';

export interface PastParts {
  /** One moment of the file. */
  sql: SqlReader;
  /** The table of the records. */
  table: string;
  /** The installation that this is. */
  station: string;
}

/** Records as they were. Reads of one moment of the file; nothing is kept between two questions. */
export class Past {
  readonly steps: Steps;
  readonly #sql: SqlReader;
  readonly #table: string;

  constructor({ sql, table, station }: PastParts) {
    this.#sql = sql;
    this.#table = table;
    this.steps = new Steps(sql, station);
  }

  /** A record as it stands now. */
  now(key: string): StoredRecord | undefined {
    return readDocument<StoredRecord>(this.#sql, this.#table, key);
  }

  /**
   * A record as of then; undefined where it was not there.
   * @throws AppError 422 on `as_of` where this machine cannot know it
   */
  at(key: string, cut: Cut): StoredRecord | undefined {
    const known = new Map<string, StoredRecord | undefined>();
    const decidedAt = (subject: string) => {
      if (!known.has(subject)) known.set(subject, this.#decidedAt(subject, cut));
      return known.get(subject);
    };
    const places = new Map<string, number>();
    const openAt = (subject: string) =>
      this.openAt(subject, cut).map(({ commit, sequence }) => {
        places.set(commit.commit_id, sequence);
        return commit;
      });
    const group = connected([key], openAt, ({ commit_id: id }) => places.get(id) ?? 0);
    if (group.commits.length === 0) return decidedAt(key);
    const isWithdrawn = (commit: string) => this.#isWithdrawn(commit, cut);
    const showing = { isWithdrawn, isMeant: meantIn(this.#sql), rules: syncRules };
    return shownOf(group, decidedAt, showing).get(key);
  }

  /** A record after one of its commits, by those that count up to there; undefined where it does not count, or not yet. */
  afterCommit(key: string, commit: string): StoredRecord | undefined {
    const steps = this.steps.of(key);
    const place = steps.findLastIndex(step => step.commit.commit_id === commit);
    return place < 0 ? undefined : foldSteps(steps.slice(0, place + 1));
  }

  /** What an answer means, before what is said of its records. */
  answer(cut: Cut): PastAnswer {
    const [at, place] = cut.kind === 'place' ? [null, cut.place] : [cut.at, null];
    const isOpen = cut.kind === 'moment' && this.steps.hasLog;
    return {
      meaning: cut.kind,
      at,
      place,
      log_end: this.steps.end(),
      notes: isOpen ? ['more_may_come'] : [],
    };
  }

  /** The steps of a record that count. */
  counting(steps: readonly Step[], cut: Cut): Step[] {
    switch (cut.kind) {
      case 'place':
        return steps.filter(({ place }) => place <= cut.place);
      case 'moment': {
        const moments = new Map<string, string>();
        return steps.filter(step => this.#momentOf(step, moments) <= cut.at);
      }
      case 'here': {
        // What arrived before another that was known was known, whatever the clock said.
        const last = steps.findLastIndex(step => this.#knownBy(step, cut.at));
        return steps.slice(0, last + 1);
      }
    }
  }

  /** Own commits of a record that stand on what is decided, as of then. */
  openAt(key: string, cut: Cut): Written[] {
    if (cut.kind === 'place' || !this.steps.isStation) return [];
    if (cut.kind === 'moment')
      return this.steps.undecided(key).filter(({ commit }) => momentOf(commit) <= cut.at);
    const settled = new Set(
      this.counting(this.steps.of(key), cut).flatMap(({ commit, outcome }) =>
        outcome === 'held' ? [] : [commit.commit_id],
      ),
    );
    return this.steps
      .written(key)
      .filter(
        ({ commit }) => this.steps.isOwn(commit) && commit.at <= cut.at && !settled.has(commit.commit_id),
      );
  }

  #decidedAt(key: string, cut: Cut): StoredRecord | undefined {
    const steps = this.steps.of(key);
    const counting = this.counting(steps, cut);
    if (this.steps.start.sequence > 0 && !steps.some(({ effect }) => effect?.isNew)) {
      const decided = this.#decidedNow(key);
      if (decided) return this.#taken(decided, cut, steps.length === counting.length);
    }
    return foldSteps(counting);
  }

  /**
   * A record that was taken as it stood, without what led to it. What of its history comes here later and stands in the
   * log, is read as all else is.
   */
  #taken(decided: StoredRecord, cut: Cut, isUnchanged: boolean): StoredRecord {
    if (isUnchanged && this.steps.isAfterTaken(cut)) return decided;
    const from = isUnchanged ? this.steps.takenAt() : decided.updated_at;
    throw invalid({
      as_of: [
        `This station took ${decided.key} as it stood, without its history: it is known here from ${from ?? 'its next change'} on. Ask central, or give a later moment.`,
      ],
    });
  }

  #decidedNow(key: string): StoredRecord | undefined {
    const isCovered = this.#sql.get('SELECT 1 FROM undecided_subject WHERE subject = ? LIMIT 1', key);
    if (!isCovered) return this.now(key);
    const sql = 'SELECT document, seal FROM decided_record WHERE key = ?';
    const row = this.#sql.get<{ document: string; seal: number }>(sql, key);
    return row && checkedDocument(this.#sql, row, () => `record ${key} as decided`);
  }

  #knownBy(step: Step, at: string): boolean {
    const known = this.steps.knownAt(step);
    if (known !== undefined) return known <= at;
    refuseUnnoted(this.steps, at);
    return true;
  }

  /**
   * When a step counts from: when its commit was written, but not before what it was written over, nor before it was let in.
   * `moments` are those of the record's earlier steps.
   */
  #momentOf({ commit, by, place, effect }: Step, moments: Map<string, string>): string {
    const over = commit.entries.flatMap(({ subject, changes }) =>
      subject === effect?.subject ? changes.flatMap(change => change.over) : [],
    );
    // It was written before it was let in.
    let moment = this.steps.momentAt(place, by);
    for (const id of over) {
      const other = moments.get(id) ?? '';
      if (other > moment) moment = other;
    }
    moments.set(commit.commit_id, moment);
    return moment;
  }

  #isWithdrawn(commit: string, cut: Cut): boolean {
    if (this.#sql.get('SELECT 1 FROM held WHERE commit_id = ? AND is_withdrawn = 1', commit) === undefined)
      return false;
    if (cut.kind !== 'here') return true;
    const withdrawal = this.steps.resolutionOf({ commit_id: commit }, 0);
    return withdrawal === undefined || (this.steps.knownAt(withdrawal) ?? '') <= cut.at;
  }
}

function foldSteps(steps: readonly Step[]): StoredRecord | undefined {
  const own = new OwnCopies();
  let record: StoredRecord | undefined;
  for (const { commit, outcome, effect, place } of steps) {
    if (!effect || (!record && !effect.isNew)) continue;
    record = foldEffects(record, effect, { commit, outcome, sequence: place }, own);
  }
  return record && withState(record);
}

/** @throws AppError `unavailable` while records come in the place of the log: they are of more than one moment */
export function refuseTaking(sql: Pick<SqlReader, 'get'>): void {
  if (readLocal(sql, 'snapshot') === undefined && readLocal(sql, 'snapshot_until') === undefined) return;
  throw new AppError(
    'unavailable',
    'This station is taking records from central. Ask again when it has them all.',
  );
}

/** @throws AppError 422 where it asks for what was known here before that was noted */
export function refuseUnnoted({ keptSince }: Steps, at: string): void {
  if (!keptSince || at >= keptSince.at) return;
  throw invalid({
    as_of: [
      `When changes arrived at this machine is noted from ${keptSince.at} on: what it knew at ${at} is not known. Give a later moment, or leave out known=here.`,
    ],
  });
}
