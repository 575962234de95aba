import { randomBytes, randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  app,
  BaseWindow,
  crashReporter,
  dialog,
  ipcMain,
  Notification,
  powerMonitor,
  protocol,
  safeStorage,
  session,
  shell,
  type UtilityProcess,
  utilityProcess,
} from 'electron';
import type { UpdateState } from '../shared/contract/desktop-bridge.ts';
import { readPolicyPrinter } from '../shared/contract/label-printers.ts';
import { type DesktopPolicy, isUpdatedByCentral } from '../shared/contract/machine-policy.ts';
import { PUBLISHER_KEYS } from '../shared/contract/publisher-keys.ts';
import { LINK_SCHEME, recordPathIn, recordPathOf, SCHEME } from './addresses.ts';
import { createApiProxy } from './api-proxy.ts';
import { createAppProtocol } from './app-protocol.ts';
import { appUpdater } from './app-updater.ts';
import { bridgeHandlers } from './bridge.ts';
import { createCookieJar } from './cookie-jar.ts';
import { keepCrashDumps } from './crash-dumps.ts';
import { dataFolderOf, isForAllUsers, profileFolderOf, serverEnvironment } from './data-folder.ts';
import { jsonFile } from './json-file.ts';
import { createKioskExit, NO_TRIES, triesSchema } from './kiosk-exit.ts';
import { openLabelQueue } from './label-queue.ts';
import { openLogFile } from './log-file.ts';
import { isStartedAtLogin, setStartAtLogin } from './login-item.ts';
import { connectMachineServer, machineServerOf } from './machine-server.ts';
import { createMainWindow } from './main-window.ts';
import { createNativeMenus } from './native-menus.ts';
import { denyPermissions, enforcePageRules } from './page-rules.ts';
import { listPrinters, printLabel } from './paper-printer.ts';
import { shouldMove, USUAL_PORT } from './port.ts';
import { createSecrets } from './secrets.ts';
import { createServerSupervisor, type ServerFailure, type ServerState } from './server-supervisor.ts';
import { isThere, onSessionEnd } from './session-end.ts';
import { createShutdown } from './shutdown.ts';
import { watchSync } from './sync-watch.ts';
import { answerProxyQuestion } from './system-proxy.ts';
import { filled, shellTexts } from './texts.ts';
import { type CommandEnd, createTroubleDialog } from './trouble-dialog.ts';
import { createUpdates, seenReleaseSchema } from './updates.ts';
import { type DesktopSettings, desktopSettingsSchema } from './window-state.ts';

const installation = {
  platform: process.platform,
  execPath: process.execPath,
  env: process.env,
  home: homedir(),
};
const BUNDLE = import.meta.dirname;
const ICON = join(BUNDLE, 'icon.png');
const SESSION = 'session';
/** As Windows knows the app by: of `build/electron-builder.config.ts`. */
const APP_ID = 'io.holdpoint.station';
const LAST_WORDS_MS = 1_000;
/** Before a kiosk's page that ends again and again, or hangs, is opened anew. */
const KIOSK_PATIENCE_MS = 10_000;

// Before Electron is ready: where its profile is, which pages are of this app, that no page runs outside the sandbox.
app.setPath('userData', profileFolderOf(installation));
app.setAppUserModelId(APP_ID);
keepCrashDumps(profileFolderOf(installation), { app, crashReporter });
// An AppImage where user namespaces are closed is started without the sandbox, which nobody else may ask for (Electron
// would take the word away: shell/browser/api/electron_api_app.cc, App::EnableSandbox).
const isWithoutSandbox = app.commandLine.hasSwitch('no-sandbox');
if (!isWithoutSandbox) app.enableSandbox();
const privileges = { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true };
protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges }]);
// By the policy, as it is when the first window opens.
let isKiosk = false;
enforcePageRules(() => isKiosk);

// macOS hands a link over when it likes, also before anything is there to open it.
let openLink = (path: string | undefined): void => {
  wanted = path ?? wanted;
};
let wanted = recordPathIn(process.argv);
app.on('open-url', (event, url) => {
  event.preventDefault();
  openLink(recordPathOf(url));
});

if (app.requestSingleInstanceLock()) app.whenReady().then(start).catch(endAtOnce);
else app.quit();

function start(): void {
  const folder = dataFolderOf(installation);
  const profile = profileFolderOf(installation);
  // The policy's language is known when the server runs; before that the system's holds.
  let texts = shellTexts(app.getLocale());
  const log = openLogFile({ folder: join(folder, 'logs') });
  const { env } = installation;
  const token = env.HOLDPOINT_TOKEN || randomBytes(32).toString('base64url');

  // What this user has chosen, and the session of whoever is signed in.
  const settingsFile = jsonFile(
    join(profile, 'settings.json'),
    desktopSettingsSchema,
    desktopSettingsSchema.parse({}),
  );
  let settings = settingsFile.read();
  // What the machine's administrators decided comes before it.
  let policy: DesktopPolicy = {};
  const inForce = (): DesktopSettings => ({
    ...settings,
    keeps_running: policy.keeps_running ?? settings.keeps_running,
    starts_at_login: policy.starts_at_login ?? settings.starts_at_login,
  });
  const secrets = createSecrets({
    path: join(profile, 'secrets.json'),
    platform: process.platform,
    safeStorage,
  });
  const jar = createCookieJar({
    kept: secrets.read(SESSION),
    keep: cookies => secrets.write(SESSION, cookies),
  });

  // The station's server.
  let port: string | undefined;
  const fork = (name: string, words: readonly string[] = []) =>
    utilityProcess.fork(join(BUNDLE, name), [...words], {
      serviceName: 'Holdpoint server',
      stdio: 'pipe',
      env: { ...serverEnvironment(env, { folder, token }), ...(port && { HOLDPOINT_PORT: port }) },
    });
  const machine = machineServerOf({ ...installation, folder });
  const told = { onState: onServer, onPolicy };
  const server =
    machine === undefined
      ? createServerSupervisor({ fork: forkServer, ...told })
      : connectMachineServer({ path: machine, ...told });

  function forkServer() {
    const child = fork('server-process.js');
    child.on('message', message => {
      void answerProxyQuestion(message, {
        resolve: url => session.defaultSession.resolveProxy(url),
        answer: answer => child.postMessage(answer),
      });
    });
    // The code of the first sign-in is for whoever sits here, not for a file.
    const write = (text: string) => log.write(text.replace(/\/first#[\w-]+/g, '/first#…'));
    child.stdout?.setEncoding('utf8').on('data', write);
    child.stderr?.setEncoding('utf8').on('data', write);
    return child;
  }

  // Pages and what they may ask.
  denyPermissions(session.defaultSession, () => isKiosk);
  const api = createApiProxy({ origin: server.origin, jar });
  protocol.handle(SCHEME, createAppProtocol({ folder: join(BUNDLE, '..', 'renderer'), api }));
  const labels = openLabelQueue({
    path: join(profile, 'labels.json'),
    print: printLabel,
    newId: randomUUID,
  });
  const updates = createUpdates({
    updater: appUpdater(log.write),
    origin: server.origin,
    onState: onUpdate,
    keys: PUBLISHER_KEYS,
    seen: jsonFile(join(profile, 'release.json'), seenReleaseSchema, null),
    needsAdministrator: process.platform === 'win32' && isForAllUsers(process.execPath, env),
    isOff: () => !isUpdatedByCentral(policy, process.platform),
    ring: () => policy.update_ring,
    window: () => policy.update_window,
  });
  const openLogs = () => {
    if (!isKiosk) shell.showItemInFolder(log.path);
  };
  const leaveKiosk = createKioskExit({
    stored: () => policy.kiosk_pin,
    tries: jsonFile(join(profile, 'kiosk-tries.json'), triesSchema, NO_TRIES),
    log: log.write,
    leave() {
      isKiosk = false;
      window.remake();
      showMenus();
    },
  });
  const handlers = bridgeHandlers({
    version: app.getVersion(),
    openLogs,
    printers: listPrinters,
    preset: () => (policy.printer === undefined ? null : (readPolicyPrinter(policy.printer) ?? null)),
    labels,
    kiosk: { isOn: () => isKiosk, leave: leaveKiosk, printer: () => policy.kiosk_printer ?? null },
    updates,
  });
  for (const [channel, handle] of Object.entries(handlers)) ipcMain.handle(channel, handle);

  const trouble = createTroubleDialog({
    texts,
    dialog,
    dataFolder: folder,
    lastLines: log.lastLines,
    run: words => endOf(fork('command-process.js', words), log.write),
    start: server.start,
    openLogs,
    quit: () => app.quit(),
  });

  // Windows, menus, tray.
  const window = createMainWindow({
    preload: join(BUNDLE, 'preload.cjs'),
    icon: ICON,
    settings: () => settings,
    set,
    onClosed: () => {
      if (!inForce().keeps_running) app.quit();
    },
    isKiosk: () => isKiosk,
    isEnding: () => shutdown.isUnderWay(),
    log: log.write,
    ask: askAboutPage,
  });
  const menus = createNativeMenus(ICON, {
    open: () => window.open(),
    quit: () => app.quit(),
    set,
    openLogs,
    openData: () => void shell.openPath(folder),
    openDocumentation: () => {
      const origin = server.origin();
      if (origin !== undefined) void shell.openExternal(`${origin}/docs`);
    },
    lookForUpdates: () => void updates.look(),
    installUpdate: () => {
      updates.installAtEnd();
      app.quit();
    },
  });
  let says: string | null = null;
  const sync = watchSync({
    origin: server.origin,
    token,
    onSays: next => {
      says = next;
      showMenus();
    },
  });

  // What comes from outside.
  let isFirst = true;
  openLink = path => {
    if (isFirst) wanted = path ?? wanted;
    else window.open(path);
  };
  app.setAsDefaultProtocolClient(LINK_SCHEME);
  app.on('second-instance', (_event, args) => openLink(recordPathIn(args)));
  app.on('activate', () => openLink(undefined));
  app.on('window-all-closed', () => {
    // The tray, the server and the exchange stay: `onClosed` ends the app where that is wanted.
  });
  powerMonitor.on('resume', () => {
    server.wake();
    void sync.look();
  });

  // The end.
  const shutdown = createShutdown({
    stop: async () => {
      sync.close();
      updates.close();
      labels.close();
      await labels.idle();
      await server.stop();
      updates.end();
      log.close();
    },
    quit: () => app.quit(),
    onFault: error => process.stderr.write(`The shutdown failed: ${String(error)}\n`),
  });
  app.on('before-quit', event => shutdown.beforeQuit(event));
  // Electron hands the event over, which its types do not say; what is prevented waits for the app's own end.
  powerMonitor.on('shutdown', (event?: Electron.Event) => {
    event?.preventDefault();
    app.quit();
  });
  onSessionEnd({
    platform: process.platform,
    makeWindow: () => new BaseWindow({ show: false }),
    tellServer: server.tellToStop,
    isThere,
  });

  if (isWithoutSandbox) log.write('The app runs without the sandbox of its pages (--no-sandbox).\n');
  log.write(`Holdpoint ${app.getVersion()} starts; its data is in ${folder}.\n`);
  server.start();

  function onServer(state: ServerState): void {
    if (state.kind === 'waiting' && machine === undefined)
      log.write(`The server ended; it starts again in ${state.waitMs} ms.\n`);
    if (state.kind === 'failed') return void onFailure(state.why);
    if (state.kind === 'elsewhere') log.write(`The server of these data is another's: ${state.origin}.\n`);
    if (state.kind !== 'running' && state.kind !== 'elsewhere') return;
    void sync.look();
    if (!isFirst) return;
    isFirst = false;
    isKiosk = policy.kiosk === true;
    if (isKiosk) process.on('uncaughtException', onFault);
    const code = state.kind === 'running' ? state.firstCode : null;
    const first = code === null ? undefined : `/first#${code}`;
    const isHidden = isStartedAtLogin(process.argv, { platform: process.platform, app });
    if (first !== undefined || !isHidden || isKiosk) window.open(first ?? wanted);
    updates.start();
    showMenus();
  }

  /** Nobody at a kiosk answers a box of Electron's (lib/browser/init.ts), and the machine shows nothing else. */
  function onFault(error: Error): void {
    log.write(`A fault of the app; it starts again: ${error.stack ?? error.message}\n`);
    app.relaunch();
    app.quit();
  }

  /** Another person at this machine has the port with data of their own: work goes on at a free one. */
  async function onFailure(why: ServerFailure): Promise<void> {
    if (!(await shouldMove(why, { chosen: env.HOLDPOINT_PORT, hasMoved: port !== undefined })))
      return isKiosk ? startLater() : trouble.tell(why);
    log.write(
      `Port ${USUAL_PORT} is another program's; the server listens on a free one until the app ends.\n`,
    );
    port = '0';
    server.start();
  }

  /** The dialog of a server that does not start shows the files of the machine, and leads out. */
  async function startLater(): Promise<void> {
    log.write(`The server does not start; it is tried again in ${KIOSK_PATIENCE_MS / 1_000} s.\n`);
    await setTimeout(KIOSK_PATIENCE_MS, undefined, { ref: false });
    if (!shutdown.isUnderWay()) server.start();
  }

  function onUpdate(state: UpdateState): void {
    showMenus();
    if (state.kind !== 'ready' || !Notification.isSupported()) return;
    const title = filled(texts.updateReady, { version: state.version });
    const body = state.needs_administrator ? texts.administratorText : texts.updateText;
    new Notification({ title, body }).show();
  }

  async function askAboutPage(what: 'gone' | 'unresponsive', signal: AbortSignal): Promise<boolean> {
    // Nobody need be there to answer.
    if (isKiosk) return setTimeout(KIOSK_PATIENCE_MS, true, { signal, ref: false }).catch(() => false);
    const { response } = await dialog.showMessageBox({
      type: 'warning',
      message: what === 'gone' ? texts.pageGone : texts.pageUnresponsive,
      detail: texts.pageMeans,
      buttons: [texts.wait, texts.openAnew],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
      signal,
    });
    return response === 1;
  }

  function set(change: Partial<DesktopSettings>): void {
    settings = { ...settings, ...change };
    settingsFile.write(settings);
    if (change.starts_at_login !== undefined) startAtLogin(change.starts_at_login);
    if (!shutdown.isUnderWay()) showMenus();
  }

  function onPolicy(next: DesktopPolicy): void {
    policy = next;
    texts = shellTexts(policy.language ?? app.getLocale());
    if (policy.starts_at_login !== undefined) startAtLogin(policy.starts_at_login);
  }

  function startAtLogin(isWanted: boolean): void {
    setStartAtLogin(isWanted, {
      platform: process.platform,
      program: env.APPIMAGE ?? process.execPath,
      configFolder: app.getPath('appData'),
      app,
    });
  }

  function showMenus(): void {
    const sentence = says ?? (server.origin() === undefined ? texts.starting : texts.unknown);
    menus.show({ texts, settings: inForce(), policy, isKiosk, update: updates.state(), sync: sentence });
  }
}

/** What a command wrote, which goes into the log too, and how it ended. Its last words may come after its end. */
async function endOf(child: UtilityProcess, write: (text: string) => void): Promise<CommandEnd> {
  let output = '';
  const ends = [child.stdout, child.stderr].map(async stream => {
    for await (const text of stream?.setEncoding('utf8') ?? []) {
      output += text;
      write(String(text));
    }
  });
  const code = await new Promise<number>(resolve => child.once('exit', resolve));
  await Promise.race([Promise.all(ends), setTimeout(LAST_WORDS_MS)]);
  return { code, output };
}

/** Such as a data folder that cannot be written: there is no log to say it in. */
function endAtOnce(error: unknown): void {
  const { troubleTitle, noAccess } = shellTexts(app.getLocale());
  const why = error instanceof Error ? error.message : String(error);
  const isRefused = error instanceof Error && 'code' in error && /^(EACCES|EPERM)$/.test(String(error.code));
  dialog.showErrorBox(troubleTitle, isRefused ? filled(noAccess, { why }) : why);
  app.exit(1);
}
