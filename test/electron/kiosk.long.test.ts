import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KIOSK_WINDOW } from '../../electron/window-policy.ts';
import { HOLDPOINT } from '../support/command-line.ts';
import { launchOnChromium } from './desktop-app.ts';
import { printFirstRecall } from './first-recall.ts';
import type { StandIn } from './stand-in-app.ts';

/** A kiosk by the policy of the machine: `dist/electron/main.js` as it is, on a real Chromium (chromium-electron.ts). */
const PIN = '493817';
let folder: string;
let desktop: Awaited<ReturnType<typeof launchOnChromium>>;
let app: StandIn;
let ended = false;

/** What an administrator puts into the policy. */
const pinCommand = (pin: string) =>
  spawnSync(process.execPath, [HOLDPOINT, 'policy', 'pin', '--pin-stdin'], {
    input: `${pin}\n`,
    encoding: 'utf8',
  });

it('takes no PIN that is guessed at once', () => {
  expect(pinCommand('4938')).toMatchObject({ status: 1, stderr: expect.stringContaining('at least 6') });
});

/** Only root can make a policy that is in force. */
describe.skipIf(process.getuid?.() !== 0)('a kiosk', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdpoint-kiosk-'));
    const policy = join(folder, 'policy.json');
    await writeFile(
      policy,
      JSON.stringify({ kiosk: true, kiosk_pin: pinCommand(PIN).stdout.trim(), kiosk_printer: 'zebra' }),
    );
    desktop = await launchOnChromium(folder, { HOLDPOINT_POLICY: policy });
    app = desktop.standIn;
    expect(desktop.options).toMatchObject(KIOSK_WINDOW);
  });
  afterAll(async () => {
    if (!ended) await desktop?.close();
    await rm(folder, { recursive: true });
  });

  const clickLink = (address: string, more = '') =>
    app.evaluate(
      `{ const link = document.createElement('a'); link.href = ${address}; ${more}; document.body.append(link); link.click(); }`,
    );
  const leave = (pin: string) => app.evaluate(`window.holdpoint.kiosk.leave({ pin: '${pin}' })`);
  const logText = () => readFile(join(app.data, 'logs', 'holdpoint.log'), 'utf8');

  it('says that it is one', async () => {
    expect(await app.evaluate('window.holdpoint.kiosk.isOn()')).toBe(true);
  });

  it('opens no window but for papers, and no browser of the system', async () => {
    await clickLink("'https://example.com/'", `link.target = '_blank'`);
    expect(await app.next('opened')).toMatchObject({ action: 'deny' });
    await app.evaluate(`void window.open('about:blank')`);
    expect(await app.next('opened')).toMatchObject({ action: 'deny' });
    const paper = `URL.createObjectURL(new Blob(['<p>Certificate 7</p>'], { type: 'text/html' }))`;
    await clickLink(paper, `link.target = '_blank'`);
    expect(await app.next('opened')).toMatchObject({ action: 'deny' });
    // Without the buttons of Chromium's viewer, which lead to the system's dialogs.
    await clickLink(`${paper} + '#toolbar=0'`, `link.target = '_blank'`);
    expect(await app.next('opened')).toMatchObject({ action: 'allow', text: 'Certificate 7' });
    expect(app.told('external')).toEqual([]);
  });

  it('goes nowhere else, and keeps no file', async () => {
    for (const address of ['http://127.0.0.1:9/', 'file:///etc/passwd']) {
      await app.evaluate(`{ location.href = '${address}' }`);
      expect(await app.evaluate('location.href')).toMatch(/^https:\/\/bundle\.localhost:/);
    }
    expect(await app.next('prevented')).toMatchObject({ url: 'http://127.0.0.1:9/' });
    await clickLink(`URL.createObjectURL(new Blob(['a,b']))`, `link.download = 'list.csv'`);
    expect(await app.next('download')).toMatchObject({ isPrevented: true });
  });

  it('has no key that leads out, and all that are typed', async () => {
    for (const keys of [
      'Control+n',
      'Control+p',
      'Control+o',
      'Control+s',
      'Control+Shift+I',
      'F11',
      'F12',
      'Alt+F4',
    ]) {
      app.press(keys);
      expect(await app.next('pressed')).toEqual({ event: 'pressed', keys, isPrevented: true });
    }
    await app.evaluate(`document.querySelector('input').focus()`);
    for (const keys of ['A', 'n', 'n']) {
      app.press(keys);
      expect(await app.next('pressed')).toMatchObject({ isPrevented: false });
    }
    expect(await app.evaluate(`document.querySelector('input').value`)).toContain('Ann');
    app.closeWindow();
    expect(await app.next('close-asked')).toMatchObject({ isPrevented: true });
  });

  it('prints a document at once, at the printer of its policy', async () => {
    await printFirstRecall(desktop.page);
    expect(await app.next('printed')).toMatchObject({
      on: 'zebra',
      silent: true,
      width: 210_000,
      height: 297_000,
      what: 'the paper',
    });
    await desktop.page.getByText('Handed to zebra.').waitFor();
    expect(app.told('opened')).toEqual([]);
  });

  it('comes back when its page dies, as a kiosk', async () => {
    app.crash();
    await app.next('reload');
    await app.next('window');
    await expect.poll(() => app.evaluate('document.querySelectorAll("h1").length')).toBe(1);
    expect(await app.evaluate('window.holdpoint.kiosk.isOn()')).toBe(true);
  });

  it('is left by the PIN alone, for an ordinary window at the same page', async () => {
    expect(await leave('000000')).toBe('wrong');
    const at = await app.evaluate('location.href');
    await app.evaluate(`void window.holdpoint.kiosk.leave({ pin: '${PIN}' })`);
    const { options } = await app.next('window');
    expect(options).not.toHaveProperty('kiosk');
    await expect.poll(() => app.evaluate('location.href')).toBe(at);
    expect(await app.evaluate('window.holdpoint.kiosk.isOn()')).toBe(false);
    const log = await logText();
    expect(log).toContain('A wrong PIN to leave the kiosk, 1 of 5.');
    expect(log).toContain('The kiosk was left by its PIN.');
    app.press('F11');
    expect(await app.next('pressed')).toMatchObject({ isPrevented: false });
  });

  it('starts again by itself after a fault of its main process', async () => {
    app.fault();
    await app.next('relaunch');
    expect(await app.ended()).toBe(0);
    ended = true;
    await app.quit();
  });
});

describe.skipIf(process.getuid?.() !== 0)('a kiosk whose policy names no printer', () => {
  it('shows the document, without buttons, and says that it is not printed, and why', async () => {
    const own = await mkdtemp(join(tmpdir(), 'holdpoint-kiosk-'));
    const policy = join(own, 'policy.json');
    await writeFile(policy, JSON.stringify({ kiosk: true }));
    const unprinted = await launchOnChromium(own, { HOLDPOINT_POLICY: policy });
    try {
      await printFirstRecall(unprinted.page);
      await unprinted.page.getByText('the policy of this machine names no printer').waitFor();
      expect(await unprinted.standIn.next('opened')).toMatchObject({
        action: 'allow',
        url: expect.stringMatching(/^blob:app:.*#toolbar=0$/),
      });
      expect(unprinted.standIn.told('printed')).toEqual([]);
    } finally {
      await unprinted.close();
      await rm(own, { recursive: true });
    }
  });
});
