import { BrowserWindow, screen } from 'electron';
import { PAGE_ORIGIN } from './addresses.ts';
import { type PageRecoveryOptions, recoverPage } from './page-recovery.ts';
import { SAFE_PREFERENCES } from './window-policy.ts';
import { type DesktopSettings, placeWindow } from './window-state.ts';

export interface MainWindowOptions {
  preload: string;
  icon: string;
  settings: () => DesktopSettings;
  set: (change: Partial<DesktopSettings>) => void;
  onClosed: () => void;
  /** As `recoverPage` asks. */
  ask: PageRecoveryOptions['ask'];
  log: (text: string) => void;
}

/** The one window of the screens; closed, it is made anew when it is wanted again. */
export function createMainWindow(options: MainWindowOptions) {
  const { preload, icon, settings, set, onClosed, ask, log } = options;
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
      webPreferences: { ...SAFE_PREFERENCES, preload },
    });
    if (is_maximized) made.maximize();
    made.once('ready-to-show', () => made.show());
    made.on('close', () => set({ window: made.getNormalBounds(), is_maximized: made.isMaximized() }));
    recoverPage({ contents: made.webContents, ask, log });
    made.once('closed', () => {
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
    isOpen: () => window !== undefined,
  };
}
