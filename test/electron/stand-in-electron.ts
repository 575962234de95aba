import { fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type {
  BrowserWindowConstructorOptions,
  MessageBoxOptions,
  SafeStorage,
  WebContentsPrintOptions,
} from 'electron';
import { PRINTERS, printAsElectron } from './stand-in-printing.ts';
import { isRunning } from './stand-in-system.ts';

/**
 * Stands in for the module `electron` in a process of Node.js: enough of it for this app's main process, with what it
 * does to the system told to the test by messages. The server process is a real one.
 */
const PARENT_PORT = new URL('./stand-in-parent-port.ts', import.meta.url).href;

export const tell = (event: string, details: object = {}) => process.send?.({ event, ...details });
const answers: ((answer: number) => void)[] = [];
let protocolHandler: ((request: Request) => Promise<Response>) | undefined;

class StandInApp extends EventEmitter {
  readonly isPackaged = false;
  setPath = (name: string, path: string) => tell('path', { name, path });
  getPath = () => String(process.env.HOME);
  getVersion = () => '0.0.0';
  getLocale = () => 'en-GB';
  setAppUserModelId = (id: string) => tell('app-id', { id });
  commandLine = { hasSwitch: (name: string) => process.argv.includes(`--${name}`) };
  getLoginItemSettings = () => ({ wasOpenedAtLogin: false });
  enableSandbox = () => tell('sandbox');
  requestSingleInstanceLock = () => process.env.STAND_IN_SECOND !== '1';
  whenReady = () => Promise.resolve();
  setAsDefaultProtocolClient = (scheme: string) => tell('protocol-client', { scheme });
  setLoginItemSettings = () => {};
  relaunch = () => tell('relaunch');
  /** docs/api/utility-process.md: a process has the name that `serviceName` gives it. */
  getAppMetrics = () => servers.filter(({ pid }) => isRunning(pid));
  quit = () => {
    let isPrevented = false;
    this.emit('before-quit', {
      preventDefault: () => {
        isPrevented = true;
      },
    });
    if (isPrevented) return;
    this.emit('quit', {}, 0);
    this.exit(0);
  };
  exit = (code: number) => process.exit(code);
}
export const app = new StandInApp();
/** What is not said is sent to a server that must be named (lib/browser/api/crash-reporter.ts, start). */
export const crashReporter = { start: (options: object) => tell('crash-reporter', { options }) };

/** What a page is to the main process. */
export class StandInContents extends EventEmitter {
  #isReadyToPrint = false;

  /** The viewer is there before it has read the paper (spec/api-web-contents-spec.ts, "from an existing pdf document"). */
  loadPaper(): void {
    setTimeout(() => {
      this.#isReadyToPrint = true;
      this.emit('-pdf-ready-to-print');
    }, 100);
  }
  getPrintersAsync = async () => Object.keys(PRINTERS).map(name => ({ name, displayName: name }));
  print(options: WebContentsPrintOptions, callback: (isDone: boolean, reason: string) => void): void {
    printAsElectron(options, callback, printed =>
      tell('printed', { ...printed, what: this.#isReadyToPrint ? 'the paper' : 'nothing' }),
    );
  }
  reload(): void {
    tell('reload');
  }
  getURL = () => '';
}

/** The window that a person sees. */
let shown: BrowserWindow | undefined;
export class BrowserWindow extends EventEmitter {
  readonly options: BrowserWindowConstructorOptions;

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
  }

  readonly webContents = new StandInContents();

  async loadURL(path: string): Promise<void> {
    if (path.startsWith('data:application/pdf')) return this.webContents.loadPaper();
    tell('window', { path, preferences: this.options.webPreferences, options: this.options });
    this.beSeen();
    this.emit('ready-to-show');
  }
  /** A person sees this one from now on. */
  protected beSeen(): void {
    shown = this;
  }
  show(): void {}
  focus(): void {}
  maximize(): void {}
  isMinimized = () => false;
  isMaximized = () => false;
  destroy(): void {}
  getNormalBounds = () => ({ x: 10, y: 10, width: 1000, height: 800 });
}

/** A window without a page; the system speaks to it. */
const bare: BaseWindow[] = [];
export class BaseWindow extends EventEmitter {
  constructor() {
    super();
    bare.push(this);
  }
}

export class Tray extends EventEmitter {
  setContextMenu(): void {}
  setToolTip(text: string): void {
    tell('tray', { text });
  }
}

export class Notification {
  static isSupported = () => false;
  show(): void {}
}

export const Menu = {
  buildFromTemplate: (template: unknown) => template,
  setApplicationMenu: (menu: unknown) => tell('menu', { isThere: menu !== null }),
};
export const screen = { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }] };
export const powerMonitor = new EventEmitter();
const handlers = new Map<string, (event: object, ...args: unknown[]) => unknown>();
export const ipcMain = {
  handle(channel: string, handler: (event: object, ...args: unknown[]) => unknown): void {
    handlers.set(channel, handler);
    tell('ipc', { channel });
  },
};
export const nativeImage = { createFromPath: (path: string) => ({ resize: () => path }) };
export const shell = {
  openExternal: async (url: string) => tell('external', { url }),
  openPath: async () => '',
  showItemInFolder: (path: string) => tell('shown', { path }),
};
export const safeStorage = {
  isEncryptionAvailable: () => true,
  getSelectedStorageBackend: () => 'basic_text',
  encryptString: text => Buffer.from(text),
  decryptString: bytes => bytes.toString(),
} satisfies Partial<SafeStorage>;
export const dialog = {
  showErrorBox: (title: string, text: string) => tell('error-box', { title, text }),
  showMessageBox: (options: MessageBoxOptions) => {
    tell('dialog', { options });
    return new Promise(resolve => answers.push(response => resolve({ response })));
  },
};
export const protocol = {
  registerSchemesAsPrivileged: (schemes: unknown) => tell('schemes', { schemes }),
  handle: (_scheme: string, handler: (request: Request) => Promise<Response>) => {
    protocolHandler = handler;
  },
};

const denied: Record<string, unknown> = {};
export const session = {
  defaultSession: Object.assign(new EventEmitter(), {
    resolveProxy: async (url: string) => {
      tell('proxy', { url });
      return process.env.STAND_IN_PROXY ?? 'DIRECT';
    },
    setPermissionCheckHandler: (handle: unknown) => Object.assign(denied, { check: handle }),
    setPermissionRequestHandler: (handle: unknown) => Object.assign(denied, { request: handle }),
    setDevicePermissionHandler: (handle: unknown) => Object.assign(denied, { device: handle }),
  }),
};

const servers: { pid: number; name: string }[] = [];
interface ForkOptions {
  env: Record<string, string>;
  serviceName: string;
}

export const utilityProcess = {
  fork: (program: string, args: string[], { env, serviceName }: ForkOptions) => {
    const child = fork(program, args, {
      env,
      execArgv: ['--disable-warning=ExperimentalWarning', '--import', PARENT_PORT],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    servers.push({ pid: Number(child.pid), name: serviceName });
    tell('server', { pid: child.pid });
    return Object.assign(child, {
      postMessage: (message: unknown) => void (child.connected && child.send({ data: message })),
      kill: () => process.kill(Number(child.pid), 'SIGKILL'),
    });
  },
};

/** What a page of the app's scheme gets. Node's Request refuses nothing that Electron's has, but knows no scheme of ours. */
export async function serve(url: string, init: RequestInit): Promise<Response | undefined> {
  const request = new Request(url.replace(/^app:/, 'http:'), init);
  const seen = new Proxy(request, {
    get: (target, name) => {
      if (name === 'url') return url;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return protocolHandler?.(seen);
}

/** As a page calls it over the bridge. */
export function invoke(channel: string, event: object, ...args: unknown[]): unknown {
  return handlers.get(channel)?.(event, ...args);
}

/** Whether the app grants a page something. Both of its answers count (shell/browser/electron_permission_manager.cc). */
export function grants(permission: string, address: string): boolean {
  const { check, request } = denied as Record<string, (...args: unknown[]) => unknown>;
  let isGranted = false;
  const answer = (isIt: boolean) => {
    isGranted = isIt;
  };
  request?.(null, permission, answer, { requestingUrl: address });
  return isGranted && check?.(null, permission, address, {}) === true;
}

/** What the test asks for. */
process.on('message', async (asked: { id: number; do: string; [key: string]: unknown }) => {
  switch (asked.do) {
    case 'ask': {
      const { url, ...init } = asked as unknown as { url: string } & RequestInit;
      const answer = await serve(url, init);
      const { status = 0 } = answer ?? {};
      const text = asked.first === true ? await firstChunk(answer) : await answer?.text();
      tell('answer', { id: asked.id, status, headers: [...(answer?.headers ?? [])], body: text });
      break;
    }
    case 'emit':
      (asked.on === 'power' ? powerMonitor : app).emit(String(asked.name), ...(asked.args as unknown[]));
      break;
    case 'invoke': {
      const event = { senderFrame: { url: 'app://bundle/app', parent: null } };
      if (asked.input === undefined) {
        await invoke(String(asked.channel), event);
        break;
      }
      const { content, ...input } = asked.input as { content: string };
      await invoke(String(asked.channel), event, { ...input, content: Buffer.from(content) });
      break;
    }
    case 'end-session':
      // Once the listeners have returned, Windows ends the program and its children (native_window_views_win.cc).
      for (const window of bare) window.emit('session-end', { reasons: ['shutdown'] });
      return endAtOnce();
    case 'shut-down': {
      // What is not prevented goes on at once (shell/browser/lib/power_observer_linux.cc).
      let isPrevented = false;
      powerMonitor.emit('shutdown', { preventDefault: () => (isPrevented = true) });
      return isPrevented ? undefined : endAtOnce();
    }
    case 'close-window': {
      // As the window's button and Alt+F4 do (shell/browser/api/electron_api_base_window.cc, BaseWindow::WillCloseWindow).
      let isPrevented = false;
      shown?.emit('close', { preventDefault: () => (isPrevented = true) });
      tell('close-asked', { isPrevented });
      if (!isPrevented) shown?.emit('closed');
      break;
    }
    case 'fault':
      setImmediate(() => {
        throw new Error('A fault of the app');
      });
      break;
    case 'choose':
      answers.shift()?.(Number(asked.button));
      break;
    case 'quit':
      app.quit();
      break;
  }
});

function endAtOnce(): void {
  for (const { pid } of app.getAppMetrics()) process.kill(pid, 'SIGKILL');
  process.exit(0);
}

async function firstChunk(answer: Response | undefined): Promise<string> {
  const reader = answer?.body?.getReader();
  const chunk = await reader?.read();
  await reader?.cancel();
  return Buffer.from(chunk?.value ?? []).toString();
}
