import { once } from 'node:events';
import { BrowserWindow } from 'electron';
import type { DesktopPrinter } from '../shared/contract/desktop-bridge.ts';
import { PrintFailure, type StoredLabelJob } from './label-queue.ts';
import { sendRaw } from './raw-printer.ts';
import { PAPER_WINDOW } from './window-policy.ts';

const LIMIT_MS = 60_000;

/** Prints a job of the queue: by the system's printer without a dialog, or as it is to a label printer. */
export async function printLabel(job: StoredLabelJob): Promise<void> {
  const { content } = job;
  if (job.kind === 'network') return sendRaw({ ...job, content: Buffer.from(content, 'base64') });
  return inHiddenWindow(async window => {
    const printers = await window.webContents.getPrintersAsync();
    if (!printers.some(({ name }) => name === job.printer)) {
      throw new PrintFailure('no_printer', false);
    }
    await shown(window, `data:application/pdf;base64,${content}`).catch((error: unknown) => {
      throw new PrintFailure('unreadable', false, String(error));
    });
    await printed(window, job);
  });
}

export function listPrinters(): Promise<DesktopPrinter[]> {
  return inHiddenWindow(async window => {
    const printers = await window.webContents.getPrintersAsync();
    return printers.map(({ name, displayName }) => ({ name, title: displayName || name }));
  });
}

/** Chromium knows printers by a window's contents only. */
async function inHiddenWindow<Result>(work: (window: BrowserWindow) => Promise<Result>): Promise<Result> {
  const window = new BrowserWindow({ ...PAPER_WINDOW, show: false });
  try {
    return await work(window);
  } finally {
    window.destroy();
  }
}

/**
 * A PDF is loaded when its viewer is there, and can be printed only when the viewer has read it: before that the paper is
 * blank. The word for it is Electron's own (shell/browser/api/electron_api_web_contents.cc, PDFReadyToPrint).
 */
async function shown(window: BrowserWindow, address: string): Promise<void> {
  const late = AbortSignal.timeout(LIMIT_MS);
  await Promise.all([
    once(window.webContents, '-pdf-ready-to-print', { signal: late }),
    window.loadURL(address),
  ]);
}

function printed(window: BrowserWindow, job: Extract<StoredLabelJob, { kind: 'printer' }>): Promise<void> {
  const MICRONS = 1_000;
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new PrintFailure('late', true)), LIMIT_MS);
    window.webContents.print(
      {
        silent: true,
        deviceName: job.printer,
        printBackground: true,
        margins: { marginType: 'none' },
        pageSize: { width: job.width_mm * MICRONS, height: job.height_mm * MICRONS },
      },
      (isDone, reason) => {
        clearTimeout(late);
        // The system's own queue takes a job whole or not at all.
        if (isDone) resolve();
        else reject(new PrintFailure('refused', false, reason));
      },
    );
  });
}
