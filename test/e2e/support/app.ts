import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Station, type StationOptions } from '../../support/station.ts';
import { closeWindows, openBrowser } from './browser.ts';

export const ADMINISTRATOR = { name: 'Ada Admin', login: 'ada', password: 'correct horse battery' };

/** A real station and a real browser, with an administrator who is signed in. */
export interface App {
  station: Station;
  browser: Browser;
  context: BrowserContext;
  page: Page;
  /** Faults that pages reported: script errors, and what the policy refused. Empty when all is well. */
  faults: string[];
  /** A further signed-in window, with its own session. */
  open(options?: WindowOptions): Promise<Page>;
  close(): Promise<void>;
}

export interface WindowOptions {
  width?: number;
  height?: number;
  language?: 'en' | 'de';
  /** Who is signed in; the administrator unless said. */
  user?: { login: string; password: string };
}

/** @param fill puts records there before the first page is opened, through the interface */
export async function openApp(
  options: StationOptions & { fill?: (station: Station) => Promise<unknown> } = {},
): Promise<App> {
  const station = new Station(options);
  await station.start();
  const { status, body } = await station.post('/x/users', {
    name: ADMINISTRATOR.name,
    login: ADMINISTRATOR.login,
    password: ADMINISTRATOR.password,
    is_password_temporary: false,
    roles: ['administrator'],
  });
  if (status !== 201) throw new Error(`The administrator was not made: ${JSON.stringify(body)}`);
  await options.fill?.(station);
  const browser = await openBrowser();
  const faults: string[] = [];
  const open = (window?: WindowOptions) => openWindow(browser, station.origin, faults, window);
  const page = await open();
  return {
    station,
    browser,
    context: page.context(),
    page,
    faults,
    open,
    async close() {
      try {
        await closeWindows();
      } finally {
        await station.stop();
      }
    },
  };
}

/**
 * A window of its own session, signed in.
 * @param faults takes what its page reports, as in `App`
 */
export async function openWindow(
  browser: Browser,
  origin: string,
  faults: string[],
  { width = 1280, height = 800, language = 'en', user = ADMINISTRATOR }: WindowOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height },
    locale: language,
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.on('pageerror', error => faults.push(String(error)));
  page.on('console', message => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      faults.push(message.text());
  });
  await signInByCall(context, origin, user);
  // A page that reads next to nothing; tests go on to theirs.
  await page.goto(`${origin}/app/records`);
  await page.locator('main#main').waitFor();
  return page;
}

/** Where it is not the test's own subject, which it is in `session.test.ts`. */
export async function signInByCall(
  { request }: BrowserContext,
  origin: string,
  { login, password }: NonNullable<WindowOptions['user']> = ADMINISTRATOR,
): Promise<void> {
  const answer = await request.post(`${origin}/api/v2/x/session`, {
    headers: { origin },
    data: { login, password },
  });
  if (answer.status() !== 201) throw new Error(`${login} cannot sign in: ${await answer.text()}`);
}
