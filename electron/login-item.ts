import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'electron';

export interface LoginItemOptions {
  platform: NodeJS.Platform;
  /** What is started: of an AppImage the file itself, because the folder that it runs from is gone when it ends. */
  program: string;
  /** Of the user's settings on Linux: `~/.config`. */
  configFolder: string;
  app: Pick<App, 'setLoginItemSettings'>;
}

/** Whether the app starts, without a window, when its user signs in. Electron knows how on Windows and macOS only. */
export function setStartAtLogin(isWanted: boolean, options: LoginItemOptions): void {
  const { platform, program, configFolder, app } = options;
  if (platform !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: isWanted, args: ['--hidden'] });
    return;
  }
  const folder = join(configFolder, 'autostart');
  const path = join(folder, 'holdpoint.desktop');
  if (!isWanted) {
    rmSync(path, { force: true });
    return;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, autostartEntry(program));
}

/** Whether the app was started so, and opens no window. macOS hands no words over. */
export function isStartedAtLogin(
  args: readonly string[],
  { platform, app }: { platform: NodeJS.Platform; app: Pick<App, 'getLoginItemSettings'> },
): boolean {
  return args.includes('--hidden') || (platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin);
}

/** Freedesktop's Desktop Entry Specification 1.5; a program's path is quoted by its rules. */
function autostartEntry(program: string): string {
  const quoted = `"${program.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
  return `[Desktop Entry]\nType=Application\nName=Holdpoint\nExec=${quoted} --hidden\nX-GNOME-Autostart-enabled=true\n`;
}
