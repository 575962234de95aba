import type { MenuItemConstructorOptions } from 'electron';
import type { UpdateState } from '../shared/contract/desktop-bridge.ts';
import type { DesktopPolicy } from '../shared/contract/machine-policy.ts';
import { filled, type ShellTexts } from './texts.ts';
import type { DesktopSettings } from './window-state.ts';

export interface MenuState {
  texts: ShellTexts;
  settings: DesktopSettings;
  /** What the machine's administrators decided: nobody changes it here. */
  policy: DesktopPolicy;
  /** There is no menu then. */
  isKiosk: boolean;
  update: UpdateState;
  /** The exchange, in words. */
  sync: string;
}

export interface MenuActions {
  open(): void;
  quit(): void;
  set(change: Partial<DesktopSettings>): void;
  openLogs(): void;
  openData(): void;
  openDocumentation(): void;
  lookForUpdates(): void;
  /** What is ready, now. */
  installUpdate(): void;
}

/** The menu bar. Developer tools are not in it: what they show belongs to whoever is signed in. */
export function menuBar(
  state: MenuState,
  actions: MenuActions,
  platform: NodeJS.Platform,
): MenuItemConstructorOptions[] {
  const { texts } = state;
  return [
    ...(platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    {
      label: texts.file,
      submenu: [
        ...choices(state, actions),
        { type: 'separator' },
        { label: texts.quit, accelerator: 'CommandOrControl+Q', click: actions.quit },
      ],
    },
    { label: texts.edit, role: 'editMenu' },
    {
      label: texts.view,
      submenu: [
        { role: 'reload' },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    {
      label: texts.help,
      submenu: [
        { label: texts.documentation, click: actions.openDocumentation },
        updateItem(state, actions),
        { type: 'separator' },
        { label: texts.openLogs, click: actions.openLogs },
        { label: texts.openData, click: actions.openData },
      ],
    },
  ];
}

/** The tray's menu: how the exchange stands first, because that is what one looks for there. */
export function trayMenu(state: MenuState, actions: MenuActions): MenuItemConstructorOptions[] {
  const { texts } = state;
  return [
    { label: state.sync, enabled: false },
    ...(state.update.kind === 'ready' ? [updateItem(state, actions)] : []),
    { type: 'separator' },
    { label: texts.open, click: actions.open },
    ...choices(state, actions),
    { type: 'separator' },
    { label: texts.quit, click: actions.quit },
  ];
}

function choices({ texts, settings, policy }: MenuState, actions: MenuActions): MenuItemConstructorOptions[] {
  return [
    {
      label: texts.keepRunning,
      type: 'checkbox',
      checked: settings.keeps_running,
      enabled: policy.keeps_running === undefined,
      click: () => actions.set({ keeps_running: !settings.keeps_running }),
    },
    {
      label: texts.startAtLogin,
      type: 'checkbox',
      checked: settings.starts_at_login,
      enabled: policy.starts_at_login === undefined,
      click: () => actions.set({ starts_at_login: !settings.starts_at_login }),
    },
  ];
}

function updateItem({ texts, update }: MenuState, actions: MenuActions): MenuItemConstructorOptions {
  if (update.kind === 'ready') {
    const { version, needs_administrator: isAsked } = update;
    const label = filled(isAsked ? texts.installMenu : texts.updateMenu, { version });
    return { label, enabled: isAsked, ...(isAsked && { click: actions.installUpdate }) };
  }
  if (update.kind === 'closed')
    return { label: filled(texts.updateHours, { window: update.window }), enabled: false };
  return {
    label: texts.lookForUpdates,
    enabled: update.kind === 'latest' || update.kind === 'failed',
    click: actions.lookForUpdates,
  };
}
