import { app, Menu, Tray } from 'electron';
import { type MenuActions, type MenuState, menuBar, trayMenu } from './menus.ts';

/** The menu bar and the tray, made anew with whatever they show. */
export function createNativeMenus(icon: string, actions: MenuActions) {
  // Some Linux desktops have no place for it; the app works without.
  const tray = new Tray(icon);
  tray.on('click', actions.open);
  app.on('before-quit', () => tray.removeAllListeners('click'));
  return {
    show(state: MenuState): void {
      Menu.setApplicationMenu(Menu.buildFromTemplate(menuBar(state, actions, process.platform)));
      tray.setContextMenu(Menu.buildFromTemplate(trayMenu(state, actions)));
      tray.setToolTip(`Holdpoint: ${state.sync}`);
    },
  };
}
