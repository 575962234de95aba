import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { BrowserWindowConstructorOptions } from 'electron';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startBrowser } from '../e2e/support/browser.ts';
import { selfMade } from '../support/certificates.ts';
import { OPEN_PATH, runInIsolatedWorld } from './isolated-world.ts';
import {
  app,
  BrowserWindow as BareWindow,
  grants,
  invoke,
  StandInContents,
  serve,
  session,
  tell,
} from './stand-in-electron.ts';

/**
 * The module `electron` with a real Chromium for its windows. The app's scheme is a server on loopback, which a page takes
 * for as safe as the scheme; addresses are translated to and fro. Each rule names where Electron has it.
 */
export * from './stand-in-electron.ts';

/** Of HTTP/2: a page's streams go out by no older one. */
const { certificate: cert, key } = selfMade(['bundle.localhost']);
const server = createSecureServer({ cert, key, allowHTTP1: true }, async (incoming, outgoing) => {
  const { method = 'GET', url: path = '' } = incoming;
  if (path.startsWith(OPEN_PATH))
    return outgoing.end(mayOpen(decodeURIComponent(path.slice(OPEN_PATH.length))));
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const headers = Object.entries(incoming.headers).filter(([name]) => !name.startsWith(':'));
  const body =
    method === 'GET' || method === 'HEAD' ? null : await bodyOf(incoming, path).catch(() => undefined);
  // The page left before all of it was there.
  if (body === undefined) return outgoing.destroy();
  const answer = await serve(`app://bundle${path}`, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
    signal: gone.signal,
    ...(body && { body, duplex: 'half' }),
  } as RequestInit).catch(() => undefined);
  outgoing.writeHead(answer?.status ?? 502, Object.fromEntries(answer?.headers ?? []));
  if (!answer?.body) return outgoing.end();
  Readable.fromWeb(answer.body as never)
    .on('error', () => outgoing.destroy())
    .pipe(outgoing as never);
});
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
const real = `https://bundle.localhost:${(server.address() as AddressInfo).port}`;
const toReal = (address: string) => address.replace('app://bundle', real);
const fromReal = (address: string) => address.replace(real, 'app://bundle');

/**
 * What a page sends, text or a file, comes to the main process in one piece, whatever its size; a stream comes as one
 * (lib/browser/api/protocol.ts, convertToRequestBody; spec/api-protocol-spec.ts, "can receive streaming fetch upload"). A page
 * knows the length of all but a stream.
 */
async function bodyOf(
  incoming: Readable & { headers: object },
  path: string,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  let largest = 0;
  if ('content-length' in incoming.headers) {
    const whole = await buffer(incoming);
    tell('body', { path, largest: whole.length });
    return whole as Uint8Array<ArrayBuffer>;
  }
  const pieces = incoming[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      // As Electron reads its pipe: when more is asked for (the same file, makeStreamFromPipe).
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (!done) {
          largest = Math.max(largest, value.length);
          return controller.enqueue(value);
        }
        tell('body', { path, largest });
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

let context: Promise<BrowserContext> | undefined;
/** Pages that a window has asked for and that are not there yet: all others a page has opened. */
let awaited = 0;
let screens: Contents | undefined;
/** The addresses of windows that a page has asked for and that are not there yet. */
const requested: string[] = [];

let browser: Browser | undefined;
async function open(): Promise<BrowserContext> {
  browser = await startBrowser(['--remote-debugging-port=0', '--enable-automation']);
  tell('browser', { debugger: await debuggerOf(browser), origin: real });
  const made = await browser.newContext({ ignoreHTTPSErrors: true });
  const wanted = { 'clipboard-write': 'clipboard-sanitized-write', 'clipboard-read': 'clipboard-read' };
  const granted = Object.entries(wanted).filter(([, name]) => grants(name, 'app://bundle/'));
  await made.grantPermissions(
    granted.map(([name]) => name),
    { origin: real },
  );
  made.on('page', page => {
    if (awaited > 0) awaited -= 1;
    else void opened(page);
  });
  return made;
}

/** Where another program follows the same pages. */
async function debuggerOf(started: Browser): Promise<string> {
  const session = await started.newBrowserCDPSession();
  const { arguments: words } = await session.send('Browser.getBrowserCommandLine');
  await session.detach();
  const profile = words.find(word => word.startsWith('--user-data-dir='))?.split('=')[1] ?? '';
  const [port, path] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
  return `ws://127.0.0.1:${port}${path}`;
}

/** `window.open` gives a page null where the app denies (docs/api/window-open.md; lib/browser/guest-window-manager.ts). */
function mayOpen(address: string): string {
  const url = fromReal(address);
  const { action } = screens?.decide({ url }) ?? { action: 'deny' };
  if (action === 'deny') tell('opened', { url, action });
  return action;
}

/** A page has opened a window (shell/browser/api/electron_api_web_contents.cc, lib/browser/guest-window-manager.ts). */
async function opened(page: Page): Promise<void> {
  const url = fromReal(requested.shift() ?? page.url());
  const { action } = screens?.decide({ url }) ?? { action: 'deny' };
  if (action === 'deny') {
    await page.close();
    tell('opened', { url, action });
    return;
  }
  const contents = new Contents();
  // The page began this load, so its window is asked too (shell/browser/electron_navigation_throttle.cc).
  const isPrevented = contents.asks('will-navigate', url);
  if (isPrevented) await page.goto('about:blank');
  // A Chromium without a viewer keeps a PDF as a file, and closes its window.
  const seen = (expression: string) => page.evaluate(expression).catch(() => undefined);
  tell('opened', {
    url,
    action,
    text: await seen('document.body.innerText'),
    bridge: await seen('typeof window.holdpoint'),
  });
}

/** An event that a listener may prevent (shell/common/gin_helper/event.cc). */
class Asked {
  defaultPrevented = false;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

class Contents extends StandInContents {
  url = '';
  decide: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });
  renew = (): void => {};

  constructor() {
    super();
    app.emit('web-contents-created', {}, this);
  }
  setWindowOpenHandler(decide: Contents['decide']): void {
    this.decide = decide;
  }
  override getURL = () => this.url;
  /** docs/api/web-contents.md; what it was made with. */
  preferences: object = {};
  getLastWebPreferences = () => this.preferences;
  page: () => Promise<Page | undefined> = async () => undefined;
  executeJavaScript = async (text: string) => (await this.page())?.evaluate(text);
  forcefullyCrashRenderer(): void {
    // The page never answers to that.
    void this.page().then(page => page?.goto('chrome://crash').catch(() => undefined));
  }
  override reload(): void {
    tell('reload');
    this.renew();
  }
  /** Whether a listener prevents it. */
  asks(event: string, url: string): boolean {
    const asked = new Asked(url);
    this.emit(event, asked);
    return asked.defaultPrevented;
  }
}

export class BrowserWindow extends BareWindow {
  override readonly webContents = new Contents();
  readonly #preload: string | undefined;
  #page: Promise<Page> | undefined;
  #isLoading = false;
  static #all: BrowserWindow[] = [];
  static getAllWindows = () => [...BrowserWindow.#all];

  constructor(options: BrowserWindowConstructorOptions) {
    super(options);
    this.#preload = options.webPreferences?.preload;
    this.webContents.preferences = options.webPreferences ?? {};
    if (this.#preload === undefined) return;
    BrowserWindow.#all.unshift(this);
    screens = this.webContents;
    this.webContents.page = async () => this.#page;
    this.webContents.renew = () => {
      this.#page = undefined;
      void this.loadURL(this.webContents.url);
    };
    process.on('message', this.#onMessage);
  }

  readonly #onMessage = async (asked: { id: number; do: string; expression: string; keys: string }) => {
    const page = await this.#page;
    if (asked.do === 'crash') this.webContents.forcefullyCrashRenderer();
    if (asked.do === 'press') await this.#press(asked.keys);
    if (asked.do !== 'evaluate') return;
    const value = await page?.evaluate(asked.expression).catch((error: Error) => error.message);
    tell('evaluated', { id: asked.id, value });
  };

  /** The main process is asked of each key first (shell/browser/api/electron_api_web_contents.cc, PreHandleKeyboardEvent). */
  async #press(keys: string): Promise<void> {
    const names = keys.split('+');
    const [key = ''] = names.slice(-1);
    const has = (name: string) => names.slice(0, -1).includes(name);
    const input = { key, control: has('Control'), alt: has('Alt'), meta: has('Meta'), shift: has('Shift') };
    let isPrevented = false;
    this.webContents.emit('before-input-event', { preventDefault: () => (isPrevented = true) }, input);
    if (!isPrevented) await (await this.#page)?.keyboard.press(keys);
    tell('pressed', { keys, isPrevented });
  }

  override destroy(): void {
    if (this.#preload === undefined) return;
    process.off('message', this.#onMessage);
    BrowserWindow.#all = BrowserWindow.#all.filter(each => each !== this);
    void this.#page?.then(page => page.close());
    this.emit('closed');
  }

  override async loadURL(address: string): Promise<void> {
    if (this.#preload === undefined) return super.loadURL(address);
    this.#page ??= this.#makePage(this.#preload);
    const page = await this.#page;
    // What the app begins asks nobody (docs/api/web-contents.md, will-navigate).
    this.#isLoading = true;
    await page.goto(toReal(address), { waitUntil: 'domcontentloaded' });
    this.#isLoading = false;
    tell('window', { path: address, options: this.options });
    this.beSeen();
    this.emit('ready-to-show');
  }

  async #makePage(preload: string): Promise<Page> {
    context ??= open();
    const within = await context;
    awaited += 1;
    const page = await within.newPage();
    const frame = page.mainFrame();
    const devtools = await within.newCDPSession(page);
    await devtools.send('Page.enable');
    devtools.on('Page.windowOpen', ({ url }) => requested.push(url));
    await runInIsolatedWorld(page, readFileSync(preload, 'utf8'), (channel, ...args) =>
      invoke(channel, { senderFrame: { url: fromReal(frame.url()), parent: null } }, ...args),
    );
    await page.route('**/*', route => {
      const request = route.request();
      const isOwn = request.isNavigationRequest() && request.frame() === page.mainFrame();
      const url = fromReal(request.url());
      if (!isOwn || this.#isLoading || !this.webContents.asks('will-navigate', url)) return route.continue();
      tell('prevented', { url });
      return route.abort('aborted');
    });
    page.on('framenavigated', frame => {
      if (frame === page.mainFrame()) this.webContents.url = fromReal(frame.url());
    });
    page.on('download', download => {
      // A page may keep what the session lets it (shell/browser/electron_download_manager_delegate.cc).
      const url = fromReal(download.url());
      let isPrevented = false;
      const event = { preventDefault: () => (isPrevented = true) };
      session.defaultSession.emit('will-download', event, { getURL: () => url });
      tell('download', { url, isPrevented });
      if (isPrevented) void download.cancel();
    });
    page.on('crash', () => this.webContents.emit('render-process-gone', {}, { reason: 'crashed' }));
    return page;
  }
}

/** What others may have copied: of the whole system, so of a context that the app knows nothing of. */
export const clipboard = {
  async readText(): Promise<string> {
    const own = await browser?.newContext({ ignoreHTTPSErrors: true });
    await own?.grantPermissions(['clipboard-read'], { origin: real });
    await own?.route('**/*', route => route.fulfill({ contentType: 'text/html', body: '' }));
    const page = await own?.newPage();
    await page?.goto(real);
    const text = await page?.evaluate('navigator.clipboard.readText()');
    await own?.close();
    return String(text);
  },
};

process.on('message', async (asked: { id: number; do: string; work: string }) => {
  if (asked.do !== 'in-main') return;
  // biome-ignore lint/security/noGlobalEval: a function of the test, as Playwright runs it in Electron's main process
  const work = globalThis.eval(`(${asked.work})`) as (electron: object) => unknown;
  const told = await Promise.resolve()
    .then(() => work({ app, BrowserWindow, clipboard }))
    .then(
      value => ({ value }),
      (error: unknown) => ({ error: String(error) }),
    );
  tell('in-main', { id: asked.id, ...told });
});
