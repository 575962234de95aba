import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FUSES } from '../../build/fuses.ts';
import { SAFE_PREFERENCES } from '../../electron/window-policy.ts';
import { PAGE_POLICY } from '../../shared/contract/page-policy.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');
const sources = readdirSync(join(PROJECT, 'electron')).map(name => ({
  name,
  text: read(`electron/${name}`),
}));
const shell = sources.map(({ text }) => text).join('\n');
const manifest = JSON.parse(read('package.json'));

interface Point {
  /** As Electron's documentation names it (Security, Checklist). */
  point: string;
  /** Where it holds, and which test shows it. */
  where: string;
  holds: () => boolean;
}

/** Electron's 20 points, in their order. */
const checklist: Point[] = [
  {
    point: 'Only load secure content',
    where:
      'Pages come from app://bundle alone: electron/app-protocol.ts; navigation elsewhere: window-policy.test.ts',
    holds: () => !/loadURL\(\s*['"`]https?:|loadFile\(/.test(shell),
  },
  {
    point: 'Disable the Node.js integration in all renderers',
    where: 'SAFE_PREFERENCES; on a running app: app.e2e.long.test.ts',
    holds: () =>
      !SAFE_PREFERENCES.nodeIntegration &&
      !SAFE_PREFERENCES.nodeIntegrationInWorker &&
      !SAFE_PREFERENCES.nodeIntegrationInSubFrames,
  },
  {
    point: 'Enable Context Isolation in all renderers',
    where: 'SAFE_PREFERENCES; every window has them (the last test here)',
    holds: () => SAFE_PREFERENCES.contextIsolation && !shell.includes('contextIsolation: false'),
  },
  {
    point: 'Enable process sandboxing',
    where: 'SAFE_PREFERENCES, app.enableSandbox in electron/desktop.ts: main.test.ts',
    holds: () =>
      SAFE_PREFERENCES.sandbox &&
      !/appendSwitch|sandbox: false/.test(shell) &&
      shell.includes('app.enableSandbox()'),
  },
  {
    point: 'Handle session permission requests from remote content',
    where: 'electron/page-rules.ts denies requests, checks and devices: window-policy.test.ts',
    holds: () =>
      ['PermissionCheckHandler', 'PermissionRequestHandler', 'DevicePermissionHandler'].every(name =>
        shell.includes(`session.set${name}(`),
      ),
  },
  {
    point: 'Do not disable webSecurity',
    where: 'SAFE_PREFERENCES',
    holds: () => SAFE_PREFERENCES.webSecurity && !shell.includes('webSecurity: false'),
  },
  {
    point: 'Define a Content-Security-Policy',
    where:
      'shared/contract/page-policy.ts, on every answer: app-protocol.test.ts, which an evaluator judges too',
    holds: () => PAGE_POLICY.startsWith("default-src 'none'") && !/unsafe-eval|https?:|\*/.test(PAGE_POLICY),
  },
  {
    point: 'Do not enable allowRunningInsecureContent',
    where: 'SAFE_PREFERENCES',
    holds: () => !SAFE_PREFERENCES.allowRunningInsecureContent,
  },
  {
    point: 'Do not enable experimental features',
    where: 'SAFE_PREFERENCES',
    holds: () => !SAFE_PREFERENCES.experimentalFeatures,
  },
  {
    point: 'Do not use enableBlinkFeatures',
    where: 'Nowhere in electron/',
    holds: () => !/enableBlinkFeatures|enable-blink-features/.test(shell),
  },
  {
    point: '<webview>: Do not use allowpopups',
    where: 'There is no webview: SAFE_PREFERENCES.webviewTag',
    holds: () => !SAFE_PREFERENCES.webviewTag && !shell.includes('allowpopups'),
  },
  {
    point: '<webview>: Verify options and parameters',
    where: 'electron/page-rules.ts prevents every webview',
    holds: () => /'will-attach-webview', event => event\.preventDefault\(\)/.test(shell),
  },
  {
    point: 'Disable or limit navigation',
    where: 'electron/page-rules.ts by electron/window-policy.ts: window-policy.test.ts',
    holds: () =>
      ['will-navigate', 'will-redirect', 'will-frame-navigate'].every(name => shell.includes(`'${name}'`)),
  },
  {
    point: 'Disable or limit creation of new windows',
    where: 'electron/page-rules.ts by electron/window-policy.ts: window-policy.test.ts',
    holds: () => shell.includes('setWindowOpenHandler(') && shell.includes('decideWindow(url, '),
  },
  {
    point: 'Do not use shell.openExternal with untrusted content',
    where: 'Only what externalAddress lets through, and the address of the own server: window-policy.test.ts',
    holds: () =>
      [...shell.matchAll(/openExternal\(([^)]*)\)/g)].every(([, given = '']) =>
        ['decision.openOutside', '`$' + '{origin}/docs`'].includes(given),
      ),
  },
  {
    point: 'Use a current version of Electron',
    where: 'Pinned in package.json; the app brings no other Chromium',
    holds: () => Number(manifest.devDependencies.electron.split('.')[0]) >= 45,
  },
  {
    point: 'Validate the sender of all IPC messages',
    where: 'electron/bridge.ts, every channel: bridge.test.ts',
    holds: () =>
      !/ipcMain\.on\(|ipcMain\.once\(/.test(shell) && (shell.match(/ipcMain\.handle\(/g) ?? []).length === 1,
  },
  {
    point: 'Avoid usage of the file:// protocol and prefer usage of custom protocols',
    where:
      'app://bundle: electron/app-protocol.ts; the fuse takes the privileges of file: pages: package.test.ts',
    holds: () => !shell.includes('file://') && !FUSES.GrantFileProtocolExtraPrivileges,
  },
  {
    point: 'Check which fuses you can change',
    where: 'build/fuses.ts decides every one: fuses.test.ts, package.test.ts',
    holds: () => !FUSES.RunAsNode && !FUSES.EnableNodeOptionsEnvironmentVariable && FUSES.OnlyLoadAppFromAsar,
  },
  {
    point: 'Do not expose Electron APIs to untrusted web content',
    where: 'electron/preload.ts gives functions, never ipcRenderer or an event: bridge.test.ts',
    holds: () => {
      const preload = read('electron/preload.ts');
      return !/ipcRenderer\.(on|send|once|addListener)/.test(preload) && !/: ipcRenderer[,\s}]/.test(preload);
    },
  },
];

/**
 * What Electronegativity 1.10.3 finds in `electron/` and in the bundled main process alike (`npx @doyensec/electronegativity
 * -i electron -e 45.3.4`, run by hand: it wants the network), and why each is well. It reads no spread, so that it does not
 * see SAFE_PREFERENCES in a window's options.
 */
const ELECTRONEGATIVITY = {
  CSP_GLOBAL_CHECK: 'The policy is a header, not a tag of the page: app-protocol.test.ts',
  AUXCLICK_JS_CHECK:
    'A middle click asks for a window as every other click does, and window-policy.test.ts says what becomes of that',
  CONTEXT_ISOLATION_JS_CHECK: 'SAFE_PREFERENCES has it, and main.test.ts sees it in the window',
  SANDBOX_JS_CHECK: 'SAFE_PREFERENCES and app.enableSandbox: main.test.ts',
  PRELOAD_JS_CHECK: 'The preload gives typed functions for single channels: bridge.test.ts',
  OPEN_EXTERNAL_JS_CHECK:
    'Addresses that externalAddress has written anew (window-policy.test.ts), and the documentation of the own server',
  PROTOCOL_HANDLER_JS_CHECK:
    'A link is a family and a number, or nothing (window-policy.test.ts); it opens a page and writes nothing',
  ELECTRON_VERSION_JSON_CHECK: 'For information: the pinned version, point 16 of security-checklist.test.ts',
};

/** The files that an answer names. */
function placesIn(text: string): string[] {
  return [...text.matchAll(/[\w./-]+\.ts\b/g)].map(([name]) => name);
}

function isThere(name: string): boolean {
  return [name, `test/electron/${name}`, `test/build/${name}`, `electron/${name}`].some(place =>
    existsSync(join(PROJECT, place)),
  );
}

describe("Electron's security checklist", () => {
  it('has 20 points', () => {
    expect(new Set(checklist.map(({ point }) => point)).size).toBe(20);
  });

  it.each(checklist.map(({ point, where, holds }, index) => [index + 1, point, where, holds] as const))(
    '%d. %s (%s)',
    (_number, _point, where, holds) => {
      expect(holds()).toBe(true);
      expect(placesIn(where).filter(name => !isThere(name))).toEqual([]);
    },
  );

  it('stands in the document with everything else that is to be proved', () => {
    const document = read('docs/desktop-proof.md');
    const plain = document.replaceAll('`', '');
    for (const { point, where } of checklist) expect(plain).toContain(`| ${point} | ${where} |`);
    const lines = new Set([...document.matchAll(/^\| (L\d+) \|/gm)].map(([, line]) => line));
    const named = [...document.matchAll(/\bL\d+\b/g)].map(([line]) => line);
    expect(named.filter(line => !lines.has(line))).toEqual([]);
    // Every defect is shown by a test that is there.
    const tests = new Set(
      readdirSync(join(PROJECT, 'test'), { recursive: true, encoding: 'utf8' }).map(name => basename(name)),
    );
    const defects = [...document.matchAll(/^\| \d+ \|[^|]+\|[^|]+\|[^|]*`[\w-]+\.(?:e2e\.)?test\.ts`/gm)];
    expect(defects.length).toBeGreaterThanOrEqual(10);
    const files = [...document.matchAll(/`(?:[\w-]+\/)*([\w-]+(?:\.[\w]+)*\.test\.ts)`/g)].map(
      ([, name = '']) => name,
    );
    expect(files.filter(name => !tests.has(name))).toEqual([]);
  });

  it.each(Object.entries(ELECTRONEGATIVITY))(
    '%s of Electronegativity is answered: %s',
    (_finding, answer) => {
      expect(placesIn(answer).length).toBeGreaterThan(0);
      expect(placesIn(answer).filter(name => !isThere(name))).toEqual([]);
    },
  );

  it('every window is made with the safe preferences', () => {
    const windows = sources.flatMap(({ name, text }) =>
      [...text.matchAll(/new BrowserWindow\(\{([\s\S]*?)\}\);/g)].map(([, options = '']) => ({
        name,
        options,
      })),
    );
    expect(windows.length).toBeGreaterThan(1);
    expect(windows.filter(({ options }) => !/SAFE_PREFERENCES|\.\.\.PAPER_WINDOW/.test(options))).toEqual([]);
  });

  it('only these files know Electron; what they decide stands in the others', () => {
    const importers = sources.filter(({ text }) => /^import \{[^}]*\} from 'electron';/m.test(text));
    expect(importers.map(({ name }) => name).sort()).toEqual([
      'app-updater.ts',
      'desktop.ts',
      'main-window.ts',
      'main.ts',
      'native-menus.ts',
      'page-rules.ts',
      'paper-printer.ts',
      'preload.ts',
    ]);
  });
});
