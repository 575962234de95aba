import { AppError } from '../../../shared/contract/errors.ts';
import type { MovedAnswer } from '../../../shared/operations/moved-operations.ts';
import { enrolRequestSchema } from '../../../shared/operations/sync-operations.ts';
import { type Enrolled, type EnrolWithOptions, enrolWith } from '../../sync/client/enrol-with.ts';
import { writeStationKey } from '../../sync/client/enrolment-data.ts';
import { API_PREFIX, success } from '../reply.ts';
import type { Handler } from './handler.ts';
import { parseBody } from './parse-body.ts';

export interface EnrolHandlersOptions extends Pick<EnrolWithOptions, 'version' | 'authorities' | 'clock'> {
  folder: string;
  isCentral: boolean;
  /** How many blocks of ids the records need that move; 0 where none does. Throws while nothing can be written. */
  blocksToMove: () => number;
  /** Makes a backup and checks it; answers the file. */
  backUp: () => Promise<{ file: string }>;
  /** Whether an import runs: it holds ids that would not be those of its records any more. */
  isImporting: () => boolean;
  /** Throws for an installation that cannot enrol at this central. */
  refuseJoin: (enrolled: Enrolled) => void;
  /** Makes this installation a station of that central, in one transaction. Its key is kept already. */
  joinStore: (
    enrolled: Enrolled,
    by: { user: string; at: string; reason: string },
  ) => Promise<Omit<MovedAnswer, 'backup'> | undefined>;
}

/** Enrolment at a central, asked for by the person at the station. */
export function enrolHandlers(options: EnrolHandlersOptions): Record<string, Handler> {
  const { folder, isCentral, blocksToMove, backUp, isImporting, refuseJoin, joinStore } = options;
  const { version, authorities, clock } = options;
  let isRunning = false;
  return {
    'x.sync.enrol': async ({ store }, context) => {
      const request = parseBody(enrolRequestSchema, context.body);
      if (isCentral)
        throw new AppError('conflict', 'This installation is a central. Enrol at a station (npm run serve).');
      if (isRunning)
        throw new AppError('conflict', 'An enrolment is running already. Wait for its end, then try again.');
      if (isImporting())
        throw new AppError('conflict', 'An import is running. Wait for its end, or cancel it, then enrol.');
      const blocks = blocksToMove();
      isRunning = true;
      try {
        const { station } = store;
        // A step that is cut off leaves the installation as it was; only the last one joins, in one transaction.
        const backup = blocks > 0 ? (await backUp()).file : undefined;
        const enrolled = await enrolWith({ ...request, station, version, authorities, clock, blocks });
        refuseJoin(enrolled);
        // The key first: a store that has joined can call. A key without a joined store is void with the next enrolment.
        writeStationKey(folder, enrolled.answer.key);
        const { address, central, name } = enrolled.enrolment;
        const reason = `Joined the central at ${address}.`;
        const moved = await joinStore(enrolled, { user: context.user, at: clock().toISOString(), reason });
        const answer = { address, central, name, block: enrolled.answer.block };
        return success(
          { ...answer, moved: moved && backup !== undefined ? { ...moved, backup } : null },
          { status: 201, headers: { Location: `${API_PREFIX}/x/sync` } },
        );
      } finally {
        isRunning = false;
      }
    },
  };
}
