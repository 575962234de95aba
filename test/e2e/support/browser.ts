import { existsSync } from 'node:fs';
import { type Browser, chromium as playwright } from 'playwright-core';

/** Where Debian, Ubuntu, Fedora, macOS and Windows put a Chromium. */
const INSTALLED = [
  process.env.HOLDPOINT_BROWSER,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

const HELP =
  'No Chromium can be started. On Debian: apt-get install -y chromium. Elsewhere: HOLDPOINT_BROWSER=/path/to/chromium.';

/** A real Chromium: an installed one, else the one that comes as a package. Without any, the tests fail and say what helps. */
export async function openBrowser(): Promise<Browser> {
  const installed = INSTALLED.find(path => path !== undefined && existsSync(path));
  try {
    if (installed)
      return await playwright.launch({ executablePath: installed, args: ['--no-sandbox', '--disable-quic'] });
    const { default: packaged } = await import('@sparticuz/chromium');
    return await playwright.launch({ executablePath: await packaged.executablePath(), args: packaged.args });
  } catch (cause) {
    throw new Error(HELP, { cause });
  }
}
