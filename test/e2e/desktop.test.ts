import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bridgeHandlers } from '../../electron/bridge.ts';
import type { BridgeChannel } from '../../electron/bridge-channels.ts';
import { openLabelQueue, PrintFailure, type StoredLabelJob } from '../../electron/label-queue.ts';
import { sendRaw } from '../../electron/raw-printer.ts';
import type { UpdateReport } from '../../shared/contract/desktop-bridge.ts';
import { type PolicyPrinter, RAW_PORTS } from '../../shared/contract/label-printers.ts';
import { type App, openApp, signInByCall } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { openMenu } from './support/menu.ts';

/**
 * The screens in the desktop app: with its real preload, its real handlers and its real queue. Only Electron's channel
 * between them, the system's printers and the updater stand in.
 */
const folder = mkdtempSync(join(tmpdir(), 'holdpoint-desktop-screens-'));
const made = { part: 0 };
let app: App;
let page: Page;

/** What came to the system's printer, and how it takes it. */
const printed: StoredLabelJob[] = [];
let atPrinter: (job: StoredLabelJob) => Promise<void> = async () => {};
let report: UpdateReport = { state: { kind: 'off' }, looked_at: null };
let opened = 0;
let isKiosk = false;
let preset: PolicyPrinter | null = null;
let number = 0;
let handlers = startDesktop();

/** The main process as far as pages see it; called again it is its next start. */
function startDesktop() {
  return bridgeHandlers({
    version: '1.2.3',
    openLogs: () => {
      opened += 1;
    },
    printers: async () => [
      { name: 'zebra', title: 'Zebra ZD421' },
      { name: 'office', title: 'Office' },
    ],
    preset: () => preset,
    labels: openLabelQueue({
      path: join(folder, 'labels.json'),
      newId: () => `job-${++number}`,
      print: async job => {
        if (job.kind === 'network') return sendRaw({ ...job, content: Buffer.from(job.content, 'base64') });
        printed.push(job);
        return atPrinter(job);
      },
    }),
    kiosk: {
      isOn: () => isKiosk,
      leave: async pin => (pin === '493817' ? 'left' : 'wrong'),
      printer: () => null,
    },
    updates: { report: () => report, look: async () => {} },
  });
}

/** A page that the desktop app shows. */
async function openInDesktop(language: 'en' | 'de' = 'en'): Promise<Page> {
  const context = await app.browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: language,
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  await context.exposeFunction('askDesktop', (channel: BridgeChannel, args: unknown[]) =>
    handlers[channel](
      { senderFrame: { url: 'app://bundle/app', parent: null } },
      ...args.map(arg =>
        typeof arg === 'object' && arg !== null && 'content' in arg
          ? { ...arg, content: Uint8Array.from(arg.content as number[]) }
          : arg,
      ),
    ),
  );
  // Bytes go over Electron's channel as they are, over this one as numbers.
  const electron = `const require = () => ({
    contextBridge: { exposeInMainWorld: (name, bridge) => { window[name] = bridge; } },
    ipcRenderer: { invoke: (channel, ...args) => window.askDesktop(channel, args.map(arg =>
      arg?.content ? { ...arg, content: [...arg.content] } : arg)) },
  });`;
  const preload = readFileSync(join(folder, 'preload.cjs'), 'utf8');
  await context.addInitScript({ content: `(() => { ${electron}\n${preload}\n})();` });
  const opened = await context.newPage();
  opened.on('pageerror', error => app.faults.push(String(error)));
  await signInByCall(context, app.station.origin);
  return opened;
}

beforeAll(async () => {
  await build({ configFile: 'build/vite.preload.ts', logLevel: 'silent', build: { outDir: folder } });
  app = await openApp({
    fill: async station => {
      const { body } = await station.post('/parts', { name: 'Hex bolt M8', identification: 'HB-8' });
      made.part = (body as { data: { id: number } }).data.id;
    },
  });
  page = await openInDesktop();
});
afterAll(async () => {
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

const badge = (name: string | RegExp) => page.getByRole('banner').getByRole('link', { name });

async function openPart(on = page): Promise<void> {
  await on.goto(`${app.station.origin}/app/records/part/${made.part}`);
  await openMenu(on.getByRole('button', { name: 'Print' }));
  await on.getByRole('menuitem', { name: 'Part label' }).waitFor();
}

async function openDesktopPage(): Promise<void> {
  await page.goto(`${app.station.origin}/app/setup/desktop`);
  await page.getByRole('heading', { level: 1, name: 'This machine' }).waitFor();
}

async function printPartLabel(): Promise<void> {
  await openPart();
  await page.getByRole('menuitem', { name: 'Part label' }).press('Enter');
}

async function choose(name: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name }).press('Enter');
  await page.getByRole('option', { name: option }).click();
}

describe('in a browser', () => {
  it('labels are shown, and nothing speaks of the desktop app', async () => {
    await openPart(app.page);
    expect(await app.page.getByRole('combobox', { name: 'Labels go to' }).count()).toBe(0);
    const answer = app.page.waitForResponse(/\/x\/labels\/part\//);
    await app.page.getByRole('menuitem', { name: 'Part label' }).press('Enter');
    expect((await answer).headers()['content-type']).toBe('application/pdf');
    await app.page.goto(`${app.station.origin}/app/setup`);
    await app.page.getByRole('main').getByRole('link', { name: 'Account' }).waitFor();
    expect(await app.page.getByRole('link', { name: 'This machine', exact: true }).count()).toBe(0);
    expect(printed).toEqual([]);
  });
});

describe('in the desktop app', () => {
  it('labels go to the printer that was chosen, without a window', async () => {
    await openPart();
    await choose('Labels go to', 'Zebra ZD421');
    await page.getByRole('menuitem', { name: 'Part label' }).press('Enter');
    await page.getByText('Handed to zebra.').waitFor();
    expect(printed).toMatchObject([
      { printer: 'zebra', title: 'Part label: Hex bolt M8', width_mm: 62, height_mm: 29 },
    ]);
    expect(Buffer.from(printed[0]?.content ?? '', 'base64').toString('latin1', 0, 5)).toBe('%PDF-');
    expect(page.context().pages()).toHaveLength(1);
    // The choice is the machine's: it is there after the next start.
    await openPart();
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Labels go to' }).inputValue())
      .toBe('Zebra ZD421');
  });

  it('what did not get to the printer says why, where it was asked for', async () => {
    atPrinter = () => Promise.reject(new PrintFailure('no_printer', false));
    await printPartLabel();
    await page.getByRole('alert').getByText('This machine has no printer zebra.').waitFor();
    await badge('1 label not printed').press('Enter');
    const again = page.getByRole('button', { name: /^Print again: Part label: Hex bolt M8/ });
    atPrinter = async () => {};
    const before = printed.length;
    await again.press('Enter');
    await page.getByText('No label waits.').waitFor();
    expect(printed.length).toBe(before + 1);
    await expect.poll(() => badge(/not printed/).count()).toBe(0);
    // The button is gone; the focus is not.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2');
  });

  it('what was on its way when the app ended is shown and not printed again, until a person says so', async () => {
    atPrinter = () => new Promise(() => {});
    await printPartLabel();
    await page.getByText('On its way to zebra …').waitFor();
    const came = printed.length;
    atPrinter = async () => {};
    handlers = startDesktop();
    await openDesktopPage();
    await page.getByText('Perhaps printed at zebra: look there first').waitFor();
    await page.getByText('The app ended while the printer was getting it.').waitFor();
    await badge('1 label not printed').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(printed.length).toBe(came);

    const again = page.getByRole('button', { name: /^Print again: Part label/ });
    await again.press('Enter');
    const sure = page.getByRole('button', { name: /No label came out: print/ });
    await sure.waitFor();
    expect(printed.length).toBe(came);
    await sure.press('Enter');
    await page.getByText('No label waits.').waitFor();
    expect(printed.length).toBe(came + 1);
  });

  it('and is gone where it came out', async () => {
    atPrinter = () => Promise.reject(new PrintFailure('late', true));
    await printPartLabel();
    await page.getByRole('link', { name: 'Labels that wait: print again or discard' }).press('Enter');
    const came = printed.length;
    await page.getByRole('button', { name: /^Discard: Part label/ }).press('Enter');
    await page.getByText('No label waits.').waitFor();
    expect(printed.length).toBe(came);
  });

  it('a label printer in the network gets ZPL', async () => {
    const got: Buffer[] = [];
    const printer = createServer({ allowHalfOpen: true }, socket => {
      socket.on('data', chunk => got.push(chunk));
      socket.on('end', () => socket.end());
    });
    const port = await listenOnOneOf(printer, RAW_PORTS);
    await openDesktopPage();
    const host = page.getByRole('textbox', { name: 'Name or address' });
    await host.fill('printer/../x');
    await host.press('Enter');
    await page.getByText('Give a name or an address').waitFor();
    await host.fill('127.0.0.1');
    await choose('Port', String(port));
    await choose('Dots per inch', '300');
    await host.press('Enter');
    await page.getByText('Labels go there from now on.').waitFor();
    await printPartLabel();
    await page.getByText(`Handed to 127.0.0.1:${port}.`).waitFor();
    expect(Buffer.concat(got).toString()).toMatch(/^\^XA[\s\S]*HB-8[\s\S]*\^XZ\s*$/);
    printer.close();
    await once(printer, 'close');

    await printPartLabel();
    await page.getByRole('alert').getByText(`127.0.0.1:${port} cannot be reached`).waitFor();
  });

  it('labels go where the policy of the machine says, whatever was chosen', async () => {
    atPrinter = async () => {};
    preset = { kind: 'printer', name: 'office' };
    await openPart();
    const select = page.getByRole('combobox', { name: 'Labels go to' });
    await expect.poll(() => select.inputValue()).toBe('Office');
    await page.getByText('Set by the policy of this machine').waitFor();
    await select.press('Enter');
    await select.press('ArrowDown');
    expect(await page.getByRole('option').count()).toBe(0);
    const came = printed.length;
    await page.getByRole('menuitem', { name: 'Part label' }).press('Enter');
    await page.getByText('Handed to office.').waitFor();
    expect(printed.slice(came)).toMatchObject([{ printer: 'office' }]);

    preset = { kind: 'network', host: 'labels.example', port: 9100, dpi: 300 };
    await openDesktopPage();
    await expect.poll(() => select.inputValue()).toBe('label printer labels.example:9100');
    expect(await page.getByRole('button', { name: 'Print there' }).count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    preset = null;
    await openDesktopPage();
    await page.getByRole('button', { name: 'Print there' }).waitFor();
  });

  it('says how it stands with updates, and when it was looked', async () => {
    report = { state: { kind: 'latest' }, looked_at: '2031-01-15T08:30:00.000Z' };
    await openDesktopPage();
    await page.getByText('There is no newer version.').waitFor();
    await page.getByText('Jan 15, 2031, 8:30 AM').waitFor();
    await page.getByText('1.2.3').waitFor();
    report = { ...report, state: { kind: 'failed', why: 'not_genuine', message: 'sha512 mismatch' } };
    await page.getByRole('button', { name: 'Look now' }).press('Enter');
    await page.getByText('What came is not what central offers.').waitFor();
    await page.getByText('sha512 mismatch').waitFor();
    report = { ...report, state: { kind: 'ready', version: '1.3.0', needs_administrator: false } };
    await page.getByRole('button', { name: 'Look now' }).press('Enter');
    await page.getByText('Version 1.3.0 is ready. It is installed when the app is closed.').waitFor();
    const ready = report;
    report = { ...report, state: { kind: 'closed', window: '22:00-05:00' } };
    await page.getByRole('button', { name: 'Look now' }).press('Enter');
    await page.getByText('at these hours only, by the policy of this machine: 22:00-05:00.').waitFor();
    expect(await page.getByRole('button', { name: 'Look now' }).count()).toBe(0);
    report = ready;
    await page.getByRole('button', { name: 'Show the log' }).press('Enter');
    await expect.poll(() => opened).toBe(1);
  });

  it('at a kiosk the PIN is asked for, and what became of it is said', async () => {
    isKiosk = true;
    await openDesktopPage();
    for (const [pin, says] of [
      ['111111', 'This is not the PIN.'],
      ['493817', 'The full screen is left.'],
    ] as const) {
      await page.getByLabel('PIN', { exact: true }).fill(pin);
      await page.getByRole('button', { name: 'Leave the full screen' }).press('Enter');
      await page.getByText(says).waitFor();
    }
    expect(await axeFindings(page)).toEqual([]);
    await page.goto(`${app.station.origin}/app/setup/backup`);
    await page.getByRole('button', { name: 'Make a recovery key' }).press('Enter');
    // Its button opens the system's print dialog, and the other one its folders.
    await page.getByText('This machine neither prints nor saves a key').waitFor();
    expect(await page.getByRole('button', { name: /^(Print|Save as a file)$/ }).count()).toBe(0);
    isKiosk = false;
    await openDesktopPage();
    await page.getByText('There is no newer version').or(page.getByText('is ready')).waitFor();
    expect(await page.getByRole('button', { name: 'Leave the full screen' }).count()).toBe(0);
  });

  it('is for gloves, in German, in the light and in the dark', async () => {
    const german = await openInDesktop('de');
    await german.goto(`${app.station.origin}/app/setup/desktop`);
    await german.getByRole('heading', { level: 1, name: 'Dieser Rechner' }).waitFor();
    await german.getByRole('link', { name: '1 Etikett nicht gedruckt' }).waitFor();
    await german.getByText('Version 1.3.0 ist bereit.').waitFor();
    const small = await german
      .getByRole('main')
      .locator('button, input:not([type=hidden]), a')
      .evaluateAll(targets =>
        targets.filter(target => target.getBoundingClientRect().height < 48).map(target => target.outerHTML),
      );
    expect(small).toEqual([]);
    for (const look of ['dark', 'light']) {
      await german.evaluate(
        to => document.documentElement.setAttribute('data-mantine-color-scheme', to),
        look,
      );
      expect(await axeFindings(german), look).toEqual([]);
    }
    await german.context().close();
    expect(app.faults).toEqual([]);
  });
});

async function listenOnOneOf(server: ReturnType<typeof createServer>, ports: readonly number[]) {
  for (const port of ports) {
    server.listen(port, '127.0.0.1');
    const [error] = await Promise.race([once(server, 'listening'), once(server, 'error')]).catch(
      (cause: unknown) => [cause],
    );
    if (!error) return port;
  }
  throw new Error(`All of the ports ${ports.join(', ')} are taken.`);
}
