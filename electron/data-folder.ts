import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';

export interface Installation {
  platform: NodeJS.Platform;
  /** The app's own program. */
  execPath: string;
  env: Record<string, string | undefined>;
  home: string;
}

/**
 * Where a desktop keeps everything: what `HOLDPOINT_DATA` says; on Windows, of an installation for all users (below
 * `Program Files`) one place for all who sign in, `ProgramData\Holdpoint`, whose access its installer sets; else where
 * the server by itself keeps it (`defaultFolder` of its configuration), so that `holdpoint` finds it. A profile that roams
 * is copied at each sign-in and sign-out, so data are in it only where a former version began them.
 */
export function dataFolderOf(
  { platform, execPath, env, home }: Installation,
  isThere: (path: string) => boolean = existsSync,
): string {
  if (env.HOLDPOINT_DATA) return env.HOLDPOINT_DATA;
  if (platform === 'win32') {
    const shared = env.ProgramData;
    if (shared && isForAllUsers(execPath, env)) return win32.join(shared, 'Holdpoint');
    const roaming = win32.join(env.APPDATA || win32.join(home, 'AppData', 'Roaming'), 'Holdpoint');
    if (isThere(win32.join(roaming, 'holdpoint.db'))) return roaming;
    return win32.join(env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local'), 'Holdpoint');
  }
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'Holdpoint');
  return posix.join(env.XDG_DATA_HOME || posix.join(home, '.local', 'share'), 'holdpoint');
}

/** What is the user's own whatever installation it is: the session, the window's place. Apart from the data on Windows. */
export function profileFolderOf(installation: Installation): string {
  const { platform, env, home } = installation;
  if (platform === 'win32') {
    return win32.join(env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local'), 'Holdpoint', 'desktop');
  }
  const own = dataFolderOf({ ...installation, env: { ...env, HOLDPOINT_DATA: undefined } });
  return posix.join(own, 'desktop');
}

/** Whether a Windows program is below `Program Files`, where only administrators write. */
export function isForAllUsers(execPath: string, env: Record<string, string | undefined>): boolean {
  const program = win32.normalize(execPath).toLowerCase();
  return [env.ProgramFiles, env['ProgramFiles(x86)'], env.ProgramW6432].some(
    folder => folder !== undefined && program.startsWith(`${win32.normalize(folder).toLowerCase()}\\`),
  );
}

/**
 * Of the server process. The desktop's server is for this machine: it listens on loopback by plain HTTP, whatever the
 * environment says for a server that others reach. `token`: by which the app itself asks.
 */
export function serverEnvironment(
  env: Record<string, string | undefined>,
  { folder, token }: { folder: string; token: string },
): Record<string, string> {
  const own: Record<string, string | undefined> = {
    ...env,
    HOLDPOINT_DATA: folder,
    HOLDPOINT_HOST: '127.0.0.1',
    HOLDPOINT_TOKEN: env.HOLDPOINT_TOKEN || token,
    HOLDPOINT_HOSTS: undefined,
    HOLDPOINT_CERTIFICATE: undefined,
    HOLDPOINT_KEY: undefined,
    HOLDPOINT_PROXY: undefined,
    NODE_OPTIONS: undefined,
  };
  return Object.fromEntries(
    Object.entries(own).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
