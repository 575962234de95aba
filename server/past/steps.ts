import { NOTABLE_CLOCK_OFFSET } from '../../shared/contract/limits.ts';
import { type Dated, momentOf } from '../../shared/contract/moment-of.ts';
import type { Commit } from '../store/changes.ts';
import { logStart } from '../store/earlier-history.ts';
import { isExchanging, readCommit, readHistory, readNamed, STANDING, stationOf } from '../store/history.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import { FAMILY_SPAN } from '../store/subjects.ts';
import {
  type Arrival,
  arrivalFrom,
  arrivalOf,
  arrivalsKeptSince,
  type KeptSince,
} from '../sync/log/arrivals.ts';
import { decisionsOf } from '../sync/log/log.ts';
import type { Decision, Outcome, SubjectEffects } from '../sync/protocol/decide.ts';
import { LOG_START, type LogPlace } from '../sync/protocol/log.ts';
import type { Cut } from './cut.ts';

/** What the log says of one commit of a record. A machine that stands alone has its history in the place of the log. */
export interface Step {
  /** The entry that decided it. */
  place: number;
  commit: Commit;
  /** The commit of that entry: another one where it lets in what was held. */
  by: Commit;
  outcome: Outcome;
  /** What becomes of the record; undefined for nothing. */
  effect: SubjectEffects | undefined;
}

interface Resolution extends Pick<Step, 'place' | 'by'> {
  decision: Decision;
}

/** An own commit with its place in the order of writing here. */
export interface Written {
  sequence: number;
  commit: Commit;
}

interface LogRow {
  sequence: number;
  chain: string;
  number: number;
  decisions: string;
}

const ALL = Number.MAX_SAFE_INTEGER;

/** Reads what stands in history and in the log, for one moment of the file. */
export class Steps {
  readonly #sql: SqlReader;
  readonly #station: string;
  /** The last one that was asked for: most are asked for in their order. */
  #arrival: { from: number; with: Arrival | undefined } | undefined;
  readonly #families = new Map<string, number | undefined>();
  /** By the ids of commits that were held, what came of them, in the order of the log. */
  #resolutions: Map<string, Resolution[]> | undefined;
  /** Whether a log orders the commits; otherwise the order of writing does. */
  readonly hasLog: boolean;
  /** Before its first entry: what lies before was taken as records. */
  readonly start: LogPlace;
  /** Whether what is written here waits for a central. */
  readonly isStation: boolean;
  readonly keptSince: KeptSince | null;

  /** `station`: the installation that this is. */
  constructor(sql: SqlReader, station: string) {
    this.#sql = sql;
    this.#station = station;
    this.hasLog =
      isExchanging(sql) && sql.get("SELECT 1 FROM sqlite_schema WHERE name = 'arrival'") !== undefined;
    this.start = (this.hasLog ? logStart(sql) : undefined) ?? LOG_START;
    this.isStation = this.hasLog && sql.get('SELECT 1 FROM own_chain LIMIT 1') !== undefined;
    this.keptSince = this.hasLog ? arrivalsKeptSince(sql) : null;
  }

  /** The last entry that is here. */
  end(): number {
    const table = this.hasLog ? 'log' : 'history';
    const last = this.#sql.get<{ last: number | null }>(`SELECT max(sequence) AS last FROM ${table}`)?.last;
    return Math.max(last ?? 0, this.start.sequence);
  }

  /** What the log says of a record, in its order. */
  of(key: string): Step[] {
    const written = this.written(key);
    if (!this.hasLog) return written.map((one, index) => alone(key, one, index === 0));
    const steps = written.flatMap(({ commit }) => this.#stepsOf(key, commit));
    return steps.sort((a, b) => a.place - b.place);
  }

  /** The commits of a record, in the order in which they were written or arrived here. */
  written(key: string): Written[] {
    const subject = this.#subjectOf(key);
    if (subject === undefined) return [];
    const { commits } = readHistory(this.#sql, subject, 0, ALL);
    const sql = `SELECT sequence FROM history_subject JOIN history USING (sequence)
      WHERE subject = ? AND ${STANDING} ORDER BY sequence`;
    const places = this.#sql.all<{ sequence: number }>(sql, subject);
    return commits.map((commit, index) => ({ sequence: places[index]?.sequence ?? 0, commit }));
  }

  /** Own commits of a record that the log does not settle now. */
  undecided(key: string): Written[] {
    if (!this.isStation) return [];
    const sql = `SELECT u.* FROM undecided_subject AS s JOIN undecided AS u USING (sequence)
      WHERE s.subject = ? ORDER BY sequence`;
    return this.#sql
      .all<{ sequence: number; chain: string; number: number; commit_id: string }>(sql, key)
      .flatMap(({ sequence, chain, number, commit_id: id }) => {
        const commit = readNamed(this.#sql, chain, number, id);
        return commit ? [{ sequence, commit }] : [];
      });
  }

  isOwn({ chain }: Pick<Commit, 'chain'>): boolean {
    return stationOf(chain) === this.#station;
  }

  /** When an entry was known here; undefined for what arrived before that was noted. */
  knownAt({ place, by }: { place: number; by: Pick<Commit, 'chain' | 'at'> }): string | undefined {
    if (!this.hasLog) return by.at;
    const arrived = arrivalOf(this.#sql, place);
    if (arrived !== undefined) return arrived;
    return !this.isStation && this.isOwn(by) ? by.at : undefined;
  }

  /**
   * When an entry of the log was written: by its date, unless it arrived notably earlier than it is dated. A clock that ran ahead
   * unnoticed, or an altered program, would otherwise keep the entry, and all that was written over it, out of every past.
   */
  momentAt(place: number, dated: Dated): string {
    const moment = momentOf(dated);
    const arrived = this.#arrivedAt(place);
    if (arrived === undefined) return moment;
    const isAhead = Date.parse(moment) - Date.parse(arrived) >= NOTABLE_CLOCK_OFFSET;
    return isAhead ? arrived : moment;
  }

  /** By central's clock; undefined where that is not known. */
  #arrivedAt(place: number): string | undefined {
    if (!this.hasLog) return undefined;
    let known = this.#arrival;
    if (!known || place < known.from || place > (known.with?.last ?? Number.POSITIVE_INFINITY)) {
      known = { from: place, with: arrivalFrom(this.#sql, place) };
      this.#arrival = known;
    }
    const arrival = known.with;
    if (!arrival || arrival.first > place) return undefined;
    if (!this.isStation) return arrival.at;
    return arrival.clock_offset === null ? undefined : momentOf(arrival);
  }

  /** When what was taken as records was here whole, or at the latest; undefined where that was not noted. */
  takenAt(): string | undefined {
    const noted = this.start.sequence === 0 ? undefined : arrivalOf(this.#sql, this.start.sequence);
    return noted ?? this.keptSince?.at;
  }

  /** Whether that is of a time after what was taken as records. */
  isAfterTaken(cut: Cut): boolean {
    if (cut.kind === 'place') return cut.place >= this.start.sequence;
    const takenAt = this.takenAt();
    return takenAt !== undefined && cut.at >= takenAt;
  }

  /** What came of a commit that was held when it arrived; undefined while nothing did. */
  resolutionOf(commit: Pick<Commit, 'commit_id'>, held: number): Resolution | undefined {
    // Of what still waits the log says nothing more, and a station can have thousands of it.
    const waits = 'SELECT 1 FROM held WHERE commit_id = ? AND is_withdrawn = 0';
    if (this.#sql.get(waits, commit.commit_id) !== undefined) return undefined;
    this.#resolutions ??= this.#readResolutions();
    return this.#resolutions.get(commit.commit_id)?.find(({ place }) => place > held);
  }

  /** Of all at once: a record can have thousands that were held and decided on. */
  #readResolutions(): Map<string, Resolution[]> {
    const resolutions = new Map<string, Resolution[]>();
    const sql = `SELECT sequence, chain, number, decisions FROM log INDEXED BY log_decided
      WHERE decisions <> '' AND json_array_length(decisions) > 1 ORDER BY sequence`;
    for (const row of this.#sql.all<LogRow>(sql)) {
      const by = readCommit(this.#sql, row.chain, row.number);
      if (!by) continue;
      for (const decision of decisionsOf(row, by)) {
        const { commit_id: id, outcome } = decision;
        if (id === by.commit_id || outcome === 'held') continue;
        resolutions.set(id, [...(resolutions.get(id) ?? []), { place: row.sequence, by, decision }]);
      }
    }
    return resolutions;
  }

  #stepsOf(key: string, commit: Commit): Step[] {
    const sql = 'SELECT sequence, chain, number, decisions FROM log WHERE chain = ? AND number = ?';
    const row = this.#sql.get<LogRow>(sql, commit.chain, commit.number);
    if (!row || row.sequence <= this.start.sequence) return [];
    const own = decisionsOf(row, commit)[0];
    if (!own) return [];
    const place = row.sequence;
    const step = (decision: Decision) => ({
      commit,
      outcome: decision.outcome,
      effect: decision.effects.find(({ subject }) => subject === key),
    });
    const arrived: Step = { place, by: commit, ...step(own) };
    const resolved = own.outcome === 'held' ? this.resolutionOf(commit, place) : undefined;
    if (!resolved) return [arrived];
    return [arrived, { place: resolved.place, by: resolved.by, ...step(resolved.decision) }];
  }

  /** The number of the record in the tables of history; undefined where nothing of its family is there. */
  #subjectOf(key: string): number | undefined {
    const colon = key.lastIndexOf(':');
    const family = key.slice(0, colon);
    if (!this.#families.has(family)) {
      const sql = 'SELECT number FROM family_number WHERE family = ?';
      this.#families.set(family, this.#sql.get<{ number: number }>(sql, family)?.number);
    }
    const number = this.#families.get(family);
    return number === undefined ? undefined : number * FAMILY_SPAN + Number(key.slice(colon + 1));
  }
}

/** Where nothing else writes, each commit is applied as it is. */
function alone(key: string, { sequence, commit }: Written, isNew: boolean): Step {
  const changes = commit.entries.flatMap(entry => (entry.subject === key ? entry.changes : []));
  const paths = changes.map(({ path, new: value }) => ({ path, value }));
  const effect = { subject: key, isNew, paths };
  return { place: sequence, commit, by: commit, outcome: 'applied', effect };
}
