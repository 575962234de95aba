import { rm } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { commonFolder } from '../../support/sample-company.ts';
import { Station, type StationOptions } from '../../support/station.ts';
import { closeWindows, openBrowser } from './browser.ts';

export const ADMINISTRATOR = { name: 'Ada Admin', login: 'ada', password: 'correct horse battery' };

/** Who works at the dock: an operator, whom `addClerk` makes. */
export const CLERK = { name: 'Cleo Clerk', login: 'cleo', password: 'correct horse battery' };

/** For `fill` of `openApp`; the window is opened as this user by `app.open({ user: CLERK })`. */
export async function addClerk(station: Station): Promise<void> {
  const { status } = await station.post('/x/users', {
    ...CLERK,
    is_password_temporary: false,
    roles: ['operator'],
  });
  if (status !== 201) throw new Error('The clerk was not made.');
}

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
  /** A screen for fingers. */
  hasTouch?: boolean;
  /** Who is signed in; the administrator unless said. */
  user?: { login: string; password: string };
}

/**
 * @param fill puts records there before the first page is opened, through the interface
 * @param window of `page`: whose it is, and how large
 */
export async function openApp(
  options: StationOptions & { fill?: (station: Station) => Promise<unknown>; window?: WindowOptions } = {},
): Promise<App> {
  const isUsual = [options.folder, options.env, options.program].every(each => each === undefined);
  const begun = isUsual ? await begunFolder() : undefined;
  const station = new Station({ ...options, ...(begun && { folder: begun.folder }) });
  await station.start();
  if (!begun) await makeAdministrator(station);
  await options.fill?.(station);
  const browser = await openBrowser();
  const faults: string[] = [];
  const open = (window?: WindowOptions) => openWindow(browser, station.origin, faults, window);
  const cookies = options.window?.user === undefined ? begun?.noted : undefined;
  const page = await openWindow(browser, station.origin, faults, { ...options.window, cookies });
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
        if (begun) await rm(begun.folder, { recursive: true });
      }
    },
  };
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

/** Of a station whose administrator is signed in already: hashing a password twice would cost most of a start. */
function begunFolder() {
  return commonFolder('begun', async (station): Promise<Cookies> => {
    await makeAdministrator(station);
    const context = await (await openBrowser()).newContext();
    try {
      await signInByCall(context, station.origin);
      return await context.cookies();
    } finally {
      await context.close();
    }
  });
}

/** `ADMINISTRATOR`, at an installation where nobody signs in yet. */
export async function makeAdministrator(station: Station): Promise<void> {
  const { status, body } = await station.post('/x/users', {
    ...ADMINISTRATOR,
    is_password_temporary: false,
    roles: ['administrator'],
  });
  if (status !== 201) throw new Error(`The administrator was not made: ${JSON.stringify(body)}`);
}

/**
 * A window of its own session, signed in.
 * @param faults takes what its page reports, as in `App`
 * @param options.cookies of a session that the user has there already; where it has ended or rests, a new one begins
 */
export async function openWindow(
  browser: Browser,
  origin: string,
  faults: string[],
  options: WindowOptions & { cookies?: Cookies | undefined } = {},
): Promise<Page> {
  const { width = 1280, height = 800, language = 'en', hasTouch = false } = options;
  const { user = ADMINISTRATOR, cookies = [] } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    locale: language,
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    hasTouch,
  });
  const page = await context.newPage();
  page.on('pageerror', error => faults.push(String(error)));
  page.on('console', message => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      faults.push(message.text());
  });
  await context.addCookies(cookies);
  if (!(await isSignedIn(context, origin))) await signInByCall(context, origin, user);
  // A page that reads next to nothing; tests go on to theirs.
  await page.goto(`${origin}/app/records`);
  await page.locator('main#main').waitFor();
  return page;
}

async function isSignedIn(context: BrowserContext, origin: string): Promise<boolean> {
  if ((await context.cookies()).length === 0) return false;
  const answer = await context.request.get(`${origin}/api/v2/x/session`);
  if (answer.status() !== 200) return false;
  const { data } = (await answer.json()) as { data: { user: unknown; is_locked: boolean } };
  return data.user !== null && !data.is_locked;
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

/** A page of an installation, in a window of its own in which the administrator is signed in. */
export async function signedInPage(
  browser: Browser,
  { origin }: Station,
  locale: 'en' | 'de',
  path: string,
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1024, height: 768 },
    locale,
    timezoneId: 'UTC',
    ignoreHTTPSErrors: true,
    reducedMotion: 'reduce',
  });
  await signInByCall(context, origin);
  const page = await context.newPage();
  await page.goto(`${origin}/app/${path}`);
  return page;
}
