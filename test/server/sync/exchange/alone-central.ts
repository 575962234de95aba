import { createCentral } from '../../../../server/enrolment/central.ts';
import { CentralSync } from '../../../../server/sync/central/central-sync.ts';
import { PROTOCOL } from '../../../../server/sync/protocol/wire.ts';
import { START, temporaryStore } from '../../store/temporary-store.ts';
import type { Peer } from './fleet.ts';

/** A central with its list of stations, which whoever asks it is added to by `admit`; what fails in it fails the test. */
export async function aloneCentral() {
  const store = await temporaryStore();
  const clock = () => new Date(START);
  const { stations } = createCentral({ store, clock, protocol: PROTOCOL, pin: () => null });
  const onFault = (error: unknown) => {
    throw error;
  };
  const central = await CentralSync.open({ store, stations, clock, onFault, checkpoint: () => undefined });
  const admit = (peer: Pick<Peer, 'store'>, name: string) => {
    const about = { name, protocol: 1, version: '0.2.0', clock_offset_ms: null };
    return store.gate.together(async () => stations.admit({ station: peer.store.station, ...about }));
  };
  return { store, stations, central, admit };
}
