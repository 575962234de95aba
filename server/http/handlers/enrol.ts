import type { z } from 'zod';
import { AppError } from '../../../shared/contract/errors.ts';
import type { MovedAnswer } from '../../../shared/operations/moved-operations.ts';
import type { EnrolRequest, enrolAnswerSchema } from '../../../shared/operations/sync-operations.ts';
import type { AuditEvent } from '../../audit/event.ts';
import { readCentralAddress } from '../../sync/client/central-tls.ts';
import { type Enrolled, type EnrolWithOptions, enrolWith } from '../../sync/client/enrol-with.ts';
import { writeStationKey } from '../../sync/client/enrolment-data.ts';
import type { Authority } from '../../trust/authority-key.ts';
import { API_PREFIX, success } from '../reply.ts';
import { callerOf } from '../request-context.ts';
import type { Handlers, Services } from './handler.ts';
import { bodyOf } from './parse-body.ts';

export interface JoinOptions extends Pick<EnrolWithOptions, 'version' | 'authorities' | 'clock'> {
  folder: string;
  isCentral: boolean;
  authority: Pick<Authority, 'key'>;
  /** How many blocks of ids the records need that move; 0 where none does. Throws while nothing can be written. */
  blocksToMove: () => number;
  /** Makes a backup and checks it; answers the file. */
  backUp: () => Promise<{ file: string }>;
  /** Whether an import runs: it holds ids that would not be those of its records any more. */
  isImporting: () => boolean;
  /** Throws for an installation that cannot enrol at this central. */
  refuseJoin: (enrolled: Enrolled) => void;
  /** Of a copy of a station: the installation that it becomes, the same for every try, and what tells central which copy it is. */
  separating: () => Promise<{ station: string; separatedFrom: EnrolWithOptions['separatedFrom'] }>;
  /** Makes it that installation. Its key is kept already. */
  separateStore: (enrolled: Enrolled) => Promise<void>;
  /** Whether central goes on with another machine that has this disk. */
  isHeldOff: () => boolean;
  /** Makes this installation a station of that central, in one transaction. Its key is kept already. */
  joinStore: (
    enrolled: Enrolled,
    by: { user: string; at: string; reason: string },
  ) => Promise<Omit<MovedAnswer, 'backup'> | undefined>;
}

/** Who asks for it: as the trail has them, and as the author of what moves. */
export interface Asking {
  user: string;
  caller: Pick<AuditEvent, 'author' | 'author_name' | 'address'>;
}

export type Join = (
  request: EnrolRequest,
  by: Asking,
  signal?: AbortSignal,
) => Promise<z.infer<typeof enrolAnswerSchema>>;

/**
 * Makes this installation a station of a central, one such at a time.
 * @throws AppError `conflict` while something is in the way; as `enrolWith`
 */
export function createJoin({ store, trail }: Pick<Services, 'store' | 'trail'>, options: JoinOptions): Join {
  const { folder, isCentral, blocksToMove, backUp, isImporting, refuseJoin, joinStore } = options;
  const { separating, separateStore, isHeldOff } = options;
  const { key } = options.authority;
  const { version, authorities, clock } = options;
  let isRunning = false;
  return async (request, asking, signal) => {
    if (isCentral)
      throw new AppError('conflict', 'This installation is a central. Enrol at a station (npm run serve).');
    if (isRunning)
      throw new AppError('conflict', 'An enrolment is running already. Wait for its end, then try again.');
    if (isImporting())
      throw new AppError('conflict', 'An import is running. Wait for its end, or cancel it, then enrol.');
    const { separate: isSeparating = false, ...asked } = request;
    if (!isSeparating && isHeldOff()) throw new AppError('conflict', OTHER_GOES_ON);
    const blocks = blocksToMove();
    isRunning = true;
    try {
      const own = isSeparating ? await separating() : { station: store.station };
      // A step that is cut off leaves the installation as it was; only the last one joins, in one transaction.
      const backup = blocks > 0 || isSeparating ? (await backUp()).file : undefined;
      const whole = { ...asked, ...own, version, key, authorities, clock, blocks };
      const enrolled = await enrolWith({ ...whole, ...(signal && { signal }) });
      refuseJoin(enrolled);
      // The key first: a store that has joined can call. The transaction that joins it says that the key is its own.
      writeStationKey(folder, enrolled.answer.key);
      const { address, central, name } = enrolled.enrolment;
      const reason = `Joined the central at ${address}.`;
      const by = { user: asking.user, at: clock().toISOString(), reason };
      const moved = isSeparating ? await separateStore(enrolled) : await joinStore(enrolled, by);
      await trail.note({ ...asking.caller, kind: 'joined_central', details: { central: address, name } });
      const answer = { address, central, name, block: enrolled.answer.block };
      return { ...answer, moved: moved && backup !== undefined ? { ...moved, backup } : null };
    } finally {
      isRunning = false;
    }
  };
}

/**
 * Enrolment at a central, asked for by the person at the station.
 * @param centralOf the central that the machine's policy names, and where that stands; undefined: none
 */
export function enrolHandlers(join: Join, centralOf: () => { central: string; source: string } | undefined) {
  return {
    'x.sync.enrol': async (_services, context) => {
      const request = bodyOf(context);
      const set = centralOf();
      if (set && readCentralAddress(request.address).origin !== readCentralAddress(set.central).origin)
        throw new AppError(
          'conflict',
          `The policy of this machine (${set.source}) says that its central is ${set.central}. Give this address.`,
        );
      const answer = await join(request, { user: context.user, caller: callerOf(context) });
      return success(answer, { status: 201, headers: { Location: `${API_PREFIX}/x/sync` } });
    },
  } satisfies Partial<Handlers>;
}

const OTHER_GOES_ON =
  'Central goes on with another machine that has the data of this station. Say at central that this one goes on, or make it a station of its own ("separate": true, --separate).';
