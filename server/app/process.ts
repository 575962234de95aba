import { userInfo } from 'node:os';
import { AppError } from '../../shared/contract/errors.ts';
import { type DesktopPolicy, desktopPolicySchema } from '../../shared/contract/machine-policy.ts';
import type { Role } from '../enrolment/certificate.ts';
import { tellGrave } from '../http/journal.ts';
import { createLogger } from '../http/log.ts';
import { findProxiesBy } from '../network/proxy.ts';
import { tuneGarbageCollection } from '../store/gc-tuning.ts';
import { PROGRAM_VERSION } from '../store/program-version.ts';
import { isFolderInUse } from '../store/sqlite/lock.ts';
import { askAppForProxy } from './ask-app.ts';
import { clocks } from './clocks.ts';
import { readConfig } from './config.ts';
import { type CrashReports, keepCrashReports } from './crash-reports.ts';
import { FAULT, REFUSED } from './exit-codes.ts';
import { noteFailedStart } from './failed-starts.ts';
import { readMachinePolicy } from './machine-policy.ts';
import { publishAddress, publishedAddress, withdrawAddress } from './own-address.ts';
import { openStation, type Station } from './station.ts';
import { tellServer, withdrawServer } from './told-server.ts';

/**
 * The server process. It ends in order on SIGTERM, SIGINT and when its supervisor is gone, and ends at once when the
 * store has stopped after a failed write: nobody knows what its memory still believes.
 */
export async function runServer(role: Role): Promise<void> {
  const readPolicy = () => readMachinePolicy(process.env);
  const { settings } = readPolicy();
  const config = readConfig(process.env, settings);
  const policy = desktopPolicySchema.parse(settings);
  const log = createLogger({ level: config.logLevel });
  let crashes: CrashReports | undefined;
  const onFail = (error: unknown) => {
    log.fatal({ err: error }, 'The store stopped after a failed write; the process ends.');
    log.flush();
    process.exit(FAULT);
  };
  process.on('uncaughtException', error => {
    log.fatal({ err: error }, 'A fault of the program; the process ends.');
    log.flush();
    crashes?.note(error);
    process.exit(FAULT);
  });

  if (process.versions.electron !== undefined) findProxiesBy(askAppForProxy());
  const onPreparing = () => process.send?.({ type: 'server-preparing' });
  const station = await openStation({
    config,
    readPolicy,
    role,
    log,
    ...clocks,
    onPreparing,
    onFail,
  }).catch(error => {
    if (isFolderInUse(config.folder)) tellElsewhere(config.folder, policy);
    else noteFailedStart(config.folder, new Date());
    throw error;
  });
  crashes = keepCrashReports(config.folder);
  let isClosing = false;
  const close = () => {
    if (isClosing) return;
    isClosing = true;
    withdrawAddress(config.folder);
    if (config.service !== undefined) withdrawServer(config.service, process.pid);
    station.close().then(
      () => end(station),
      error => {
        log.error({ err: error }, 'The shutdown failed.');
        process.exit(FAULT);
      },
    );
  };
  process.on('SIGTERM', close);
  process.on('SIGINT', close);
  process.on('disconnect', close);
  process.on('message', message => {
    // From the desktop app: to end in order where there are no signals, and after the machine has slept.
    if (message === 'stop') close();
    if (message === 'wake') station.wake();
  });

  publishAddress(config.folder, station.origin);
  if (config.service !== undefined) {
    const { origin } = station;
    const told = { origin, process: process.pid, user: userName(), folder: config.folder };
    const untold = tellServer(config.service, { ...told, version: PROGRAM_VERSION, policy });
    // Browsers and integrations work all the same.
    if (untold !== undefined) log.warn(`Apps of this machine are not told of this server: ${untold}`);
  }
  tellWhere(station, config.folder);
  process.send?.({
    type: 'server-started',
    origin: station.origin,
    firstCode: station.firstCode?.code ?? null,
    policy,
  });
  station.backups.start();
  tuneGarbageCollection();
}

/** As whom this process runs; a number where the system has no name for it. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

/** To the desktop app: another server uses the folder already, and this is where. */
function tellElsewhere(folder: string, policy: DesktopPolicy): void {
  const origin = publishedAddress(folder);
  if (origin !== undefined) process.send?.({ type: 'server-elsewhere', origin, policy });
}

/** An orderly end waits for threads that wait for a disk; the store is closed, and one that hangs must not keep this process. */
function end({ isHeldUp }: Station): void {
  const isWaiting = process.getActiveResourcesInfo().some(name => name.startsWith('FSReq'));
  if (isWaiting || isHeldUp()) process.kill(process.pid, 'SIGKILL');
  process.exit(0);
}

/** For the person at the terminal: where it is, what opens it, what to read. */
function tellWhere({ origin, role, firstToken, firstCode, fingerprint }: Station, folder: string): void {
  const lines = [
    `Holdpoint${role === 'central' ? ' central' : ''} serves ${origin}/api/v2 (process ${process.pid})`,
    `  Documentation  ${origin}/docs`,
    `  Data           ${folder}`,
    ...(firstToken ? [`  Token          ${firstToken.path}`] : []),
    ...(firstCode ? [`  First sign-in  ${origin}/first#${firstCode.code} (once, within a day)`] : []),
    ...(fingerprint ? [`  Certificate    SHA-256 ${fingerprint}`] : []),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Says why a process cannot start, in a sentence a person can act on, and how to end. */
export function endRefused(error: unknown): never {
  const reason =
    error instanceof AppError
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
  tellGrave(`Holdpoint cannot start: ${reason}\n`);
  // What says itself when to try again, as a journal that went away amid the start, is there later.
  const isFinal = error instanceof AppError && error.headers['Retry-After'] === undefined;
  process.exit(isFinal ? REFUSED : FAULT);
}
