import { randomInt } from 'node:crypto';
import { hostname } from 'node:os';
import { AppError } from '../../shared/contract/errors.ts';
import type { MachinePolicyAnswer } from '../../shared/operations/machine-policy-operations.ts';
import type { Join } from '../http/handlers/enrol.ts';
import { CentralFailure } from '../sync/client/central-failure.ts';
import type { ReadPolicy } from './machine-policy.ts';

/** Milliseconds until the first further try, at most, and after a refusal. */
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 5 * 60_000;
const REFUSED_WAIT_MS = 60 * 60_000;

export type PolicyEnrolment = MachinePolicyAnswer['enrolment'];

/** As history and the trail name who enrolled the machine. */
const BY_POLICY = 'policy';

export interface EnrolByPolicyOptions {
  /** The policy as it is now: what IT mends counts without a new start. */
  read: () => ReadPolicy;
  isEnrolled: () => boolean;
  /** Whether there are records that would have to move: that takes a code of its own, and a person. */
  hasRecords: () => boolean;
  join: Join;
  /** Told once for each reason. */
  onWarning: (says: string) => void;
  clock: () => Date;
}

/**
 * Enrols a fresh installation by the machine's policy, and tries until it is enrolled: central may be out of reach for days.
 * The same code from the same installation counts once, so a try whose answer was lost costs nothing.
 */
export function enrolByPolicy(options: EnrolByPolicyOptions) {
  const { read, isEnrolled, hasRecords, join, onWarning, clock } = options;
  const ending = new AbortController();
  let state: PolicyEnrolment = { state: 'none', says: null, next_at: null };
  let told: string | undefined;
  let wait = FIRST_WAIT_MS;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  async function attempt(): Promise<void> {
    const { settings } = read();
    const { central: address, enrolment_code: code, station_name: name = hostname() } = settings;
    state = { state: 'none', says: null, next_at: null };
    if (isEnrolled()) return;
    // A policy may come later than the program.
    if (address === undefined || code === undefined) return later(REFUSED_WAIT_MS);
    if (hasRecords()) return again('refused', OWN_RECORDS, REFUSED_WAIT_MS);
    state = { state: 'trying', says: null, next_at: null };
    try {
      const by = { user: BY_POLICY, caller: { author: BY_POLICY } };
      await join({ address, code, name: name.slice(0, 100) }, by, ending.signal);
      state = { state: 'done', says: null, next_at: null };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (!(error instanceof CentralFailure) && error.code !== 'unavailable')
        return again('refused', error.message, REFUSED_WAIT_MS);
      again('waiting', error.message, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }

  function again(why: 'waiting' | 'refused', says: string, ms: number): void {
    if (told !== says)
      onWarning(`This machine's policy asks to enrol it, and it is not enrolled yet: ${says}`);
    told = says;
    // Fifty machines that were switched on together do not come back together.
    const delay = ms + randomInt(ms);
    state = { state: why, says, next_at: new Date(clock().getTime() + delay).toISOString() };
    later(delay);
  }

  function later(delay: number): void {
    if (!ending.signal.aborted) timer = setTimeout(run, delay).unref();
  }

  function run(): void {
    running = attempt().catch((error: unknown) =>
      again('waiting', error instanceof Error ? error.message : String(error), LONGEST_WAIT_MS),
    );
  }

  return {
    /** What the policy says, without its code, and how enrolling by it stands. */
    answer(): MachinePolicyAnswer {
      const { source, faults, settings } = read();
      const { enrolment_code: code, kiosk_pin: pin, ...shown } = settings;
      return {
        ...NOTHING_SET,
        ...shown,
        source,
        faults,
        has_code: code !== undefined,
        has_kiosk_pin: pin !== undefined,
        enrolment: state,
      };
    },
    /** The central that it names, and where it stands. */
    centralOf() {
      const { source, settings } = read();
      return settings.central === undefined || source === null
        ? undefined
        : { central: settings.central, source };
    },
    start() {
      const { source, faults } = read();
      for (const fault of faults) onWarning(`The policy ${source} is not in force as it stands: ${fault}`);
      run();
    },
    async close(): Promise<void> {
      ending.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

const NOTHING_SET = {
  central: null,
  station_name: null,
  authority_file: null,
  port: null,
  sends_backups: null,
  updates: null,
  update_ring: null,
  update_window: null,
  language: null,
  printer: null,
  starts_at_login: null,
  keeps_running: null,
  kiosk: null,
  kiosk_printer: null,
};

const OWN_RECORDS =
  'This installation has records of its own. A policy enrols fresh ones; join with a code that lets it bring them along.';
