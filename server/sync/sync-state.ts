import { AppError } from '../../shared/contract/errors.ts';
import { isMisdated, spanOf } from '../../shared/contract/moment-of.ts';
import type { SyncState } from '../../shared/operations/exchange-operations.ts';
import type { Stations } from '../enrolment/stations.ts';
import type { Store } from '../store/store.ts';
import { type PutBack, readPutBack } from './central/put-back.ts';
import { CentralFailure } from './client/central-failure.ts';
import { describeHeld, type NameOf } from './held-answer.ts';
import { readConflicts } from './log/conflicts.ts';
import { HeldOff } from './station/held-off.ts';
import type { PushPullState } from './station/push-pull-state.ts';
import type { StationSync } from './station/station-sync.ts';
import type { SyncService } from './sync-service.ts';

export interface SyncStateOptions {
  service: SyncService;
  store: Store;
  stations: Stations;
  nameOf: NameOf;
}

/** How the exchange stands, as a person understands it. */
export function syncState({ service, store, stations, nameOf }: SyncStateOptions): SyncState {
  const { role, central, station } = service;
  const common: Omit<SyncState, 'state' | 'says'> = {
    role,
    installation: store.station,
    name: null,
    central: null,
    last_contact_at: null,
    fault: null,
    unsent: 0,
    sequence: null,
    held: [],
    refused_offers: [],
    conflicts: 0,
    digests_agree: null,
    put_back: null,
    doubled: null,
    doubled_stations: null,
    unread: null,
    line: null,
    slowed_until: null,
    clock_offset_ms: null,
    stations: null,
    stations_behind: null,
    unknown_families: [],
  };
  const { damage } = store.database;
  if (damage) return { ...common, state: 'stuck', says: damage.message };
  common.unknown_families = store.records.unknownFamilies(MOST_UNKNOWN);
  const conflicts = () => readConflicts(store.database.reader, { isOpen: true, offset: 0, limit: 0 }).total;
  if (central) {
    const reader = central.exchange.reader();
    const known = stations.list().filter(({ revoked_at }) => revoked_at === null);
    const behind = known.filter(one => one.behind !== 0 || one.unsent !== 0).length;
    const doubled = known.flatMap(({ station: id, name }) => {
      const machines = central.machines.of(id);
      return machines?.noticed_at && machines.decided_at === null ? [name] : [];
    });
    const putBack = readPutBack(store.database.reader);
    const saying = doubled.length > 0 ? saysDoubled(doubled) : saysOfCentral(known.length, behind);
    return {
      ...common,
      ...saying,
      says: saying.says + saysPutBack(putBack, store.gate.now()),
      doubled_stations: doubled,
      sequence: reader.place().sequence,
      held: reader.heldCommits.all().map(held => describeHeld(held, nameOf)),
      conflicts: conflicts(),
      put_back: putBack,
      stations: known.length,
      stations_behind: behind,
    };
  }
  const [data, state] = [station?.enrolmentData, station?.state()];
  const read = station?.engine?.reader;
  if (!station || !data || !state || !read) {
    return {
      ...common,
      state: 'alone',
      says: 'This station stands alone. `holdpoint enrol` joins it to a central.',
    };
  }
  const refused = read.recoveryCommits.refused();
  const line = lineOf(state, () => read.pendingCommits.unheldSize());
  const clockOffset = notableOffset(store.gate.clockOffset);
  const standing = saysOfStation({ state, station, line, refused: refused.length });
  return {
    ...common,
    ...standing,
    ...(clockOffset !== null && { says: `${standing.says} ${saysClock(clockOffset)}` }),
    clock_offset_ms: clockOffset,
    name: data.name,
    central: { address: data.address, installation: data.central },
    last_contact_at: state.last_contact_at,
    fault: state.fault === undefined ? null : messageOf(state.fault),
    unsent: state.unsent,
    sequence: read.cursor().sequence,
    held: read.held
      .heldOf(store.station)
      .map(held => describeHeld(held, nameOf, id => station.engine?.isGivenUp(id) ?? false)),
    refused_offers: refused,
    conflicts: conflicts(),
    digests_agree: state.digests_agree,
    doubled: state.doubled,
    unread: state.unread,
    line,
    slowed_until: state.slowed?.until ?? null,
  };
}

const MINUTE_MS = 60_000;

/** To the minute: more would change with each message. Null while it is not known to be wrong. */
function notableOffset(offset: number | null): number | null {
  if (offset === null || !isMisdated({ clock_offset: offset })) return null;
  return Math.round(offset / MINUTE_MS) * MINUTE_MS;
}

/** That a station's clock is wrong, and what to do. `offset`: its clock minus central's, in milliseconds. */
export function saysClock(offset: number): string {
  return `This machine's clock is ${spanOf(offset)} ${offset < 0 ? 'behind' : 'ahead of'} central's. Set it right, or central's if that one is wrong. What is written here meanwhile is marked with the difference.`;
}

/** Families that are told of by name: what one station sends does not fill the page. */
const MOST_UNKNOWN = 20;

/** The line, and while it is slow about how many bytes are left to go over it. */
function lineOf({ line, unsent, unread }: PushPullState, unsentSize: () => number): SyncState['line'] {
  if (line === null) return null;
  const { is_slow, since, sends, receives, push_packing: packing, entry_bytes: entryBytes } = line;
  const known = { is_slow, since, sends, receives };
  if (!is_slow) return { ...known, left: null };
  const toSend = unsent === 0 ? 0 : packing && unsentSize() * packing;
  const toRead = unread === 0 ? 0 : unread && entryBytes && unread * entryBytes;
  return { ...known, left: toSend === null || toRead === null ? null : inTwoDigits(toSend + toRead) };
}

/** More would change with each message, and nobody knows it. */
function inTwoDigits(bytes: number): number {
  return Math.round(Number(bytes.toPrecision(2)));
}

type Saying = Pick<SyncState, 'state' | 'says'>;

function saysOfCentral(stations: number, behind: number): Saying {
  if (stations === 0) {
    return {
      state: 'alone',
      says: 'This central has no stations. `holdpoint station code NAME` makes a code to enrol one.',
    };
  }
  const all = stations === 1 ? 'The station' : `All ${stations} stations`;
  if (behind === 0) {
    return { state: 'in_step', says: `${all} ${stations === 1 ? 'has' : 'have'} all that central has.` };
  }
  return {
    state: 'behind',
    says: `${behind} of ${stations} stations ${behind === 1 ? 'is' : 'are'} behind. They catch up by themselves when they are connected.`,
  };
}

function saysDoubled(names: readonly string[]): Saying {
  const [first, ...others] = names;
  const also = others.length === 0 ? '' : ` The same is so of ${others.join(', ')}.`;
  return {
    state: 'doubled',
    says: `More than one machine calls as the station ${first}: its disk was copied, or an earlier copy was put back. Say at Stations, or by "holdpoint station choose", which one goes on.${also}`,
  };
}

/** For how long a central says of itself that an image was put back. In milliseconds. */
const RECENT = 30 * 86_400_000;

function saysPutBack(noted: PutBack | null, now: string): string {
  if (noted === null || Date.parse(now) - Date.parse(noted.noticed_at) > RECENT) return '';
  const at = noted.noticed_at.slice(0, 16).replace('T', ' ');
  const back = `${changes(noted.returned)} that it lacked ${noted.returned === 1 ? 'has' : 'have'} come back from its stations so far`;
  return ` An earlier copy of this central was put back, noticed ${at} UTC: ${back}. What was written at central and had reached no station is lost: ask who worked here.`;
}

interface Standing {
  state: PushPullState;
  station: StationSync;
  line: SyncState['line'];
  /** How many commits of a lost log central did not recognise. */
  refused: number;
}

function saysOfStation({ state, station, line, refused }: Standing): Saying {
  const { fault, stuck, slowed, unsent, is_caught_up: isCaughtUp, digests_agree: digestsAgree } = state;
  const waiting = unsent === 0 ? '' : ` ${changes(unsent)} wait${unsent === 1 ? 's' : ''} to be sent.`;
  const slow = slowness(line);
  if (stuck !== null) return { state: 'stuck', says: `${stuck} Work here goes on.${waiting}` };
  if (!station.hasKey() || isRefusal(fault)) {
    return {
      state: 'refused',
      says: `Central does not accept this station: its key is missing or was revoked. Make a new code at central and enrol again. Work here goes on.${waiting}`,
    };
  }
  if (fault instanceof HeldOff) {
    return { state: 'doubled', says: `${fault.message} Work here goes on.${waiting}` };
  }
  if (fault instanceof AppError && fault.code === 'upgrade_required') {
    return { state: 'outdated', says: `${fault.message} Work here goes on.${waiting}` };
  }
  // Nobody comes back from that by waiting.
  if (fault instanceof CentralFailure && fault.kind === 'certificate') {
    return { state: 'stuck', says: `${fault.message} Work here goes on.${waiting}` };
  }
  if (fault instanceof CentralFailure) {
    return { state: 'offline', says: `${fault.message} Work here goes on.${waiting}` };
  }
  if (slowed) return { state: 'slowed', says: `${slowed.says} Work here goes on.${waiting}` };
  if (fault !== undefined) {
    return { state: 'stuck', says: `The exchange failed: ${messageOf(fault)} It is tried again.${waiting}` };
  }
  if (unsent > 0) return { state: 'exchanging', says: `${changes(unsent)} on the way to central.${slow}` };
  if (!isCaughtUp) return { state: 'exchanging', says: `This station reads what is new at central.${slow}` };
  if (digestsAgree === false) {
    return {
      state: 'differs',
      says: "The records are not the same as central's at the same place of the log. Run `holdpoint verify --central` here.",
    };
  }
  const offers =
    refused === 0 ? '' : ` Central did not recognise ${changes(refused)} of a log that was lost.`;
  return { state: 'in_step', says: `This station has all that central has, and central all of it.${offers}` };
}

function slowness(line: SyncState['line']): string {
  if (!line?.is_slow) return '';
  const { since, sends, receives, left } = line;
  const rates = [
    ...(sends === null ? [] : [`${kilobytes(sends)} a second up`]),
    ...(receives === null ? [] : [`${kilobytes(receives)} a second down`]),
  ];
  const rest = left === null || left === 0 ? '' : ` About ${kilobytes(left)} are left.`;
  return ` The line is slow since ${since.slice(0, 16).replace('T', ' ')} UTC: ${rates.join(', ')}.${rest}`;
}

function kilobytes(bytes: number): string {
  return `${Number((bytes / 1_000).toPrecision(2))} kB`;
}

function isRefusal(fault: unknown): boolean {
  return fault instanceof AppError && (fault.code === 'unauthenticated' || fault.code === 'forbidden');
}

function changes(count: number): string {
  return count === 1 ? '1 change' : `${count} changes`;
}

function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
