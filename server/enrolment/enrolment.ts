import {
  FINGERPRINT_LENGTH,
  newEnrolmentSecret,
  readEnrolmentCode,
  writeEnrolmentCode,
} from '../../shared/contract/enrolment-code.ts';
import { AppError, invalid } from '../../shared/contract/errors.ts';
import {
  CODE_HOURS_LIMIT,
  type CodeRequest,
  type EnrolmentAnswer,
  type EnrolmentRequest,
  NAME_LIMIT,
} from '../../shared/operations/sync-operations.ts';
import type { FailureLimit } from '../identity/failure-limit.ts';
import type { EnrolmentCodeRow, EnrolmentUse, StationBlocks, StationTable } from '../store/station-rows.ts';
import { sha256 } from './named-stations.ts';
import { areEqual, type Stations } from './stations.ts';

const HOUR_MS = 3_600_000;
/** What an installation brings along arrives within this time of its enrolment; later, it is judged like anything else. */
const BRINGING_MS = 7 * 24 * HOUR_MS;

export interface EnrolmentOptions {
  stations: Pick<Stations, 'admit'>;
  /** As the open transaction of the write gate sees it. */
  pending: StationTable;
  committed: StationTable;
  blocks: StationBlocks;
  failures: FailureLimit;
  now: () => Date;
  /** What a station compares its clock with: of a clock that is not confirmed what it should at least say. Else `now`. */
  believed?: () => Date;
  random: (size: number) => Buffer;
  /** Central's own installation. */
  central: string;
  /** SHA-256 of the certificate that stations are to pin, in hex; null where an authority vouches for it. */
  fingerprint: () => string | null;
  /** What central speaks. */
  protocol: { oldest: number; newest: number };
}

/** A code as people see it in lists: without what opens anything. */
export interface CodeSummary {
  id: number;
  name: string;
  created_by: string;
  created_at: string;
  expires_at: string;
  /** Whether the installation may bring what it recorded before it enrols. */
  brings_records: boolean;
  /** How many stations it lets in, and how many it has. */
  uses: number;
  used: number;
  /** The group of the stations that it lets in. */
  group: string | null;
  state: 'open' | 'used' | 'expired' | 'revoked';
}

export type Enrolment = ReturnType<typeof createEnrolment>;

/**
 * Codes for one station or for several, and the enrolment with them. What writes (`createCode`, `revokeCode`, `enrol`) runs
 * in a transaction of the write gate, so that of two that come at once with one code the second finds it used.
 */
export function createEnrolment(options: EnrolmentOptions) {
  const { stations, pending, committed, blocks, failures, now, random, central, fingerprint } = options;
  const { believed = now } = options;

  /**
   * A new code, whose text is in this answer only.
   * @throws AppError 409 when a station or an open code has the name; 422 for what a code for one, or for several, may not say
   */
  function createCode(request: CodeRequest & { by: string }): CodeSummary & { code: string } {
    const { name, hours, brings_records, uses, group = null, by } = request;
    if (uses === 1 && hours > CODE_HOURS_LIMIT) throw invalid({ hours: [ONE_HOURS] });
    // Who has such a code is many; what they would bring along is taken without asking who may write it.
    if (uses > 1 && brings_records) throw invalid({ brings_records: [FRESH_MANY] });
    const secret = newEnrolmentSecret(random);
    refuseTaken(name, { station: '', code: 0 });
    const row = pending.insertCode({
      name,
      hash: sha256(secret),
      created_by: by,
      created_at: now().toISOString(),
      expires_at: new Date(now().getTime() + hours * HOUR_MS).toISOString(),
      brings_records,
      uses,
      group,
    });
    const code = writeEnrolmentCode({
      secret,
      fingerprint: fingerprint()?.slice(0, FINGERPRINT_LENGTH) ?? null,
    });
    return { ...summarize(row), code };
  }

  function listCodes(): CodeSummary[] {
    return committed.codes().map(summarize);
  }

  /** Again, or of a used or expired code, changes nothing that matters. @throws AppError 404 */
  function revokeCode(id: number): void {
    if (!pending.codes().some(code => code.id === id)) throw noCode(id);
    pending.revokeCode(id, now().toISOString());
  }

  /** @throws AppError 404 */
  function getCode(id: number): CodeSummary {
    const row = committed.codes().find(code => code.id === id);
    if (!row) throw noCode(id);
    return summarize(row);
  }

  /**
   * Lets a station in: its name, key and block in one transaction with the use of the code. The same code from the same
   * installation, whose answer may have been lost, gives a new key and the same block until that key was used once, and
   * counts once.
   * @throws AppError 422 for a mistyped code, 403 for one that is not valid, 409 for a name that is taken, 426
   */
  function enrol(request: EnrolmentRequest): EnrolmentAnswer {
    const protocol = commonProtocol(request.protocol);
    const code = requireCode(pending, request);
    const station = request.station.toLowerCase();
    const use = pending.pastUse(code, station);
    refuseSpent(code, request, use);
    if (request.brings_records === true && !code.brings_records) throw new AppError('forbidden', FRESH_ONLY);
    const name = nameBy(code, request);
    refuseTaken(name, { station, code: code.id });
    const { key, id } = stations.admit({
      station,
      name,
      protocol,
      version: request.version ?? null,
      clock_offset_ms: Date.parse(request.clock) - believed().getTime(),
      group: code.group,
    });
    const block = use?.block ?? blocks.give(id);
    const at = use?.at ?? now().toISOString();
    const until = new Date(Date.parse(at) + BRINGING_MS).toISOString();
    pending.noteUse(code, { at, by: station, block, until });
    return {
      central,
      station,
      name,
      key,
      block,
      blocks: blocks.givenTo(id),
      protocol,
      clock: believed().toISOString(),
    };
  }

  /**
   * Whether a request is worth a place in the queue of writes: what anybody can send must not keep others waiting.
   * @throws AppError 422 for a mistyped code, 403 for an unknown one, 429 after too many of those
   */
  function check(request: EnrolmentRequest, address: string): void {
    failures.check(address);
    try {
      requireCode(committed, request);
    } catch (error) {
      if (error instanceof AppError && error.code === 'forbidden') failures.note(address);
      throw error;
    }
  }

  /** What the station will be called, as the open transaction sees it. @throws AppError 422, 403 */
  function nameOf(request: EnrolmentRequest): string {
    return nameBy(requireCode(pending, request), request);
  }

  /** The station's group before and after, as the open transaction sees it. @throws AppError 422, 403 */
  function groupsOf(request: EnrolmentRequest): { before: string | null; group: string | null } {
    const former = pending.findStation(request.station.toLowerCase());
    const before = former?.group ?? null;
    const kept = former?.revoked_at === null ? before : null;
    return { before, group: requireCode(pending, request).group ?? kept };
  }

  /** With a code for several nobody is there who could choose another name than one that is taken: it gets a number. */
  function nameBy({ id: code, name: named, uses }: EnrolmentCodeRow, request: EnrolmentRequest): string {
    const name = request.name ?? named;
    if (uses === 1) return name;
    const isTaken = takenNames({ station: request.station.toLowerCase(), code });
    let free = name;
    for (let number = 2; isTaken(free); number++) {
      const end = ` ${number}`;
      free = `${name.slice(0, NAME_LIMIT - end.length)}${end}`;
    }
    return free;
  }

  function requireCode(table: StationTable, request: EnrolmentRequest): EnrolmentCodeRow {
    const secretHash = sha256(readEnrolmentCode(request.code).secret);
    const code = table.findCode(secretHash);
    if (code !== undefined && areEqual(code.hash, secretHash)) return code;
    throw new AppError('forbidden', 'This code is not accepted. Check it, or ask central for a new one.');
  }

  /** Says why only to who has the code. `use`: that the installation was let in with it before. */
  function refuseSpent(
    code: EnrolmentCodeRow,
    request: EnrolmentRequest,
    use: EnrolmentUse | undefined,
  ): void {
    const station = request.station.toLowerCase();
    const refused = (why: string) => new AppError('forbidden', `${why} Ask central for a new one.`);
    if (code.revoked_at !== null) throw refused('This code was revoked.');
    if (code.expires_at <= now().toISOString())
      throw refused(`This code was valid until ${code.expires_at}.`);
    const row = pending.findStation(station);
    if (use) {
      // A station that got the answer, or was sent away since, does not come back with the old code.
      if (!row || row.is_key_used || row.revoked_at !== null) throw refused('This code was used already.');
      return;
    }
    if (code.used >= code.uses)
      throw refused(
        code.uses === 1
          ? 'This code was used already.'
          : `This code let in ${code.uses} stations, as many as it may.`,
      );
    // Many have it: none of them becomes a station that is there already.
    if (code.uses > 1 && (row || request.separated_from)) throw new AppError('forbidden', NEW_ONLY);
  }

  /** People tell stations apart by their names. */
  function refuseTaken(name: string, by: { station: string; code: number }): void {
    const taken = takenNames(by)(name);
    if (taken === undefined) return;
    // Whoever made the code and lost sight of it is helped by ending it.
    const [who, remedy] =
      taken === 'station'
        ? ['A station', 'Give another name.']
        : ['An open code for enrolment', 'Revoke that code, or give another name.'];
    throw new AppError('conflict', `${who} has the name "${name}" already. ${remedy}`);
  }

  /** Who but the one that asks has a name; undefined: nobody. */
  function takenNames(by: {
    station: string;
    code: number;
  }): (name: string) => 'station' | 'code' | undefined {
    const taken = new Map<string, 'station' | 'code'>();
    for (const row of pending.codes())
      if (stateOf(row) === 'open' && row.id !== by.code) taken.set(row.name.toLowerCase(), 'code');
    for (const row of pending.stations())
      if (row.revoked_at === null && row.station !== by.station) taken.set(row.name.toLowerCase(), 'station');
    return name => taken.get(name.toLowerCase());
  }

  function commonProtocol({ min, max }: EnrolmentRequest['protocol']): number {
    const { oldest, newest } = options.protocol;
    const common = Math.min(max, newest);
    if (min <= common && common >= oldest) return common;
    const which = min > newest ? 'central' : 'the station';
    const message = `The station speaks versions ${min} to ${max} of the sync protocol, central ${oldest} to ${newest}. Update ${which}.`;
    throw new AppError('upgrade_required', message);
  }

  function summarize(row: EnrolmentCodeRow): CodeSummary {
    const { hash: _hash, revoked_at: _revokedAt, ...shown } = row;
    return { ...shown, state: stateOf(row) };
  }

  function stateOf({ used, uses, revoked_at, expires_at }: EnrolmentCodeRow): CodeSummary['state'] {
    if (used >= uses) return 'used';
    if (revoked_at !== null) return 'revoked';
    return expires_at <= now().toISOString() ? 'expired' : 'open';
  }

  return { createCode, listCodes, revokeCode, getCode, check, nameOf, groupsOf, enrol };
}

const FRESH_ONLY =
  'This installation has records of its own, and the code is for a fresh one. Ask central for a code with which it may bring them along.';

const FRESH_MANY =
  'A code for several stations is for fresh ones. Make a code for one station that may bring its records along.';

const NEW_ONLY =
  'This code lets in new installations only, and central knows this one. Ask central for a code for one station.';

const ONE_HOURS = `A code for one station is valid for at most ${CODE_HOURS_LIMIT} hours.`;

function noCode(id: number): AppError {
  return new AppError('not_found', `There is no code ${id}.`);
}
