import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerFailure } from './server-supervisor.ts';
import { filled, type ShellTexts } from './texts.ts';

export type TroubleAction = 'try_again' | 'show_log' | 'verify' | 'restore' | 'support' | 'quit';

export interface Trouble {
  title: string;
  message: string;
  detail: string;
  buttons: { action: TroubleAction; label: string }[];
}

export interface TroubleOptions {
  texts: ShellTexts;
  why: ServerFailure;
  /** What the server wrote last. */
  lastLines: readonly string[];
  /** The newest backup, whole path. */
  backup: string | undefined;
}

const SHOWN_LINES = 6;
const LONGEST_LINE = 300;

/** What a person is told when the server does not start, and what there is to do. */
export function describeTrouble({ texts, why, lastLines, backup }: TroubleOptions): Trouble {
  if (why === 'no_service') {
    const buttons = ['try_again', 'show_log', 'quit'] as const;
    const labels = { try_again: texts.tryAgain, show_log: texts.showLog, quit: texts.quit };
    return {
      title: texts.troubleTitle,
      message: texts.no_service,
      detail: texts.noServiceMeans,
      buttons: buttons.map(action => ({ action, label: labels[action] })),
    };
  }
  // The server says itself why it refuses, and how to mend it; of a fault its last words are all that there is.
  const own = lastLines.filter(line => line.includes('cannot start')).at(-1);
  const words = own === undefined ? lastLines.slice(-SHOWN_LINES) : [own];
  const lines = [
    ...words.map(line => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line)),
    '',
    backup === undefined ? texts.noBackup : filled(texts.backup, { file: backup }),
  ];
  return {
    title: texts.troubleTitle,
    message: texts[why],
    detail: lines.join('\n').trim(),
    buttons: [
      { action: 'try_again', label: texts.tryAgain },
      { action: 'show_log', label: texts.showLog },
      { action: 'verify', label: texts.verify },
      { action: 'restore', label: texts.restore },
      { action: 'support', label: texts.support },
      { action: 'quit', label: texts.quit },
    ],
  };
}

/** The newest backup in the data folder's own place for them, by its name, which holds the time. */
export function newestBackup(dataFolder: string): string | undefined {
  const folder = join(dataFolder, 'backups');
  try {
    const newest = readdirSync(folder)
      .filter(name => /^holdpoint-.*\.db(?:\.age)?$/.test(name))
      .sort()
      .at(-1);
    return newest === undefined ? undefined : join(folder, newest);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
