import { type Dirent, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { App, CrashReporter } from 'electron';

/** Dumps that stay. One is of some megabytes. */
const KEPT = 5;

/**
 * Before Electron is ready: what a process of this app had in memory when it crashed is kept in this user's profile, and sent
 * nowhere. Crashpad makes the folders within (`new`, `pending`, `completed`, on Windows `reports`); the last five dumps stay.
 */
export function keepCrashDumps(
  profile: string,
  { app, crashReporter }: { app: Pick<App, 'setPath'>; crashReporter: Pick<CrashReporter, 'start'> },
): void {
  const folder = join(profile, 'crashes');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const path of dumpsIn(folder).slice(0, -KEPT)) {
      rmSync(path, { force: true });
      rmSync(path.replace(/\.dmp$/, '.meta'), { force: true });
    }
  } catch (error) {
    // Whether the app can work without its profile shows later; a crash is kept nowhere.
    if (error instanceof Error && 'code' in error) return;
    throw error;
  }
  app.setPath('crashDumps', folder);
  crashReporter.start({ uploadToServer: false });
}

/** The oldest first. */
function dumpsIn(folder: string): string[] {
  const isDump = (entry: Dirent) => entry.isFile() && entry.name.endsWith('.dmp');
  const dumps = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(isDump);
  const dated = dumps.map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    return { path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  return dated.sort((one, other) => one.at - other.at).map(({ path }) => path);
}
