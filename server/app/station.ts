import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { AppError } from '../../shared/contract/errors.ts';
import { keptEvents } from '../audit/kept-events.ts';
import { incidentsSay } from '../audit/sign-in-incidents.ts';
import { createTrail } from '../audit/trail.ts';
import type { Backups } from '../backup/backups.ts';
import { createSampleLoader } from '../demo/load-sample-company.ts';
import { createCentral } from '../enrolment/central.ts';
import { isWildcard, openCertificates, type Role, readAuthorities } from '../enrolment/certificate.ts';
import { createRenewal } from '../enrolment/renewal.ts';
import { createApp } from '../http/app.ts';
import { createEventStreams } from '../http/event-stream.ts';
import { dueSays } from '../http/handlers/audit.ts';
import type { Services } from '../http/handlers/handler.ts';
import { openToSessions } from '../http/handlers/session.ts';
import { createHttpServer } from '../http/listen.ts';
import { mountDocumentation } from '../http/openapi/documentation.ts';
import { mountPages } from '../http/pages.ts';
import { mountOperations, readingCalls } from '../http/routes.ts';
import { createReadSignature } from '../http/signing.ts';
import { mountUpdates } from '../http/updates.ts';
import { webhookMessages } from '../http/webhook-messages.ts';
import { createWrite } from '../http/write.ts';
import type { FirstCode } from '../identity/first-administrator.ts';
import { ensureFirstToken, type FirstToken } from '../identity/first-token.ts';
import { createIdentity } from '../identity/identity.ts';
import { leaversTokensSay } from '../identity/leavers-tokens.ts';
import { createOwnerCredential } from '../identity/owner-credential.ts';
import type { Cost } from '../identity/passwords.ts';
import { createStationPeople } from '../identity/station-people.ts';
import { startTokenUpkeep } from '../identity/token-upkeep.ts';
import { createTokens } from '../identity/tokens.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createPrinter } from '../print/printer.ts';
import { createAttention } from '../search/attention.ts';
import { outsideAttention } from '../search/outside-attention.ts';
import { saysUnconfirmed } from '../store/clock-says.ts';
import { machineSettings } from '../store/machine-settings.ts';
import { PROGRAM_VERSION } from '../store/program-version.ts';
import { keepRole } from '../store/role.ts';
import type { Store } from '../store/store.ts';
import { tokenTable } from '../store/token-table.ts';
import { readEnrolmentData } from '../sync/client/enrolment-data.ts';
import { Log } from '../sync/log/log.ts';
import { PROTOCOL } from '../sync/protocol/wire.ts';
import { EarlierHistory } from '../sync/station/earlier-history.ts';
import { stationNames } from '../sync/station-names.ts';
import { openSyncService } from '../sync/sync-service.ts';
import { syncState } from '../sync/sync-state.ts';
import { openImports } from '../transfer/imports.ts';
import { openAuthority } from '../trust/authority-key.ts';
import { otherOwnKey, saysOwnKey } from '../trust/authority-standing.ts';
import { keepCheckpoints } from '../trust/checkpoint-folder.ts';
import { createCheckpoints, readCheckpointsOf } from '../trust/checkpoints.ts';
import { noteKey, saysReplaced } from '../trust/known-key.ts';
import { openReleases } from '../updates/open-releases.ts';
import { createValidations } from '../validation/validations.ts';
import { createWebhooks, type WebhookTuning } from '../webhooks/webhooks.ts';
import { createAskCentral } from './ask-central.ts';
import type { Config } from './config.ts';
import { enrolByPolicy } from './enrol-by-policy.ts';
import { writeFirstRecords } from './first-records.ts';
import { hostsOf, NO_HOSTS } from './hosts.ts';
import { NO_POLICY, type ReadPolicy } from './machine-policy.ts';
import { createMachineReport } from './machine-report.ts';
import { noteExchange } from './note-exchange.ts';
import { openBackups } from './open-backups.ts';
import { openOwnStore } from './open-store.ts';
import { createProcesses } from './processes.ts';
import { Reading } from './reading.ts';
import { createReports } from './reports.ts';
import { openSharedCentral, tellCaches } from './shared-central.ts';
import { standingOf } from './standing.ts';
import { importEvent, keepDamage, noteStart } from './start-events.ts';
import { createJoining, stationHandlers } from './station-handlers.ts';
import { tellForeignSecrets, tellPeople } from './tell-people.ts';
import { tellFaultOnce, tellFolder, tellSelfCheck } from './tell-self-check.ts';

export interface StationOptions {
  config: Config;
  /** Undefined: what the data folder is already. */
  role?: Role | undefined;
  /** What the machine's administrators decided; nothing unless it is given. */
  readPolicy?: () => ReadPolicy;
  /** Where to listen instead, by plain HTTP: for a command that is its own and only client. */
  listenAt?: { host: string; port: number };
  /** By which such a command administers a station of a central. */
  ownerSecret?: string;
  log: Logger;
  clock: () => Date;
  /** As `ClockWatchOptions.steady` says. */
  steady?: () => number;
  /** Of stretching passwords: see `createIdentity`. */
  passwordCost?: Cost;
  webhookTuning?: WebhookTuning;
  /** It is at work and takes long to open: the data are brought to this version's form. */
  onPreparing?: () => void;
  /** The store stopped after a failed write: end the process. */
  onFail: (error: unknown) => void;
}

export interface Station {
  /** Where the interface is, without a slash at the end. */
  origin: string;
  /** The administrator's token of the first start; null where it was taken away. */
  firstToken: FirstToken | null;
  /** With which the first administrator is made; null where there is a user, or users come from central. */
  firstCode: FirstCode | null;
  role: Role;
  /** Of the certificate that it listens with, as people compare it; null with plain HTTP. */
  fingerprint: string | null;
  store: Store;
  backups: Backups;
  /** Asks central at once for what is new: the machine was asleep, or the network is back. */
  wake(): void;
  /** After the end: something waits for a disk that hangs, so that this process does not end by itself. */
  isHeldUp(): boolean;
  /** Stops taking requests, lets running ones finish, closes the store. */
  close(): Promise<void>;
}

/** A whole station in this process: store, rules and interface, listening. */
export async function openStation(options: StationOptions): Promise<Station> {
  const { config, log, clock, listenAt } = options;
  const keptAside = keptEvents(config.folder);
  const onDamage = (damage: AppError) => {
    log.error(damage.message);
    keepDamage(keptAside, damage, clock, log);
  };
  const open = () => openOwnStore({ ...options, onDamage });
  const metrics = createMetrics();
  const shared =
    config.journal === undefined
      ? undefined
      : await openSharedCentral({ ...options, role: options.role, open, onWaited: metrics.waited });
  const store = shared ? shared.store : await open();
  const closeStore = () => (shared ? shared.close() : store.close());
  try {
    const role = keepRole(store.database, options.role);
    const authority = openAuthority(config.folder);
    const formerKey = noteKey(store.database, authority.key);
    if (formerKey !== undefined) log.warn(saysReplaced(formerKey, authority.key));
    const checkpoints = createCheckpoints({ store, authority, clock });
    const certificates = await openCertificates(config, role, clock, listenAt === undefined);
    const certificate = listenAt ? undefined : certificates.present();
    // A file that cannot be used is refused now, not when it is first needed.
    const authorities = listenAt ? undefined : readAuthorities(config);
    if (!listenAt) for (const warning of certificates.warnings) log.warn(warning);
    if (!listenAt && isWildcard(config.host) && config.hosts.length === 0) log.warn(NO_HOSTS);
    tellSelfCheck(store, log);
    store.clockWatch.onStep(() => {
      const standing = store.clockWatch.standing();
      if (standing) log.warn(saysUnconfirmed(standing));
    });
    // Asked for with every request; what the file says at the start holds while the store can only be read.
    let isEnrolled = readEnrolmentData(store.database.reader) !== undefined;
    const table = tokenTable(store.database);
    const tokens = createTokens({
      table,
      now: clock,
      atLeast: () => store.clockWatch.standing()?.atLeast,
      random: randomBytes,
      environmentToken: config.token,
      isLimited: () => isEnrolled,
    });
    const owner = createOwnerCredential(config.folder, options.ownerSecret);
    const makeFirstToken = () => ensureFirstToken({ folder: config.folder, tokens });
    // Of processes that start together one makes it.
    const firstToken = shared ? await store.gate.together(async () => makeFirstToken()) : makeFirstToken();
    const streams = createEventStreams();
    tokens.onRevoke(tokenId => streams.closeToken(tokenId));
    const pin = () => certificates.present()?.pin ?? null;
    const isCentral = role === 'central';
    const endOfLog = () =>
      isCentral && !store.database.damage
        ? new Log(store.database, store.database.reader).place().sequence
        : null;
    const { stations, enrolment } = createCentral({ store, clock, protocol: PROTOCOL, pin, endOfLog });
    const onFault = tellFaultOnce(log);
    const processes = createProcesses({
      ...{ config, shared, certificate, onFault, isListening: !listenAt },
      webhooks: () => webhooks,
      reports: listenAt
        ? undefined
        : createReports({ config, shared, reading: () => services.reading(), log }),
    });
    const renewal = createRenewal({
      certificates,
      isCentral,
      store,
      stations,
      clock,
      tellStations: () => sync.central?.tellAll(),
      onFault,
    });
    stations.onRevoke(callerId => streams.closeToken(callerId));
    const program = { folder: config.folder, version: PROGRAM_VERSION, authorities, clock };
    const enrolmentData = () => readEnrolmentData(store.database.reader);
    const stationName = () => enrolmentData()?.name;
    const trail = createTrail({
      store,
      kept: keptAside,
      onLost: (error, events) => log.error({ err: error, events }, 'This is in no audit trail.'),
      onFault: error => log.error({ err: error }, 'What was kept for the audit trail was not noted.'),
    });
    const identity = createIdentity({
      store,
      trail,
      clock,
      // While it joins, its own users are gone before anything else is told of it.
      isEnrolled: () => isEnrolled || enrolmentData() !== undefined,
      onLockout: userId =>
        log.warn(
          { user: userId },
          'Ten wrong passwords: the user is locked out for 15 minutes where they were given.',
        ),
      passwordCost: options.passwordCost,
      askCentral: createAskCentral(() => sync.station),
      closeStreams: callerId => streams.closeToken(callerId),
      onFault: error => log.error({ err: error }, 'What concerns a session was not written.'),
      isShared: shared !== undefined,
    });
    const people = createStationPeople({ store, secrets: identity.secrets, stations: stations.list });
    if (isCentral) await people.begin();
    const sync = await openSyncService({
      ...program,
      secretsFor: id => people.secretsFor(stations.enrolled(id)),
      role,
      store,
      secrets: identity.secrets,
      stations,
      authority,
      ...noteExchange({ trail, stations, log }),
      checkpoint: checkpoints.present,
      stationDayMB: config.stationDayMB,
      isTalking: !listenAt,
      machineSays: createMachineReport({ config, clock, backups: () => backups.standing() }),
      onFault,
    });
    if (shared) tellCaches(shared, { tokens, stations, identity, machines: sync.central?.machines });
    await writeFirstRecords(store, { isCentral, isEnrolled: sync.station?.enrolmentData !== undefined });
    // What is written from here on is sent as well.
    await trail.start();
    const keys = { former: formerKey, key: authority.key };
    await noteStart({ store, trail, firstToken, keys });
    // The step itself is written just before.
    store.clockWatch.onStep(() => void store.gate.briefly(() => {}).then(trail.takeKept, () => {}));
    identity.start();
    const tokenUpkeep = startTokenUpkeep({ tokens, table, store, onFault });
    const nameOf = stationNames({ store, stations, service: sync });
    const readSignature = createReadSignature(store, identity);
    const earlier = new EarlierHistory({
      store,
      ask: async (request, signal) => {
        if (!sync.station) throw new AppError('unavailable', 'The store is damaged and can only be read.');
        return sync.station.askEarlier(request, signal);
      },
    });
    const services: Services = {
      store,
      earlier,
      tokens,
      streams,
      trail,
      clock,
      isAtStation: () => isEnrolled,
      centralAddress: () => (isEnrolled ? enrolmentData()?.address : undefined),
      write: createWrite(store, clock, readSignature, shared !== undefined),
      readSignature,
      nameOf,
      reading: () => new Reading(store, clock),
    };
    const imports = await openImports({
      store,
      folder: config.folder,
      onRun: run => trail.note(importEvent(run)),
      onFault: error => log.error({ err: error }, 'import failed'),
    });
    const sample = createSampleLoader({
      clock,
      createServer: handler => createHttpServer({ handler, shutdownTimeLimit: 0 }),
      onFault: error => log.error({ err: error }, 'Loading the sample company failed.'),
    });
    const webhooks = createWebhooks({
      store,
      folder: config.folder,
      source: webhookMessages(store, services.reading, clock),
      trail,
      policy: { isCentral, listed: config.webhookTargets ?? [] },
      authorities,
      clock,
      isSending: !listenAt,
      onFault: error => log.error({ err: error }, 'What concerns a webhook failed.'),
      tuning: options.webhookTuning,
    });
    const { backups, sender, stationBackups } = openBackups({
      config,
      store,
      sync,
      stations,
      trail,
      isHere: processes.isWorking,
      clock,
      log,
      sendsByPolicy: options.readPolicy?.().settings.sends_backups,
    });
    const attention = createAttention({
      store,
      clock,
      outside: outsideAttention({
        store,
        clock,
        syncState: () => syncState({ service: sync, store, stations, nameOf }),
        isExchanging: () => sync.isExchanging(),
        // Another process makes them.
        backupState: () => (processes.isWorking() ? backups.glance() : null),
        certificateSays: () => renewal.ending(),
        incidentsSay: () => incidentsSay(store, clock()),
        webhooksSay: webhooks.says,
        authoritySays() {
          const own = otherOwnKey(store, authority.key);
          return own ? saysOwnKey(own) : (sync.station?.centralKeySays() ?? null);
        },
        leaversTokensSay: () => leaversTokensSay(store.records, tokens.list(), clock()),
        reviewSays: () => (isEnrolled ? null : dueSays(store, clock())),
      }),
      onFault: error => log.error({ err: error }, 'A look at what needs attention failed.'),
    });
    const readCheckpoints = () => readCheckpointsOf(checkpoints, sync.station?.centralCheckpoints());
    const validations = createValidations({
      config,
      authority,
      clock,
      note: trail.note,
      onFault: error => log.error({ err: error }, 'A validation gave no report.'),
    });
    const printer = createPrinter();
    const documentation = mountDocumentation();
    const pages = mountPages();
    const releases = openReleases({ config, isCentral, enrolmentData, authorities, clock });
    const updates = mountUpdates(releases);
    const front = {
      log,
      ...processes.front,
      tokens: {
        authenticate: (header?: string, connection?: object) =>
          sample.authenticate(header) ??
          (isEnrolled ? owner.authenticate(header, connection) : null) ??
          tokens.authenticate(header, connection),
      },
      stations,
      sessions: identity.sessions,
      hosts: listenAt ? [] : hostsOf(config),
      otherOrigins: () => machineSettings(store.database.reader).web_origins,
      isSecure: certificate !== undefined,
      refusalOf: identity.refusalOf,
      onRefused: identity.noteRefused,
      onAnswered: metrics.answered,
      reading: readingCalls(),
      openHere: documentation.openHere,
      open: [
        'GET /api/v2/status',
        'GET /api/v2/x/health',
        'POST /api/v2/x/enrolment',
        'GET /api/v2/x/central-certificate/chain',
        ...openToSessions,
        ...documentation.open,
        ...pages.open,
        ...updates.open,
      ],
    };
    const parts = {
      ...program,
      services,
      sync,
      imports,
      backups,
      sender,
      stationBackups,
      validations,
      sample,
      health: processes.health,
      metrics: () => metrics.read(standingOf({ store, streams, sync, ...processes })),
      printer,
      attention,
      stations,
      enrolment,
      renewal,
      readCheckpoints,
      checkpoint: checkpoints.present,
      authority,
      identity,
      people,
      stationName,
      isCentral,
      isSecure: certificate !== undefined || config.isBehindProxy === true,
      machineLanguage: config.language,
      webhooks,
      onJoined() {
        isEnrolled = enrolmentData() !== undefined;
        void webhooks.reload();
        if (isEnrolled && !listenAt) owner.publish();
      },
      offered: releases.offered,
      onForeignSecrets: tellForeignSecrets(log, id => stations.get(id).name),
    };
    const join = createJoining(parts);
    const byPolicy = enrolByPolicy({
      read: options.readPolicy ?? (() => NO_POLICY),
      isEnrolled: () => isCentral || isEnrolled || enrolmentData() !== undefined,
      hasRecords: () => (sync.station?.blocksToMove() ?? 0) > 0,
      join,
      onWarning: says => log.warn(says),
      clock,
    });
    const app = createApp(front, express => {
      mountOperations(express, services, {
        ...documentation.handlers,
        ...stationHandlers({
          ...parts,
          join,
          machinePolicy: byPolicy.answer,
          centralOf: byPolicy.centralOf,
        }),
      });
      documentation.mount(express);
      pages.mount(express);
      updates.mount(express);
    });
    const server = createHttpServer({ handler: app, tls: certificate, onStop: () => streams.closeAll() });
    certificates.own?.onChange(() => {
      const present = certificates.present();
      if (!present) return;
      if (certificate) server.setCertificate(present);
      log.warn(`Central speaks with its next certificate: SHA-256 ${present.fingerprint}`);
    });
    const { host: wantedHost, port: wantedPort } = listenAt ?? config;
    const address = await server.listen(wantedHost, wantedPort);
    if (!listenAt) {
      if (isEnrolled) owner.publish();
      else owner.withdraw();
      tellPeople({ store, log, isCentral, address: enrolmentData()?.address, tokens });
    }
    sync.start();
    await processes.start(address.port);
    if (!listenAt) {
      sender.start();
      if (isCentral) stationBackups.start();
      renewal.start();
      byPolicy.start();
    }
    const folder = listenAt ? undefined : config.checkpoints;
    const tell = tellFolder(log, folder);
    const kept = keepCheckpoints({ folder, read: readCheckpoints, write: backups.write, onFault: tell });
    const host = address.host.includes(':') ? `[${address.host}]` : address.host;
    return {
      origin: `${certificate ? 'https' : 'http'}://${host}:${address.port}`,
      firstToken,
      firstCode: (listenAt ? undefined : identity.firstAdministrator.newCode()) ?? null,
      role,
      fingerprint: certificate?.fingerprint ?? null,
      store,
      backups,
      wake: () => sync.station?.engine?.notify(),
      isHeldUp: backups.isHeldUp,
      async close() {
        if (!listenAt) owner.withdraw();
        await kept.close();
        await validations.close();
        await sender.close();
        stationBackups.close();
        await backups.close();
        await printer.close();
        await imports.close();
        await sample.close();
        attention.close();
        renewal.close();
        await byPolicy.close();
        await server.close();
        await webhooks.close();
        // Only now another process sends what is left.
        await processes.close();
        await earlier.close();
        await sync.close();
        releases.close();
        await identity.close();
        await tokenUpkeep.close();
        await trail.close();
        await closeStore();
      },
    };
  } catch (error) {
    await closeStore();
    throw error;
  }
}
