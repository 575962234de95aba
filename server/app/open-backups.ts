import type { Logger } from 'pino';
import { AppError } from '../../shared/contract/errors.ts';
import { isKeySet } from '../audit/key-set.ts';
import type { Trail } from '../audit/trail.ts';
import { type Backups, createBackups } from '../backup/backups.ts';
import { type BackupSender, sendBackups } from '../backup/send-backups.ts';
import { keepStationBackups, type StationBackups } from '../backup/station-backups.ts';
import type { Stations } from '../enrolment/stations.ts';
import { backupRecipient } from '../store/backup-recipient.ts';
import { firstCommitAt } from '../store/history.ts';
import { machineSettings } from '../store/machine-settings.ts';
import type { Store } from '../store/store.ts';
import type { SyncService } from '../sync/sync-service.ts';
import type { Config } from './config.ts';

export interface OpenBackupsOptions {
  config: Config;
  store: Store;
  sync: SyncService;
  stations: Stations;
  trail: Trail;
  /** Of several processes of a central one makes the daily backups and practises. */
  isHere: () => boolean;
  clock: () => Date;
  log: Logger;
  /** What the machine's policy says of sending them to central; undefined: nothing. */
  sendsByPolicy: boolean | undefined;
}

/** An installation's own backups, those that it sends to its central, and at central those of its stations; none begins by itself. */
export function openBackups(options: OpenBackupsOptions): {
  backups: Backups;
  sender: BackupSender;
  stationBackups: StationBackups;
} {
  const { config, store, sync, stations, trail, isHere, clock, log, sendsByPolicy } = options;
  const backups = createBackups({
    data: config.folder,
    isHere,
    clock,
    settings: () => machineSettings(store.database.reader),
    key: () => backupRecipient(store.database.reader),
    isKeyKnown: present => isKeySet(store, present),
    keyFile: config.backupKeyFile,
    since: () => firstCommitAt(store.database.reader),
    sendingFault: () => sender.fault(),
    onDone: (done, by) => {
      sender.look();
      log.info({ backup: done }, 'A backup is made.');
      const { file, records, commits } = done;
      void trail.note({ ...by, kind: 'backup_made', details: { file, records, commits } });
    },
    onPractised(practised, by) {
      log.info({ practised }, 'A restore was practised.');
      void trail.note({ ...by, kind: 'restore_practised', details: { ...practised } });
    },
    onWarning: warning => log.warn(warning),
    onFailure: failure => void trail.note({ kind: 'backup_failed', details: { failure } }),
  });
  const sender = sendBackups({
    data: config.folder,
    clock,
    backups,
    isByPolicy: sendsByPolicy !== undefined,
    isWanted: () => sendsByPolicy ?? machineSettings(store.database.reader).sends_backups,
    isExchanging: () => sync.station?.isTalking() ?? false,
    isBusy() {
      const state = sync.station?.state();
      return state !== undefined && (state.unsent > 0 || (state.unread ?? 0) > 0);
    },
    async send(part, signal) {
      if (!sync.station) throw new AppError('unavailable', 'The store is damaged and can only be read.');
      return sync.station.sendBackup(part, signal);
    },
    onFault: error => log.error({ err: error }, 'A backup was not sent to central.'),
  });
  const stationBackups = keepStationBackups({
    data: config.folder,
    clock,
    settings: () => machineSettings(store.database.reader),
    stationGB: config.stationBackupsGB,
    active: () => new Set(stations.list().flatMap(one => (one.revoked_at === null ? [one.station] : []))),
  });
  return { backups, sender, stationBackups };
}
