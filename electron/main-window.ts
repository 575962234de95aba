import { BrowserWindow, screen } from 'electron';
import { PAGE_ORIGIN } from './addresses.ts';
import { type PageRecoveryOptions, recoverPage } from './page-recovery.ts';
import { KIOSK_WINDOW, SAFE_PREFERENCES } from './window-policy.ts';
import { type DesktopSettings, placeWindow } from './window-state.ts';

export interface MainWindowOptions {
  preload: string;
  icon: string;
  settings: () => DesktopSettings;
  set: (change: Partial<DesktopSettings>) => void;
  onClosed: () => void;
  /** Whether it fills the screen, and closes with the app alone. */
  isKiosk: () => boolean;
  /** Whether the app is ending. */
  isEnding: () => boolean;
  /** As `recoverPage` asks. */
  ask: PageRecoveryOptions['ask'];
  log: (text: string) => void;
}

/** The one window of the screens; closed, it is made anew when it is wanted again. */
export function createMainWindow(options: MainWindowOptions) {
  const { preload, icon, settings, set, onClosed, isKiosk, isEnding, ask, log } = options;
  let window: BrowserWindow | undefined;

  function make(): BrowserWindow {
    const { window: kept, is_maximized } = settings();
    const made = new BrowserWindow({
      ...placeWindow(
        kept,
        screen.getAllDisplays().map(({ workArea }) => workArea),
      ),
      title: 'Holdpoint',
      icon,
      show: false,
      backgroundColor: '#ffffff',
      ...(isKiosk() && KIOSK_WINDOW),
      webPreferences: { ...SAFE_PREFERENCES, preload, ...(isKiosk() && { devTools: false }) },
    });
    if (is_maximized && !isKiosk()) made.maximize();
    made.once('ready-to-show', () => made.show());
    made.on('close', event => {
      if (!isKiosk()) return set({ window: made.getNormalBounds(), is_maximized: made.isMaximized() });
      // Alt+F4 closes what has no button.
      if (!isEnding()) event.preventDefault();
    });
    recoverPage({ contents: made.webContents, ask, log });
    made.once('closed', () => {
      // Another one has taken its place.
      if (window !== made) return;
      window = undefined;
      onClosed();
    });
    return made;
  }

  return {
    /** Shows it, at a page where one is wanted. */
    open(path?: string): void {
      const isNew = window === undefined;
      window ??= make();
      if (isNew || path !== undefined) void window.loadURL(PAGE_ORIGIN + (path ?? '/app'));
      if (isNew) return;
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    /** In the place of the one that is there, at its page, as it is made now. */
    remake(): void {
      const former = window;
      if (!former) return;
      window = make();
      void window.loadURL(former.webContents.getURL());
      former.destroy();
    },
    isOpen: () => window !== undefined,
  };
}
