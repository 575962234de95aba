import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { client } from '../../api/client.ts';
import { ownChanges } from '../../api/own-changes.ts';
import { useSession } from '../../api/session.ts';
import { commandOf } from '../../ui/scan/commands.ts';
import { useScanSurface } from '../../ui/scan/scan-target.ts';
import { today } from '../../ui/today.ts';
import { createBoard } from './board.ts';
import { createDesk, type DeskOptions } from './desk.ts';
import { createDeskActs } from './desk-acts.ts';
import { isOf } from './entries.ts';
import { isBegun } from './line.ts';
import { isReceived, type ReceiptItem } from './receipt-row.tsx';
import { livingWindows, machineOf, slot, takeUnsent, useSlot } from './window-slot.ts';

/** How often it is looked what others have settled, and whether the server is back. */
const FOLLOW_MS = 3_000;

export type Receiving = ReturnType<typeof useReceiving>;

interface ReceivingOptions {
  receipt: number;
  /** What has been received so far. */
  items: readonly ReceiptItem[];
  isClosed: boolean;
  order: ReturnType<DeskOptions['order']>;
  /** Raises the report of the newest rejected line. @throws when there is none */
  onReport: () => Promise<void>;
}

/** What is scanned and typed at a receipt (`desk.ts`), for its screen. */
export function useReceiving({ receipt, items, isClosed, order, onReport }: ReceivingOptions) {
  const queries = useQueryClient();
  const { session } = useSession();
  const me = session?.user?.name ?? null;
  const latest = useRef({ items, isClosed, order, onReport, queries, me });
  latest.current = { items, isClosed, order, onReport, queries, me };
  useSlot();

  const [{ desk, acts }] = useState(() => {
    const board = createBoard({ receipt, client, storage: localStorage, slot });
    const options: DeskOptions = {
      receipt,
      client,
      board,
      slot,
      machine: machineOf(localStorage),
      isClosed: () => latest.current.isClosed,
      received: () => latest.current.items.filter(isReceived),
      order: () => latest.current.order,
      today,
      now: () => new Date().toISOString(),
      newKey: () => crypto.randomUUID(),
      report: () => latest.current.onReport(),
      onSaved: () => void ownChanges.readAgain(latest.current.queries),
    };
    const desk = createDesk(options);
    return { desk, acts: createDeskActs(desk, options) };
  });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    const follow = async () => {
      const isAlive = await livingWindows();
      if (isLeft) return;
      await acts.follow(takeUnsent(localStorage, receipt, isAlive), isAlive).catch(() => {
        // The server is away; it is asked again.
      });
      if (!isLeft) timer = setTimeout(() => void follow(), FOLLOW_MS);
    };
    void livingWindows().then(async isAlive => {
      if (isLeft) return;
      await acts.start(takeUnsent(localStorage, receipt, isAlive), isAlive, latest.current.me);
      if (!isLeft) timer = setTimeout(() => void follow(), FOLLOW_MS);
    });
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [acts, receipt]);

  // How a scan ended at a receipt that is closed, or open again, since then tells nobody what to do now.
  const wasClosed = useRef(isClosed);
  useEffect(() => {
    if (wasClosed.current !== isClosed) desk.line.show({ verdict: null });
    wasClosed.current = isClosed;
  }, [desk, isClosed]);

  useScanSurface((text, isCut) => {
    if (commandOf(text) !== 'undo') return desk.push(text, isCut);
    void desk.undoLast();
    return true;
  });

  const state = useSyncExternalStore(desk.line.subscribe, desk.line.state);
  const entries = useSyncExternalStore(desk.board.subscribe, desk.board.entries);
  const lists = useMemo(
    () => ({
      open: entries.filter(isOf('scan')).toReversed(),
      others: entries
        .filter(isOf('line'))
        .filter(({ key, data }) => key !== desk.line.key && (isBegun(data.line) || data.sending !== null)),
      left: entries.filter(isOf('left')),
    }),
    [entries, desk],
  );
  /** Scans, lines of others and the own one: the receipt is not closed over them. */
  const openCount = () => {
    return desk.board.entries().filter(({ data }) => data.kind === 'scan' || data.kind === 'line').length;
  };
  return { ...state, ...lists, me, desk, acts, scans: desk.scans, openCount };
}
