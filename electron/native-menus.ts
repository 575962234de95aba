import { app, Menu, type NativeImage, nativeImage, Tray } from 'electron';
import { type MenuActions, type MenuState, menuBar, trayMenu } from './menus.ts';

/** The menu bar and the tray, made anew with whatever they show. */
export function createNativeMenus(icon: string, actions: MenuActions) {
  let tray: Tray | undefined;
  app.on('before-quit', () => tray?.removeAllListeners('click'));

  /** Some Linux desktops have no place for it; the app works without. */
  function makeTray(): Tray {
    const made = new Tray(trayPicture(icon, process.platform));
    made.on('click', actions.open);
    return made;
  }

  return {
    show(state: MenuState): void {
      // Each of their entries leads out of a kiosk.
      if (state.isKiosk) {
        Menu.setApplicationMenu(null);
        return;
      }
      tray ??= makeTray();
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
