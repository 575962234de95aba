import { randomBytes } from 'node:crypto';
import { createFailureLimit } from '../identity/failure-limit.ts';
import { stationTables } from '../store/station-table.ts';
import type { Store } from '../store/store.ts';
import { createEnrolment, type Enrolment } from './enrolment.ts';
import { createStations, type Stations } from './stations.ts';

/** Wrong codes for enrolment: a person errs a few times, and a program that guesses is not worth an answer. */
const FAILURES = { perAddress: 10, overall: 300, windowMs: 10 * 60_000 };

export interface CentralOptions {
  store: Store;
  clock: () => Date;
  /** The versions of the protocol that this program speaks. */
  protocol: { oldest: number; newest: number };
  /** SHA-256 of the certificate that stations are to pin, in hex; null where an authority vouches for it. */
  pin: () => string | null;
  /** The last sequence of central's log; null where it has none. */
  endOfLog?: () => number | null;
}

/** Central's stations over a store. A station has the same, without stations. */
export function createCentral({ store, clock, protocol, pin, endOfLog = () => null }: CentralOptions): {
  stations: Stations;
  enrolment: Enrolment;
} {
  const { pending, committed } = stationTables(store.database);
  const stations = createStations({
    pending,
    committed,
    blocks: store.ids,
    blocksOf: station => store.ids.givenTo(station, store.database.reader),
    now: clock,
    random: randomBytes,
    endOfLog,
  });
  const enrolment = createEnrolment({
    stations,
    pending,
    committed,
    blocks: store.ids,
    failures: createFailureLimit({ ...FAILURES, now: () => performance.now() }),
    now: clock,
    believed: () => new Date(store.clockWatch.standing()?.atLeast ?? clock()),
    random: randomBytes,
    central: store.station,
    fingerprint: pin,
    protocol,
  });
  return { stations, enrolment };
}
