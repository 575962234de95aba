import type { AppUpdater } from 'electron-updater';
import { z } from 'zod';
import type { UpdateReport, UpdateState } from '../shared/contract/desktop-bridge.ts';
import {
  ReleaseRefused,
  readRelease,
  releaseSchema,
  requireFeed,
  requireFresh,
} from '../shared/contract/signed-release.ts';
import { isInWindow } from '../shared/contract/update-window.ts';
import type { JsonFile } from './json-file.ts';
import { signedFeed } from './signed-provider.ts';

/** The part of electron-updater that is used. */
export type Updater = Pick<
  AppUpdater,
  | 'allowDowngrade'
  | 'allowPrerelease'
  | 'autoDownload'
  | 'autoInstallOnAppQuit'
  | 'disableDifferentialDownload'
  | 'disableWebInstaller'
  | 'setFeedURL'
  | 'checkForUpdates'
  | 'on'
>;

/** What was believed last; null: nothing yet. */
export const seenReleaseSchema = z
  .object({ last: releaseSchema.pick({ version: true, signed_at: true, expires_at: true }) })
  .nullable();

export interface UpdatesOptions {
  /** Undefined where this kind of installation cannot replace itself (started from source). */
  updater: Updater | undefined;
  /** Where the station's own server is; undefined while it does not run. */
  origin: () => string | undefined;
  onState: (state: UpdateState) => void;
  /** Whose releases are taken, as `PUBLISHER_KEYS`. None: there are no updates. */
  keys: readonly string[];
  /** Keeps what was believed last, over the ends of the app. */
  seen: JsonFile<z.infer<typeof seenReleaseSchema>>;
  /** The ring that the machine's administrators have chosen; undefined: central chooses. */
  ring?: () => string | undefined;
  /**
   * Windows asks for an administrator to install for all users. Then nothing is installed at each end of the app, where an
   * operator would be asked who is none, but when `installAtEnd` is called.
   */
  needsAdministrator?: boolean;
  /** Whether the machine's administrators update it by other means. */
  isOff?: () => boolean;
  /** When updates are offered and installed, by the machine's administrators, as `updateWindowSchema`; undefined: always. */
  window?: () => string | undefined;
  now?: () => Date;
  /** Milliseconds between two looks. */
  interval?: number;
}

export interface Updates {
  state(): UpdateState;
  report(): UpdateReport;
  /** Looks now. Resolves when it is known whether there is something; what there is then comes by itself. */
  look(): Promise<UpdateState>;
  /** What is ready is installed when the app ends next; not outside of the window. */
  installAtEnd(): void;
  /** The last before the app ends: whether what is ready is installed is decided by this moment. */
  end(): void;
  /** Looks from now on. */
  start(): void;
  close(): void;
}

const INTERVAL_MS = 6 * 3_600_000;
/** Between two looks at the clock, where there is a window: it may be shorter than the time between two looks for updates. */
const WINDOW_MS = 60_000;

/**
 * Looks for releases at the station's own server, which publishes its central's: the way to central is the one that
 * enrolment has secured. Central is believed nothing: the publisher has signed the feed, when, and until when it is to be
 * believed (`readRelease`). Never to an older version, nor to a trial version; the digest of the feed and, on Windows and
 * macOS, the publisher's signature of the program are checked by electron-updater before anything is installed, and it is installed when the app ends, unless that needs an administrator.
 * Outside of the window of the machine's administrators nothing is looked for, shown or installed, also of what has come within it.
 */
export function createUpdates(options: UpdatesOptions): Updates {
  const { origin, onState, keys, seen, now = () => new Date(), interval = INTERVAL_MS } = options;
  const { needsAdministrator = false, isOff = () => false } = options;
  const { ring = () => undefined, window = () => undefined } = options;
  const updater = keys.length > 0 ? options.updater : undefined;
  let state: UpdateState = { kind: updater ? 'latest' : 'off' };
  let lookedAt: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** When it was last tried, whatever came of it; in milliseconds since 1970. */
  let triedAt = Number.NEGATIVE_INFINITY;
  let wasOpen = true;
  let isAsked = false;
  const isOpen = () => isInWindow(window(), now());
  const shown = (): UpdateState =>
    isOpen() || state.kind === 'off' ? state : { kind: 'closed', window: window() ?? '' };
  const become = (next: UpdateState): void => {
    if (next.kind === 'latest' || next.kind === 'arriving') lookedAt = now().toISOString();
    state = next;
    onState(shown());
  };

  if (updater) {
    updater.allowDowngrade = false;
    updater.allowPrerelease = false;
    updater.autoDownload = true;
    updater.autoInstallOnAppQuit = true;
    updater.disableWebInstaller = true;
    // The station's server has what came before; a difference would need the installer of the present version.
    updater.disableDifferentialDownload = true;
    updater.on('update-available', ({ version }) => become({ kind: 'arriving', version, percent: 0 }));
    updater.on('download-progress', ({ percent }) => {
      if (state.kind !== 'arriving') return;
      state = { ...state, percent: Math.floor(percent) };
      onState(shown());
    });
    updater.on('update-downloaded', ({ version }) => {
      // After this turn, in which the updater takes up the end of the app only where it is to install then
      // (electron-updater/out/BaseUpdater.js, addQuitHandler); at the end it looks again.
      queueMicrotask(() => {
        updater.autoInstallOnAppQuit = !needsAdministrator && window() === undefined;
      });
      become({ kind: 'ready', version, needs_administrator: needsAdministrator });
    });
    updater.on('error', error => become(isNothingThere(error) ? nothingThere() : failed(error)));
  }

  async function check(name: string, feed: string, envelope: string) {
    const last = seen.read()?.last;
    const release = await readRelease(envelope, { keys, now: now(), ring: ring(), last });
    await requireFeed(release, name, feed);
    const { version, signed_at, expires_at } = release;
    if (signed_at !== last?.signed_at) seen.write({ last: { version, signed_at, expires_at } });
    return release;
  }

  /** A central without releases, or a station without a central; not one that keeps them back. */
  function nothingThere(): UpdateState {
    const last = seen.read()?.last;
    try {
      if (last) requireFresh(last, now());
      return { kind: 'latest' };
    } catch (error) {
      return failed(error);
    }
  }

  async function look(): Promise<UpdateState> {
    const here = origin();
    // What is ready stays ready; a later version is found after it is installed.
    if (!updater || here === undefined || state.kind === 'ready' || state.kind === 'arriving') return shown();
    if (isOff()) {
      become({ kind: 'off' });
      return state;
    }
    if (!isOpen()) {
      onState(shown());
      return shown();
    }
    triedAt = now().getTime();
    become({ kind: 'looking' });
    updater.setFeedURL(signedFeed(`${here}/updates`, check));
    try {
      const result = await updater.checkForUpdates();
      // Told by its events as well; unhandled, its failure would end the process.
      result?.downloadPromise?.catch(() => undefined);
      if (result?.isUpdateAvailable !== true) become({ kind: 'latest' });
    } catch (error) {
      become(isNothingThere(error) ? nothingThere() : failed(error));
    }
    return shown();
  }

  function tick(): void {
    const was = wasOpen;
    wasOpen = isOpen();
    // What is ready is shown and hidden with the window.
    if (was !== wasOpen) onState(shown());
    const isDue = now().getTime() - triedAt >= interval || now().getTime() < triedAt;
    if (wasOpen && (isDue || !was)) void look();
  }

  return {
    state: shown,
    report: () => ({ state: shown(), looked_at: lookedAt }),
    look,
    installAtEnd() {
      isAsked = true;
    },
    close: () => clearInterval(timer),
    end() {
      if (updater) updater.autoInstallOnAppQuit = isOpen() && (!needsAdministrator || isAsked);
    },
    start() {
      timer ??= setInterval(tick, Math.min(interval, WINDOW_MS));
      timer.unref();
      wasOpen = isOpen();
      void look();
    },
  };
}

function isNothingThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND';
}

/** The updater has thrown away what came, and what is signed by another publisher. */
const NOT_GENUINE = ['ERR_CHECKSUM_MISMATCH', 'ERR_UPDATER_INVALID_SIGNATURE'];

function failed(error: unknown): UpdateState {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = (error instanceof Error ? error.message : String(error)).slice(0, 500);
  if (error instanceof ReleaseRefused) {
    const isDate = ['older', 'early', 'expired'].includes(error.fault);
    return { kind: 'failed', why: isDate ? 'misdated' : 'not_signed', message };
  }
  return { kind: 'failed', why: NOT_GENUINE.includes(code) ? 'not_genuine' : 'not_fetched', message };
}
