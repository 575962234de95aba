import { homedir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { commandIn, runCommand } from './command.ts';
import { dataFolderOf } from './data-folder.ts';

/**
 * The program's entry: the desktop app, or a command of `holdpoint` for whoever has nothing but the package. Electron is
 * ready only after this file has come to its end (lib/browser/init.ts), so the app sets itself up in time, and a command
 * comes without windows, profile or single instance.
 */
const command = commandIn(process.argv);
if (command === undefined) await import('./desktop.ts');
else {
  const { platform, execPath, env } = process;
  env.HOLDPOINT_DATA ||= dataFolderOf({ platform, execPath, env, home: homedir() });
  app.exit(await runCommand(join(import.meta.dirname, '..', 'server', 'holdpoint.js'), command));
}
