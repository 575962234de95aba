import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { BrowserWindowConstructorOptions } from 'electron';
import type { BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../e2e/support/browser.ts';
import { runInIsolatedWorld } from './isolated-world.ts';
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

const server = createServer(async (incoming, outgoing) => {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const { method = 'GET', headers } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const answer = await serve(`app://bundle${incoming.url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    signal: gone.signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' }),
  } as RequestInit).catch(() => undefined);
  outgoing.writeHead(answer?.status ?? 502, Object.fromEntries(answer?.headers ?? []));
  if (!answer?.body) return outgoing.end();
  Readable.fromWeb(answer.body as never)
    .on('error', () => outgoing.destroy())
    .pipe(outgoing);
});
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
const real = `http://bundle.localhost:${(server.address() as AddressInfo).port}`;
const toReal = (address: string) => address.replace('app://bundle', real);
const fromReal = (address: string) => address.replace(real, 'app://bundle');

let context: Promise<BrowserContext> | undefined;
/** Pages that a window has asked for and that are not there yet: all others a page has opened. */
let awaited = 0;
let screens: Contents | undefined;

async function open(): Promise<BrowserContext> {
  const made = await (await openBrowser()).newContext();
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

/** A page has opened a window (shell/browser/api/electron_api_web_contents.cc, lib/browser/guest-window-manager.ts). */
async function opened(page: Page): Promise<void> {
  const url = fromReal(page.url());
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
  tell('opened', {
    url: fromReal(page.url()),
    action,
    text: await page.evaluate('document.body.innerText'),
    bridge: await page.evaluate('typeof window.holdpoint'),
  });
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
  override reload(): void {
    tell('reload');
    this.renew();
  }
  /** Whether a listener prevents it. */
  asks(event: string, url: string): boolean {
    let isPrevented = false;
    this.emit(event, { url, preventDefault: () => (isPrevented = true) });
    return isPrevented;
  }
}

export class BrowserWindow extends BareWindow {
  override readonly webContents = new Contents();
  readonly #preload: string | undefined;
  #page: Promise<Page> | undefined;
  #isLoading = false;

  constructor(options: BrowserWindowConstructorOptions) {
    super(options);
    this.#preload = options.webPreferences?.preload;
    if (this.#preload === undefined) return;
    screens = this.webContents;
    this.webContents.renew = () => {
      this.#page = undefined;
      void this.loadURL(this.webContents.url);
    };
    process.on('message', this.#onMessage);
  }

  readonly #onMessage = async (asked: { id: number; do: string; expression: string; keys: string }) => {
    const page = await this.#page;
    // The page never answers to that.
    if (asked.do === 'crash') void page?.goto('chrome://crash').catch(() => undefined);
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
