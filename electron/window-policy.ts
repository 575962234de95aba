import type { BrowserWindowConstructorOptions, Input, WebPreferences } from 'electron';
import { WITHOUT_BUTTONS } from '../shared/contract/desktop-bridge.ts';
import { externalAddress, isOwnBlob, isOwnPage } from './addresses.ts';

/** Of every window: pages are pages, without Node and without a way around the rules of the web. */
export const SAFE_PREFERENCES = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  spellcheck: false,
} as const satisfies WebPreferences;

/** A window that shows a PDF or prints one: nothing of ours runs in it, and it knows no bridge. */
export const PAPER_WINDOW = {
  autoHideMenuBar: true,
  webPreferences: { ...SAFE_PREFERENCES, plugins: true },
} as const satisfies BrowserWindowConstructorOptions;

export type OpenDecision =
  | { action: 'deny'; openOutside?: string }
  | { action: 'allow'; overrideBrowserWindowOptions: BrowserWindowConstructorOptions };

/**
 * What the one window of a kiosk has: it fills the screen, and no system gives it a button that leads out. That it is not closed
 * says its event: one that is not `closable` would keep the app from ending (shell/browser/native_window_views.cc, Close).
 */
export const KIOSK_WINDOW = {
  kiosk: true,
  fullscreen: true,
  frame: false,
  minimizable: false,
  maximizable: false,
  resizable: false,
  movable: false,
} as const satisfies BrowserWindowConstructorOptions;

/**
 * What becomes of a window that a page wants to open: papers get one, web and mail addresses go to the system, but from a kiosk,
 * where the system's browser would be a way out, and the buttons of a paper's viewer another.
 */
export function decideWindow(address: string, isKiosk = false): OpenDecision {
  const isPaper = isOwnBlob(address) && (!isKiosk || address.endsWith(WITHOUT_BUTTONS));
  if (isPaper) return { action: 'allow', overrideBrowserWindowOptions: PAPER_WINDOW };
  if (isKiosk) return { action: 'deny' };
  const outside = externalAddress(address);
  return outside === undefined ? { action: 'deny' } : { action: 'deny', openOutside: outside };
}

/**
 * Where what stands in a window, `from`, may lead it; '' where nothing stands in it yet. A screen changes its address
 * without navigating. A window that a page has opened for a paper asks for that paper too, because Electron tells of every
 * load that a page begins (shell/browser/electron_navigation_throttle.cc); it goes nowhere else.
 */
export function mayNavigate(address: string, from: string): boolean {
  const isForPaper = from === '' || from === 'about:blank' || isOwnBlob(from);
  return isForPaper ? isOwnBlob(address) : isOwnPage(address);
}

/** Chromium's own viewer, which shows a PDF in frames of its own. */
const PDF_VIEWER = 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/';

/** Where a frame inside a page may go. */
export function mayNavigateFrame(address: string): boolean {
  return isOwnPage(address) || isOwnBlob(address) || address.startsWith(PDF_VIEWER);
}

/** What a page may give to keep: what it made itself or asked of the server. At a kiosk nothing: it would ask where to. */
export function mayDownload(address: string, isKiosk = false): boolean {
  return !isKiosk && (isOwnBlob(address) || isOwnPage(address));
}

/**
 * Pages of this app need no place, no notices, no device: whoever asks is refused. They put text into the clipboard, such as
 * a code that is shown once, and never read what others put there; and they see through the camera, which reads labels at the
 * dock once a person switches it on, and hear nothing.
 * @param media of the permission `media`: what is asked for, `video` or `audio`
 */
export function mayHave(
  permission: string,
  address: string | undefined,
  media: readonly (string | undefined)[] = [],
): boolean {
  const isCamera = permission === 'media' && media.length > 0 && media.every(each => each === 'video');
  const isWanted = permission === 'clipboard-sanitized-write' || isCamera;
  return isWanted && address !== undefined && isOwnPage(address);
}

/** Keys by which a page of Chromium asks for a window, a file, a printer, its source or its tools, or leaves the full screen. */
const KEYS_OUT = /^(?:[nopstuijq]|f4|f11|f12)$/i;

/** Whether keys lead out of a kiosk. Those of the system itself never come here. */
export function leadsOut({ key, control, meta, alt }: KeyPress): boolean {
  if (!KEYS_OUT.test(key)) return false;
  return key.length > 1 ? alt || key.toUpperCase() !== 'F4' : control || meta;
}

/** Of Electron's `Input`. */
export type KeyPress = Pick<Input, 'key' | 'control' | 'meta' | 'alt'>;

/** Whether a message comes from the main frame of a page of ours. Frames that are gone say nothing. */
export function isOwnSender(frame: { url: string; parent: unknown } | null | undefined): boolean {
  return frame !== null && frame !== undefined && frame.parent === null && isOwnPage(frame.url);
}
