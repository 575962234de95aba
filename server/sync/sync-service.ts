import type { Checkpoint } from '../../shared/operations/checkpoint-operations.ts';
import type { Role } from '../enrolment/certificate.ts';
import type { Stations } from '../enrolment/stations.ts';
import type { ArchivesOptions } from './central/archives.ts';
import { CentralCarry, type CentralCarryOptions } from './central/central-carry.ts';
import { CentralSync } from './central/central-sync.ts';
import type { OnStationKey } from './central/exchange.ts';
import { StationSync, type StationSyncOptions } from './station/station-sync.ts';

export interface SyncServiceOptions extends StationSyncOptions {
  role: Role;
  stations: Stations;
  /** This installation's word on where its history stands. */
  checkpoint: () => Checkpoint | undefined;
  /** Of a central: the hashes of passwords that are a station's, by its id there. */
  secretsFor: CentralCarryOptions['secretsFor'];
  /** Of a central. */
  onStationKey?: OnStationKey;
  /** Of a central. */
  onArchiveChecked?: ArchivesOptions['onChecked'];
  /** Of a central: megabytes that one station may send in a day. */
  stationDayMB?: number | undefined;
}

/** What a process does about sync, by its role; neither part is there while the store is damaged. */
export interface SyncService {
  role: Role;
  central: CentralSync | undefined;
  station: StationSync | undefined;
  /** Central's side of the exchange by files. */
  centralCarry: CentralCarry | undefined;
  /** Whether there is anything to exchange: a central, or a station that is enrolled. */
  isExchanging(): boolean;
  /** Once the server listens. */
  start(): void;
  close(): Promise<void>;
}

/** Before anything is written to the store: from here on what is written belongs to the exchange. */
export async function openSyncService(options: SyncServiceOptions): Promise<SyncService> {
  const { role, store } = options;
  const isSound = store.database.damage === undefined;
  const central = isSound && role === 'central' ? await CentralSync.open(options) : undefined;
  const station = isSound && role === 'station' ? await StationSync.open(options) : undefined;
  return {
    role,
    central,
    station,
    centralCarry: central && new CentralCarry({ ...options, sync: central }),
    isExchanging: () => central !== undefined || station?.engine !== undefined,
    start() {
      station?.start();
      central?.archives.start();
    },
    async close() {
      await station?.close();
      await central?.close();
    },
  };
}
