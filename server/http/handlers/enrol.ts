import { AppError } from '../../../shared/errors.ts';
import { enrolRequestSchema } from '../../../shared/sync-operations.ts';
import { type Enrolled, type EnrolWithOptions, enrolWith } from '../../sync/enrol-with.ts';
import { writeStationKey } from '../../sync/link-data.ts';
import { API_PREFIX, success } from '../reply.ts';
import type { Handler } from './handler.ts';
import { parseBody } from './parse-body.ts';

export interface EnrolHandlersOptions extends Pick<EnrolWithOptions, 'version' | 'authorities' | 'clock'> {
  folder: string;
  isCentral: boolean;
  /** Throws for an installation that cannot enrol: before central is asked, and at this central once it answered. */
  refuseJoin: (enrolled?: Enrolled) => void;
  /** Makes this installation a station of that central, in one transaction. Its key is kept already. */
  joinStore: (enrolled: Enrolled) => Promise<void>;
}

/** Enrolment at a central, asked for by the person at the station. */
export function enrolHandlers(options: EnrolHandlersOptions): Record<string, Handler> {
  const { folder, isCentral, refuseJoin, joinStore, version, authorities, clock } = options;
  let isRunning = false;
  return {
    'x.sync.enrol': async ({ store }, call) => {
      const request = parseBody(enrolRequestSchema, call.body);
      if (isCentral)
        throw new AppError('conflict', 'This installation is a central. Enrol at a station (npm run serve).');
      if (isRunning)
        throw new AppError('conflict', 'An enrolment is running already. Wait for its end, then try again.');
      refuseJoin();
      isRunning = true;
      try {
        const { station } = store;
        const enrolled = await enrolWith({ ...request, station, version, authorities, clock });
        refuseJoin(enrolled);
        // The key first: a store that has joined can call. A key without a joined store is void with the next enrolment.
        writeStationKey(folder, enrolled.answer.key);
        await joinStore(enrolled);
        const { address, central, name } = enrolled.link;
        return success(
          { address, central, name, block: enrolled.answer.block },
          { status: 201, headers: { Location: `${API_PREFIX}/x/sync` } },
        );
      } finally {
        isRunning = false;
      }
    },
  };
}
