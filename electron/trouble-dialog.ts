import { join } from 'node:path';
import type { Dialog, MessageBoxOptions } from 'electron';
import type { ServerFailure } from './server-supervisor.ts';
import { filled, type ShellTexts } from './texts.ts';
import { describeTrouble, newestBackup } from './trouble.ts';

/** How a command of `holdpoint` ended, and what it wrote. */
export interface CommandEnd {
  code: number;
  output: string;
}

export interface TroubleDialogOptions {
  texts: ShellTexts;
  dialog: Pick<Dialog, 'showMessageBox' | 'showOpenDialog'>;
  dataFolder: string;
  lastLines: () => readonly string[];
  /** Runs a command while the server does not run. */
  run: (words: readonly string[]) => Promise<CommandEnd>;
  start: () => void;
  openLogs: () => void;
  quit: () => void;
}

/**
 * What a person can do when the server does not start, with nothing but the app: look, check the data, bring a backup
 * back, write down what support needs to know. One dialog follows another, and the first one comes back until the server starts or the app ends.
 */
export function createTroubleDialog(options: TroubleDialogOptions) {
  const { texts, dialog, dataFolder, lastLines, run, start, openLogs, quit } = options;

  async function tell(why: ServerFailure): Promise<void> {
    const backup = newestBackup(dataFolder);
    const { buttons, ...said } = describeTrouble({ texts, why, lastLines: lastLines(), backup });
    const chosen = await choose({ type: 'error', ...said, buttons: buttons.map(({ label }) => label) });
    switch (buttons[chosen]?.action ?? 'quit') {
      case 'try_again':
        return start();
      case 'quit':
        return quit();
      case 'show_log':
        openLogs();
        break;
      case 'verify':
        await doAndTell(['verify'], { done: texts.verified, failed: texts.notVerified });
        break;
      case 'support': {
        const file = join(dataFolder, 'logs', 'holdpoint-support.txt');
        const said = { done: filled(texts.supportWritten, { file }), failed: texts.supportNotWritten };
        if (await doAndTell(['support', file], said)) openLogs();
        break;
      }
      case 'restore':
        if (await restore(backup)) return start();
    }
    return tell(why);
  }

  /** Whether a backup was brought back. */
  async function restore(newest: string | undefined): Promise<boolean> {
    const file = await pick(texts.chooseBackup, newest ?? dataFolder, ['db', 'age']);
    if (file === undefined) return false;
    const key = file.endsWith('.age') ? await pick(texts.chooseKey, dataFolder) : undefined;
    if (file.endsWith('.age') && key === undefined) return false;
    const chosen = await choose({
      type: 'warning',
      title: texts.restore,
      message: filled(texts.restoreAsked, { file }),
      detail: texts.restoreMeans,
      buttons: [texts.cancel, texts.restoreNow],
    });
    if (chosen !== 1) return false;
    const words = ['restore', file, ...(key === undefined ? [] : ['--key-file', key])];
    return doAndTell(words, { done: texts.restored, failed: texts.notRestored });
  }

  async function doAndTell(words: string[], said: { done: string; failed: string }): Promise<boolean> {
    const ended = new AbortController();
    void choose({ message: texts.working, buttons: [texts.fine], signal: ended.signal });
    const { code, output } = await run(words);
    ended.abort();
    await choose({
      type: code === 0 ? 'info' : 'error',
      message: code === 0 ? said.done : said.failed,
      detail: output.trim(),
      buttons: [texts.fine],
    });
    return code === 0;
  }

  /** The number of the button: the first one by Enter; by closing the box the last one where it tells of a fault, else the first. */
  async function choose(box: MessageBoxOptions & { buttons: string[] }): Promise<number> {
    const cancelId = box.type === 'error' ? box.buttons.length - 1 : 0;
    const { response } = await dialog.showMessageBox({ noLink: true, defaultId: 0, cancelId, ...box });
    return response;
  }

  async function pick(title: string, defaultPath: string, extensions = ['*']): Promise<string | undefined> {
    const { canceled, filePaths } = await dialog.showOpenDialog({
      title,
      message: title,
      defaultPath,
      properties: ['openFile'],
      filters: [{ name: title, extensions }],
    });
    return canceled ? undefined : filePaths[0];
  }

  return { tell };
}
