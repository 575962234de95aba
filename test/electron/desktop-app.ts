import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { _electron, chromium, type Page } from 'playwright-core';
import { vi } from 'vitest';
import { electronProgram } from '../../build/electron-runtime.ts';
import { layDesktop } from './lay-desktop.ts';
import { PATIENCE_MS, type StandIn, startStandIn } from './stand-in-app.ts';

const INSTALLERS = join(import.meta.dirname, '..', '..', 'dist', 'installers');

/** The desktop app as a test drives it, whatever runs it. */
export interface DesktopApp {
  /** The window of the screens. */
  page: Page;
  /** Where a page is, in the app's words: `app://bundle/…`. */
  addressOf(page: Page): string;
  windows(): Page[];
  /** The next window that opens. */
  nextWindow(): Promise<Page>;
  /** In the main process; the function sees the module `electron` and nothing of its own surroundings. */
  inMain<Result>(work: (electron: typeof Electron) => Result): Promise<Awaited<Result>>;
  close(): Promise<void>;
}

const runtime = electronProgram();
const asar = packedAsar();
/** Whether it runs on Electron: where its runtime is, and what `npm run dist -- --dir` packs with it. */
export const isOnElectron = runtime !== undefined && asar !== undefined;

/**
 * The app on data of its own in `folder`: on Electron, as it is shipped; without its runtime `dist/electron/main.js` as it is
 * on a real Chromium (chromium-electron.ts). Either way Playwright drives the pages.
 */
export function launchDesktop(folder: string): Promise<DesktopApp> {
  return isOnElectron ? onElectron(folder) : launchOnChromium(folder);
}

/** The fuses leave Playwright no way into the main process of the packed program: what is packed is run by the runtime itself. */
async function onElectron(folder: string): Promise<DesktopApp> {
  const app = await _electron.launch({
    executablePath: String(runtime),
    // Containers have no user namespaces for the sandbox; everywhere else it is on.
    args: [String(asar), ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: {
      ...Object.fromEntries(
        Object.entries(process.env).flatMap(([key, value]) => (value ? [[key, value]] : [])),
      ),
      HOLDPOINT_DATA: join(folder, 'data'),
      HOLDPOINT_PORT: '0',
      XDG_DATA_HOME: join(folder, 'share'),
      LOCALAPPDATA: join(folder, 'local'),
    },
  });
  const page = await app.firstWindow();
  await page.waitForURL(/^app:\/\/bundle\/first/);
  return {
    page,
    addressOf: shown => shown.url(),
    windows: () => app.windows(),
    nextWindow: () => app.waitForEvent('window'),
    inMain: work => app.evaluate(work) as Promise<never>,
    close: () => app.close(),
  };
}

/** With what its main process told, and what the window was made with: for what no page and no function there shows. */
export async function launchOnChromium(
  folder: string,
  further: Record<string, string> = {},
): Promise<DesktopApp & { standIn: StandIn; options: unknown }> {
  const bundle = await layDesktop(folder);
  const env = { STAND_IN_CHROMIUM: '1', HOLDPOINT_DATA: join(folder, 'data'), ...further };
  const app = await startStandIn({ bundle, env });
  const { debugger: address, origin } = await app.next('browser');
  const browser = await chromium.connectOverCDP(String(address));
  const [context] = browser.contexts();
  if (!context) throw new Error('The app has no windows.');
  context.setDefaultTimeout(PATIENCE_MS);
  const windows = () => context.pages().filter(each => /^(blob:)?https:\/\/bundle\./.test(each.url()));
  const { options } = await app.next('window');
  // It is made before its page has an address.
  const page = await vi.waitUntil(() => windows()[0], { timeout: PATIENCE_MS });
  return {
    page,
    standIn: app,
    options,
    addressOf: shown => shown.url().replace(String(origin), 'app://bundle'),
    windows,
    nextWindow: () => context.waitForEvent('page'),
    inMain: work => app.inMain(String(work)) as Promise<never>,
    async close() {
      await browser.close();
      await app.quit();
    },
  };
}

function packedAsar(): string | undefined {
  if (!existsSync(INSTALLERS)) return undefined;
  return readdirSync(INSTALLERS, { recursive: true, encoding: 'utf8' })
    .filter(name => /(^|[\\/])app\.asar$/.test(name))
    .map(name => join(INSTALLERS, name))[0];
}
