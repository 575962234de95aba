import {
  FINGERPRINT_LENGTH,
  newEnrolmentSecret,
  readEnrolmentCode,
  writeEnrolmentCode,
} from '../../shared/contract/enrolment-code.ts';
import { AppError } from '../../shared/contract/errors.ts';
import type { EnrolmentAnswer, EnrolmentRequest } from '../../shared/operations/sync-operations.ts';
import type { FailureLimit } from '../identity/failure-limit.ts';
import type { EnrolmentCodeRow, StationBlocks, StationTable } from '../store/station-rows.ts';
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
  state: 'open' | 'used' | 'expired' | 'revoked';
}

export type Enrolment = ReturnType<typeof createEnrolment>;

/**
 * One-time codes, and the enrolment of stations with them. What writes (`createCode`, `revokeCode`, `enrol`) runs in a
 * transaction of the write gate, so that of two that come at once with one code the second finds it used.
 */
export function createEnrolment(options: EnrolmentOptions) {
  const { stations, pending, committed, blocks, failures, now, random, central, fingerprint } = options;
  const { believed = now } = options;

  /** A new code, whose text is in this answer only. @throws AppError 409 when a station or an open code has the name */
  function createCode(request: {
    name: string;
    hours: number;
    brings_records: boolean;
    by: string;
  }): CodeSummary & { code: string } {
    const { name, hours, brings_records, by } = request;
    const secret = newEnrolmentSecret(random);
    refuseTaken(name, { station: '', code: 0 });
    const row = pending.insertCode({
      name,
      hash: sha256(secret),
      created_by: by,
      created_at: now().toISOString(),
      expires_at: new Date(now().getTime() + hours * HOUR_MS).toISOString(),
      brings_records,
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
   * installation, whose answer may have been lost, gives a new key and the same block until that key was used once.
   * @throws AppError 422 for a mistyped code, 403 for one that is not valid, 409 for a name that is taken, 426
   */
  function enrol(request: EnrolmentRequest): EnrolmentAnswer {
    const protocol = commonProtocol(request.protocol);
    const code = requireCode(pending, request);
    const station = request.station.toLowerCase();
    refuseSpent(code, station);
    if (request.brings_records === true && !code.brings_records) throw new AppError('forbidden', FRESH_ONLY);
    const name = request.name ?? code.name;
    refuseTaken(name, { station, code: code.id });
    const { key, id } = stations.admit({
      station,
      name,
      protocol,
      version: request.version ?? null,
      clock_offset_ms: Date.parse(request.clock) - believed().getTime(),
    });
    const block = code.block ?? blocks.give(id);
    const at = code.used_at ?? now().toISOString();
    const until = new Date(Date.parse(at) + BRINGING_MS).toISOString();
    pending.markCodeUsed(code.id, { at, by: station, block, until });
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
   * @returns what the station will be called
   * @throws AppError 422 for a mistyped code, 403 for an unknown one, 429 after too many of those
   */
  function check(request: EnrolmentRequest, address: string): string {
    failures.check(address);
    try {
      const { name } = requireCode(committed, request);
      return request.name ?? name;
    } catch (error) {
      if (error instanceof AppError && error.code === 'forbidden') failures.note(address);
      throw error;
    }
  }

  function requireCode(table: StationTable, request: EnrolmentRequest): EnrolmentCodeRow {
    const secretHash = sha256(readEnrolmentCode(request.code).secret);
    const code = table.findCode(secretHash);
    if (code !== undefined && areEqual(code.hash, secretHash)) return code;
    throw new AppError('forbidden', 'This code is not accepted. Check it, or ask central for a new one.');
  }

  /** Says why only to who has the code. */
  function refuseSpent(code: EnrolmentCodeRow, station: string): void {
    const refused = (why: string) => new AppError('forbidden', `${why} Ask central for a new one.`);
    if (code.revoked_at !== null) throw refused('This code was revoked.');
    if (code.expires_at <= now().toISOString())
      throw refused(`This code was valid until ${code.expires_at}.`);
    if (code.used_by === null) return;
    const row = code.used_by === station ? pending.findStation(station) : undefined;
    // A station that got the answer, or was sent away since, does not come back with the old code.
    if (!row || row.is_key_used || row.revoked_at !== null) throw refused('This code was used already.');
  }

  /** People tell stations apart by their names. */
  function refuseTaken(name: string, by: { station: string; code: number }): void {
    const isSame = (other: string) => other.toLowerCase() === name.toLowerCase();
    const hasStation = pending
      .stations()
      .some(row => row.revoked_at === null && isSame(row.name) && row.station !== by.station);
    const hasCode = pending
      .codes()
      .some(row => stateOf(row) === 'open' && isSame(row.name) && row.id !== by.code);
    if (!hasStation && !hasCode) return;
    // Whoever made the code and lost sight of it is helped by ending it.
    const [who, remedy] = hasStation
      ? ['A station', 'Give another name.']
      : ['An open code for enrolment', 'Revoke that code, or give another name.'];
    throw new AppError('conflict', `${who} has the name "${name}" already. ${remedy}`);
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
    const { id, name, created_by, created_at, expires_at, brings_records } = row;
    return { id, name, created_by, created_at, expires_at, brings_records, state: stateOf(row) };
  }

  function stateOf({ used_at, revoked_at, expires_at }: EnrolmentCodeRow): CodeSummary['state'] {
    if (used_at !== null) return 'used';
    if (revoked_at !== null) return 'revoked';
    return expires_at <= now().toISOString() ? 'expired' : 'open';
  }

  return { createCode, listCodes, revokeCode, getCode, check, enrol };
}

const FRESH_ONLY =
  'This installation has records of its own, and the code is for a fresh one. Ask central for a code with which it may bring them along.';

function noCode(id: number): AppError {
  return new AppError('not_found', `There is no code ${id}.`);
}
