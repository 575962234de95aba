import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessageBoxOptions, OpenDialogOptions } from 'electron';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { shellTexts } from '../../electron/texts.ts';
import { type CommandEnd, createTroubleDialog } from '../../electron/trouble-dialog.ts';

const texts = shellTexts('en-GB');
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-trouble-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A person who presses these buttons, by their words, and picks these files. */
async function person(buttons: string[], files: (string | undefined)[], end: CommandEnd) {
  const seen: string[] = [];
  const commands: (readonly string[])[] = [];
  const picked: OpenDialogOptions[] = [];
  const showMessageBox = async (box: MessageBoxOptions) => {
    seen.push(String(box.message));
    if (box.signal) return { response: 0, checkboxChecked: false };
    const response = box.buttons?.indexOf(buttons.shift() ?? '') ?? -1;
    expect(response, `${box.message} has ${box.buttons}`).not.toBe(-1);
    return { response, checkboxChecked: false };
  };
  const showOpenDialog = async (box: OpenDialogOptions) => {
    picked.push(box);
    const file = files.shift();
    return { canceled: file === undefined, filePaths: file === undefined ? [] : [file] };
  };
  const did: string[] = [];
  await createTroubleDialog({
    texts,
    // Their overloads with a window are not used.
    dialog: { showMessageBox, showOpenDialog } as unknown as Electron.Dialog,
    dataFolder: folder,
    lastLines: () => ['Holdpoint cannot start: the database is damaged.'],
    run: async words => {
      commands.push(words);
      return end;
    },
    start: () => did.push('start'),
    openLogs: () => did.push('log'),
    quit: () => did.push('quit'),
  }).tell('refused');
  return { seen, commands, picked, did };
}

it('brings a backup back and starts again', async () => {
  await mkdir(join(folder, 'backups'));
  const newest = join(folder, 'backups', 'holdpoint-20310116T080000000Z.db');
  await writeFile(newest, '');
  const buttons = [texts.restore, texts.restoreNow, texts.fine];
  const { commands, picked, did, seen } = await person(buttons, [newest], { code: 0, output: 'restored' });
  expect(commands).toEqual([['restore', newest]]);
  expect(picked[0]).toMatchObject({ defaultPath: newest });
  expect(did).toEqual(['start']);
  expect(seen).toEqual([
    texts.refused,
    expect.stringContaining(newest),
    texts.working,
    'The backup is back.',
  ]);
});

it('asks for the file with the recovery key of an encrypted one', async () => {
  const buttons = [texts.restore, texts.restoreNow, texts.fine, texts.quit];
  const { commands, did } = await person(buttons, ['/stick/b.db.age', '/stick/key.txt'], {
    code: 1,
    output: 'This key does not open it.',
  });
  expect(commands).toEqual([['restore', '/stick/b.db.age', '--key-file', '/stick/key.txt']]);
  // What went wrong is told, and the choice is there again.
  expect(did).toEqual(['quit']);
});

it.each([
  ['no file is picked', [texts.restore, texts.quit], []],
  ['no key is picked', [texts.restore, texts.quit], ['/stick/b.db.age', undefined]],
  ['it is not meant', [texts.restore, texts.cancel, texts.quit], ['/stick/b.db']],
])('restores nothing where %s', async (_why, buttons, files) => {
  const { commands, did } = await person(buttons, files, { code: 0, output: '' });
  expect([commands, did]).toEqual([[], ['quit']]);
});

it('writes a report for support beside the logs, and shows it there', async () => {
  const { commands, seen, did } = await person([texts.support, texts.fine, texts.quit], [], {
    code: 0,
    output: 'written',
  });
  const file = join(folder, 'logs', 'holdpoint-support.txt');
  expect(commands).toEqual([['support', file]]);
  expect(seen.some(said => said.includes(file))).toBe(true);
  expect(did).toEqual(['log', 'quit']);
});

it('checks the data, and tells what was found', async () => {
  const buttons = [texts.verify, texts.fine, texts.showLog, texts.tryAgain];
  const { commands, did, seen } = await person(buttons, [], { code: 1, output: '1 thing is wrong' });
  expect([commands, did]).toEqual([[['verify']], ['log', 'start']]);
  expect(seen).toContain(texts.notVerified);
});
