import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { freePort } from '../support/station.ts';

const PATIENCE_MS = 120_000;

/** A packed app that runs, with its windows as Chromium's own protocol shows them: the fuses leave no way into its main process. */
export interface PackedProgram {
  pid: number;
  /** The window of the screens as it is now; after its process has ended, the one that came back. */
  page(): Promise<Page>;
  nextWindow(): Promise<Page>;
  /** Ends the process of the page from without, as a task manager does. */
  endPage(): Promise<void>;
  /** As a person quits it; resolves when it has ended. */
  stop(): Promise<void>;
}

/** Starts the program as it is installed, on the data and with the policy of the surroundings. */
export async function startPacked(program: string, args: readonly string[]): Promise<PackedProgram> {
  const port = await freePort();
  const child = spawn(program, [`--remote-debugging-port=${port}`, ...args], { stdio: 'inherit' });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} does not start.`);
  let browser: Browser | undefined;
  async function connected(): Promise<Browser> {
    await browser?.close();
    browser = await connect(`http://127.0.0.1:${port}`, child);
    return browser;
  }
  const contextOf = (one: Browser) => {
    const [context] = one.contexts();
    if (!context) throw new Error('The app has no session.');
    return context;
  };
  async function page(): Promise<Page> {
    const context = contextOf(await connected());
    const shown = context.pages().find(each => each.url().startsWith('app://'));
    return shown ?? context.waitForEvent('page', { timeout: PATIENCE_MS });
  }
  return {
    pid,
    page,
    nextWindow: async () => contextOf(browser ?? (await connected())).waitForEvent('page'),
    async endPage() {
      const session = await (browser ?? (await connected())).newBrowserCDPSession();
      const { processInfo } = await session.send('SystemInfo.getProcessInfo');
      for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
    },
    async stop() {
      await browser?.close();
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      // Windows tells a program nothing but that its window is to be closed.
      if (process.platform === 'win32') spawnSync('taskkill', ['/PID', String(pid)]);
      else child.kill('SIGTERM');
      await ended;
    },
  };
}

/** It listens a moment after it has started. */
async function connect(origin: string, child: ChildProcess): Promise<Browser> {
  for (const end = Date.now() + PATIENCE_MS; ; await wait(500)) {
    if (child.exitCode !== null) throw new Error(`The app has ended with ${child.exitCode}.`);
    try {
      return await chromium.connectOverCDP(origin);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
