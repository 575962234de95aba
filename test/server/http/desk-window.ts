import { type Board, createBoard } from '../../../renderer/screens/receiving/board.ts';
import { createDesk, type Desk } from '../../../renderer/screens/receiving/desk.ts';
import { createDeskActs, type DeskActs } from '../../../renderer/screens/receiving/desk-acts.ts';
import type { Change } from '../../../renderer/screens/receiving/entries.ts';
import { createClient } from '../../../shared/operations/client.ts';
import type { Station } from '../../support/station.ts';

/** The desk's own day. */
export const TODAY = '2026-01-15';
let windows = 0;

/** A window at a receipt, without its screen. */
export interface Window {
  desk: Desk;
  board: Board;
  acts: DeskActs;
  storage: Map<string, string>;
  crash: () => void;
  /** The receipt is closed. */
  close: () => void;
  /** How long a line is on its way to the server, as a slow disk or line would have it. */
  delay: { until: Promise<void> };
  /** Requests by method and path, without the numbers in it. */
  asked: string[];
  scan: (...texts: string[]) => Promise<void>;
  verdict: () => string;
}

/** A browser's window at a receipt. @param crashed the one that was there before, on the same machine */
export async function openWindow(
  station: Pick<Station, 'origin' | 'token'>,
  receipt: number,
  crashed?: Window,
  isClosed = false,
  order: { id: number; isBlind: boolean } | null = null,
  received: readonly Record<string, unknown>[] = [],
): Promise<Window> {
  windows += 1;
  const slot = `slot-${windows}`;
  const storage = new Map(crashed?.storage);
  crashed?.crash();
  let isGone = false;
  let closed = isClosed;
  const delay = { until: Promise.resolve() };
  const asked: string[] = [];
  const client = createClient({
    baseUrl: station.origin,
    token: station.token,
    // Of a window that has crashed no request goes out any more, and no answer comes in.
    fetch: async (...request) => {
      const [path, { method = 'GET' } = {}] = request;
      asked.push(
        `${method} ${new URL(String(path)).pathname.replace(/^\/api\/v\d+/, '').replaceAll(/\d+/g, 'N')}`,
      );
      if (method === 'POST' && /\/items$/.test(String(path))) await delay.until;
      const answer = isGone ? undefined : await fetch(...request);
      return isGone || !answer ? new Promise<Response>(() => {}) : answer;
    },
  });
  const board = createBoard({
    receipt,
    client,
    slot,
    storage: {
      getItem: key => storage.get(key) ?? null,
      setItem: (key, value) => void storage.set(key, value),
      removeItem: key => void storage.delete(key),
    },
  });
  let keys = 0;
  const options = {
    receipt,
    client,
    board,
    slot,
    machine: (crashed && machines.get(crashed)) ?? `machine of ${slot}`,
    isClosed: () => closed,
    received: () => received,
    order: () => order,
    today: () => TODAY,
    now: () => new Date().toISOString(),
    newKey: () => `${slot}-key-${++keys}`,
    report: async () => {},
    onSaved: () => {},
  };
  const desk = createDesk(options);
  const acts = createDeskActs(desk, options);
  const unsent = [...storage.values()].flatMap(text => JSON.parse(text) as Change[]);
  storage.clear();
  // The same person goes on.
  await board.refresh();
  const me = board.entries().find(({ by }) => by !== null)?.by ?? null;
  await acts.start(unsent, each => each !== slot && !crashed, me);
  const window: Window = {
    desk,
    board,
    acts,
    storage,
    delay,
    asked,
    close: () => {
      closed = true;
    },
    crash: () => {
      isGone = true;
    },
    scan: async (...texts) => {
      for (const text of texts) desk.push(text, false);
      await desk.scans.idle();
    },
    verdict: () => {
      const verdict = desk.line.state().verdict;
      return verdict ? [verdict.outcome, verdict.why].filter(Boolean).join(' ') : '';
    },
  };
  machines.set(window, options.machine);
  return window;
}
const machines = new Map<Window, string>();

export function machineOf(window: Window): string {
  return machines.get(window) ?? '';
}
