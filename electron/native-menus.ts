import { app, Menu, type NativeImage, nativeImage, Tray } from 'electron';
import { type MenuActions, type MenuState, menuBar, trayMenu } from './menus.ts';

/** The menu bar and the tray, made anew with whatever they show. */
export function createNativeMenus(icon: string, actions: MenuActions) {
  // Some Linux desktops have no place for it; the app works without.
  const tray = new Tray(trayPicture(icon, process.platform));
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

/** macOS shows a picture as large as it is, and its bar is 22 points high; other systems fit it in. */
function trayPicture(icon: string, platform: NodeJS.Platform): NativeImage | string {
  return platform === 'darwin' ? nativeImage.createFromPath(icon).resize({ width: 18, height: 18 }) : icon;
}
