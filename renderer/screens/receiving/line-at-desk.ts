import type { Board } from './board.ts';
import { isUnavailable } from './board.ts';
import { type DeskState, expiryQuestion } from './desk-terms.ts';
import { type Change, type Entry, isOf, type StoredOf } from './entries.ts';
import { objectionTo, readExpected, withUnitOf } from './expected.ts';
import { bodyOf, emptyLine, isBegun, type Line } from './line.ts';
import type { Lookups } from './read-label.ts';

export interface LineAtDeskOptions {
  receipt: number;
  /** The purchase order that the receipt counts against, and whether how much is expected is kept from the dock. */
  order: () => { id: number; isBlind: boolean } | null;
  client: Lookups;
  board: Board;
  /** This window, and this machine. */
  slot: string;
  machine: string;
  now: () => string;
  newKey: () => string;
  /** Something was saved: what is on screen is read again. */
  onSaved: () => void;
}

export type LineAtDesk = ReturnType<typeof createLineAtDesk>;

/**
 * The line that is being entered in this window, on the board with each change. It is saved once: it says on the board that it is
 * on its way before it is sent, and is sent with the same key until there is an answer.
 */
export function createLineAtDesk(options: LineAtDeskOptions) {
  const { receipt, order, client, board, slot, machine, now, newKey, onSaved } = options;
  const key = `line ${slot}`;
  const listeners = new Set<() => void>();
  let state: DeskState = {
    line: emptyLine(newKey()),
    next: null,
    isSending: false,
    failure: null,
    question: null,
    bestBefore: null,
    verdict: null,
    isReady: false,
  };
  let sending: Line | null = null;
  /** What was to be settled has perhaps been: only the server knows. */
  let isUnsure = false;
  /** The line that a person has said is another lot. */
  let otherLot: string | null = null;

  const show = (change: Partial<DeskState> = {}) => {
    state = { ...state, ...change, isSending: sending !== null || isUnsure };
    for (const listener of listeners) listener();
  };

  const change = (line: Line): Change => {
    const isThere = isBegun(line) || sending !== null;
    return { key, data: isThere ? { kind: 'line', line, sending, slot, machine, touched: now() } : null };
  };

  /** @param changes what changes on the board together with it */
  const set = (line: Line, changes: readonly Change[] = [], isTyped = false) => {
    show({ line });
    board.put([...changes, change(line)], isTyped);
  };

  const clear = () => {
    show({ failure: null, question: null, bestBefore: null });
    set(emptyLine(newKey(), { location: state.line.location }));
  };

  /** The same key each time: what arrived already counts once. */
  const send = async (sent: Line): Promise<number> => {
    try {
      const { data } = await client.call('receiving-inspections.items.add', {
        params: { receiving_inspection_id: receipt },
        body: bodyOf(sent),
        headers: { 'Idempotency-Key': sent.key },
      });
      const { labels, serials } = sent.scanned;
      const saved: Change[] =
        labels.length + serials.length === 0
          ? []
          : [{ key: `saved ${data.id}`, data: { kind: 'saved', item: data.id, labels, serials } }];
      sending = null;
      // What was typed while the answer was on its way belongs to the next line.
      const isSame = JSON.stringify(bodyOf(state.line)) === JSON.stringify(bodyOf(sent));
      show({ failure: null, bestBefore: null, question: null });
      set(
        isSame ? emptyLine(newKey(), { location: sent.location }) : { ...state.line, key: newKey() },
        saved,
      );
      onSaved();
      return data.id;
    } catch (error) {
      if (!isUnavailable(error)) {
        sending = null;
        // The next try is another request.
        set({ ...state.line, key: newKey() });
      }
      throw error;
    }
  };

  /** @returns the item's id; null when a person is asked first. @throws what the server refuses; the line stays */
  const save = async (): Promise<number | null> => {
    const { line } = state;
    show({ failure: null });
    try {
      const isOtherLot = otherLot === line.key;
      const [expected, otherExpiry] = await Promise.all([
        readExpected(client, order()).then(all => withUnitOf(client, all, line.part)),
        isOtherLot ? null : expiryQuestion(client, line),
      ]);
      const objection = objectionTo(expected, line, line.scanned.allowed);
      const question = objection ? { ...objection, part: line.part } : otherExpiry;
      if (question) {
        show({ question });
        return null;
      }
      sending = line;
      board.put([change(line)]);
      await board.flush().catch(error => {
        // Nothing was sent.
        sending = null;
        board.put([change(line)]);
        throw error;
      });
      return await send(line);
    } catch (error) {
      show({ failure: error });
      throw error;
    } finally {
      show();
    }
  };

  /** Goes on with a line that was left in another window. @param me who sits here */
  const adopt = async (left: Entry<StoredOf<'line'>>, me: string | null): Promise<void> => {
    // Whether it arrived is told to who sent it alone.
    const isOurs = left.data.sending === null || left.by === me;
    const line = isOurs ? left.data.line : { ...left.data.line, key: newKey() };
    sending = isOurs ? left.data.sending : null;
    await board.claim([{ key: left.key, data: null }, change(line)], [left.key]);
    show({ line });
  };

  const own = () =>
    board
      .entries()
      .filter(isOf('line'))
      .find(each => each.key === key);

  return {
    key,
    state: () => state,
    show,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    change,
    set,
    clear,
    save,
    adopt,
    /** What is asked of the line is as it should be: it is another lot, or taken though it was ordered otherwise. */
    confirm: () => {
      const { question, line } = state;
      show({ question: null });
      if (question === null || !('why' in question)) otherLot = line.key;
      else {
        const allowed = [...line.scanned.allowed, question.why];
        set({ ...line, scanned: { ...line.scanned, allowed } });
      }
    },
    /** The answer of the server to what this window was settling did not come. */
    doubt: () => {
      isUnsure = true;
      show();
    },
    /** What was not answered is known. @returns items that were saved by it. @throws AppError `unavailable` */
    settled: async (): Promise<number[]> => {
      if (isUnsure) {
        await board.refresh();
        isUnsure = false;
        show({ line: own()?.data.line ?? emptyLine(newKey(), { location: state.line.location }) });
      }
      return sending === null ? [] : [await send(sending)];
    },
    /** The line of this window before a crash, or the one that `left` names. */
    resume: async (left: Entry<StoredOf<'line'>> | undefined, me: string | null) => {
      const before = own();
      if (before) {
        const isOurs = before.data.sending === null || before.by === null || before.by === me;
        sending = isOurs ? before.data.sending : null;
        show({ line: isOurs ? before.data.line : { ...before.data.line, key: newKey() } });
      } else if (left) await adopt(left, me);
      show({ isReady: true });
    },
  };
}
