import { app } from 'electron';
import electronUpdater, { type AppUpdater } from 'electron-updater';

/** Undefined where the app was not installed from a package, and so cannot replace itself. */
export function appUpdater(log: (line: string) => void): AppUpdater | undefined {
  if (!app.isPackaged || (process.platform === 'linux' && !isReplaceable())) return undefined;
  const { autoUpdater } = electronUpdater;
  const write = (message?: unknown) => log(`Updates: ${String(message)}\n`);
  autoUpdater.logger = { info: write, warn: write, error: write };
  return autoUpdater;
}

/** An AppImage is a file of its user; a package that the system manages asks for the administrator's password. */
function isReplaceable(): boolean {
  return process.env.APPIMAGE !== undefined;
}
