import type { BaseWindow } from 'electron';

/** The system gives a program five seconds for it (HungAppTimeout); what it ends after that was not ended in order. */
const PATIENCE_MS = 4_500;
const STEP_MS = 20;

export interface SessionEndOptions {
  platform: NodeJS.Platform;
  /** Makes a window that is never shown: the messages of a session's end come to windows only. */
  makeWindow: () => Pick<BaseWindow, 'on'>;
  /** Tells the server to end in order; the number of its process, undefined where none runs. */
  tellServer: () => number | undefined;
  /** Whether a process is there. */
  isThere: (pid: number) => boolean;
}

/**
 * Windows ends a program and its children when the last listener of `session-end` returns (shell/browser/
 * native_window_views_win.cc), also where all windows are closed and the app works on in the tray. So this one waits, with
 * the whole process, until the server has closed the store. Other systems have `shutdown` of `powerMonitor`.
 */
export function onSessionEnd({ platform, makeWindow, tellServer, isThere }: SessionEndOptions): void {
  if (platform !== 'win32') return;
  makeWindow().on('session-end', () => {
    const pid = tellServer();
    const end = performance.now() + PATIENCE_MS;
    while (pid !== undefined && isThere(pid) && performance.now() < end) sleep(STEP_MS);
  });
}

export function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** With all of this process. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
