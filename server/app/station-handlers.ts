import { AppError } from '../../shared/contract/errors.ts';
import type { Checkpoint, CheckpointFile } from '../../shared/operations/checkpoint-operations.ts';
import type { MachinePolicyAnswer } from '../../shared/operations/machine-policy-operations.ts';
import type { Attention } from '../../shared/operations/overview-operations.ts';
import type { Backups } from '../backup/backups.ts';
import type { BackupSender } from '../backup/send-backups.ts';
import type { StationBackups } from '../backup/station-backups.ts';
import type { SampleLoader } from '../demo/load-sample-company.ts';
import { auditPaperHandlers } from '../http/handlers/audit.ts';
import { authorityHandlers } from '../http/handlers/authority.ts';
import { backupKeyHandlers } from '../http/handlers/backup-key.ts';
import { backupHandlers } from '../http/handlers/backups.ts';
import { carryHandlers } from '../http/handlers/carry.ts';
import { type CentralHandlersOptions, centralHandlers } from '../http/handlers/central.ts';
import { certificateHandlers } from '../http/handlers/certificates.ts';
import { checkpointHandlers } from '../http/handlers/checkpoints.ts';
import { clockHandlers } from '../http/handlers/clock.ts';
import { conflictHandlers } from '../http/handlers/conflicts.ts';
import { createJoin, enrolHandlers, type Join, type JoinOptions } from '../http/handlers/enrol.ts';
import { eventHandlers } from '../http/handlers/events.ts';
import { formerKeyHandlers } from '../http/handlers/former-keys.ts';
import type { Services } from '../http/handlers/handler.ts';
import { type HealthHandlersOptions, healthHandlers } from '../http/handlers/health.ts';
import { machinePolicyHandlers } from '../http/handlers/machine-policy.ts';
import { movedHandlers } from '../http/handlers/moved.ts';
import { overviewHandlers } from '../http/handlers/overview.ts';
import { paperHandlers } from '../http/handlers/paper.ts';
import { pastHandlers } from '../http/handlers/past.ts';
import { qualityHandlers, readsOf } from '../http/handlers/quality.ts';
import { renewalHandlers } from '../http/handlers/renewal.ts';
import { sampleCompanyHandlers } from '../http/handlers/sample-company.ts';
import { type SessionHandlersOptions, sessionHandlers } from '../http/handlers/session.ts';
import { sessionListHandlers } from '../http/handlers/sessions.ts';
import { stationBackupHandlers } from '../http/handlers/station-backups.ts';
import { stationPeopleHandlers } from '../http/handlers/station-people.ts';
import { syncHandlers } from '../http/handlers/sync.ts';
import { transferHandlers } from '../http/handlers/transfer.ts';
import { type UserHandlersOptions, userHandlers } from '../http/handlers/users.ts';
import { validationHandlers } from '../http/handlers/validation.ts';
import { webhookHandlers } from '../http/handlers/webhooks.ts';
import type { FurtherHandlers } from '../http/routes.ts';
import type { StationPeople } from '../identity/station-people.ts';
import type { Printer } from '../print/printer.ts';
import { createFigures } from '../quality/figures.ts';
import type { StationSync } from '../sync/station/station-sync.ts';
import type { SyncService } from '../sync/sync-service.ts';
import { createSyncWatch } from '../sync/sync-watch.ts';
import type { Imports } from '../transfer/imports.ts';
import type { Authority } from '../trust/authority-key.ts';
import type { Validations } from '../validation/validations.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** The parts of a running installation that answer calls. */
export interface StationParts
  extends Omit<CentralHandlersOptions, 'sync' | 'noteRefused'>,
    SessionHandlersOptions,
    HealthHandlersOptions,
    Pick<JoinOptions, 'folder' | 'version' | 'authorities' | 'clock'> {
  services: Services;
  sync: SyncService;
  imports: Imports;
  backups: Backups;
  sender: BackupSender;
  stationBackups: StationBackups;
  /** The version that a ring offers, at central; null: none. */
  offered: (ring: string) => Promise<string | null>;
  validations: Validations;
  webhooks: Webhooks;
  sample: SampleLoader;
  printer: Printer;
  attention: { read: () => Attention };
  checkpoint: () => Checkpoint | undefined;
  /** By which the installation signs. */
  authority: Authority;
  readCheckpoints: () => CheckpointFile | undefined;
  /** This installation has become a station of a central, or is one anew. */
  onJoined: () => void;
  onForeignSecrets: UserHandlersOptions['onForeignSecrets'];
  /** Whose passwords stations are given. */
  people: StationPeople;
  /** What the machine's policy says; without its code. */
  machinePolicy: () => MachinePolicyAnswer;
  /** The central that it names. */
  centralOf: Parameters<typeof enrolHandlers>[1];
}

/** How this installation becomes a station of a central: asked for by a person, or by the machine's policy. */
export function createJoining(parts: Omit<StationParts, 'machinePolicy' | 'centralOf'>): Join {
  const { services, sync, imports, backups, identity } = parts;
  const { store } = services;
  return createJoin(services, {
    ...parts,
    blocksToMove: () => requireStation(sync.station).blocksToMove(),
    backUp: () => backups.runAnywhere(),
    isImporting: () => imports.list().some(({ state }) => state === 'running'),
    refuseJoin: enrolled => requireStation(sync.station).refuseJoin(enrolled),
    separating: () => requireStation(sync.station).separating(),
    separateStore: enrolled => requireStation(sync.station).separate(enrolled),
    isHeldOff: () => sync.station?.state()?.doubled?.is_held_off === true,
    joinStore: (enrolled, by) => {
      const users = [...store.records.all('user')];
      const joined = requireStation(sync.station).join(enrolled, by, async () => {
        parts.onJoined();
        // The ids by which sessions know them are those of central's users next.
        for (const { id } of users) await identity.sessions.endOf(id, { cause: 'joined a central' });
        identity.hands.forgetAll();
      });
      return joined.finally(parts.onJoined);
    },
  });
}

/** The handlers that need more of an installation than `Services`, by the ids of their operations. */
export function stationHandlers(parts: StationParts & { join: Join }): Omit<FurtherHandlers, 'openapi.read'> {
  const { services, sync, imports, backups, validations, sample, printer, attention, stations, identity } =
    parts;
  const { store } = services;
  return {
    ...eventHandlers(
      createSyncWatch({
        service: sync,
        store,
        stations,
        nameOf: services.nameOf,
        certificate: parts.renewal.standing,
      }),
    ),
    ...transferHandlers(imports),
    ...backupHandlers(backups, parts.sender),
    ...stationBackupHandlers(parts),
    ...backupKeyHandlers(),
    ...validationHandlers(validations, printer),
    ...webhookHandlers(parts.webhooks),
    ...sampleCompanyHandlers(sample),
    ...paperHandlers(printer),
    ...certificateHandlers(printer),
    ...auditPaperHandlers(printer),
    ...pastHandlers(store, printer),
    ...centralHandlers({ ...parts, noteRefused: identity.noteRefused, sync: () => sync.central }),
    ...enrolHandlers(parts.join, parts.centralOf),
    ...machinePolicyHandlers(parts.machinePolicy),
    ...checkpointHandlers({ ...parts, store }),
    ...authorityHandlers({ ...parts, store }),
    ...carryHandlers({ service: sync, stations, folder: parts.folder }),
    ...renewalHandlers(parts.renewal),
    ...syncHandlers({
      service: sync,
      stations,
      renewal: parts.renewal,
      secretsDigest: id => parts.people.digestFor(stations.enrolled(id)),
    }),
    ...sessionHandlers(parts),
    ...sessionListHandlers(identity),
    ...userHandlers({ ...parts, stationOf: stations.enrolled }),
    ...stationPeopleHandlers(parts),
    ...movedHandlers,
    ...formerKeyHandlers(identity),
    ...clockHandlers,
    ...healthHandlers(parts),
    ...conflictHandlers({ isExchanging: () => sync.isExchanging() }),
    ...overviewHandlers(attention),
    ...qualityHandlers(
      createFigures(() => readsOf(services)),
      parts.authority,
    ),
  };
}

/** @throws AppError `unavailable` while the store is damaged: for a station there is no exchange then */
function requireStation(station: StationSync | undefined): StationSync {
  if (station) return station;
  throw new AppError('unavailable', 'The store is damaged and can only be read. Restore a backup first.');
}
