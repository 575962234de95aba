import type { DeskOptions } from './desk.ts';
import { type Desk, scanOf } from './desk.ts';
import type { Verdict } from './desk-terms.ts';
import { type Change, type Entry, isOf, type OpenScan, type StoredOf } from './entries.ts';
import { amount, isBegun, isComplete, type Line } from './line.ts';
import { partOf } from './read-label.ts';
import type { Answers } from './take.ts';

export type DeskActs = ReturnType<typeof createDeskActs>;

/** What is answered later is no second code of the label that was scanned last. */
const ALONE: Answers = { plain: 0 };

/** What people do at the desk by the screen: in one line with the scans. */
export function createDeskActs(desk: Desk, { client, board, slot, machine, now, newKey }: DeskOptions) {
  const { line, exclusively } = desk;

  /** What is settled may be what others waited for. */
  const act = (work: () => Promise<Verdict | null>): Promise<void> =>
    exclusively(async () => {
      await line.settled();
      const verdict = await work();
      await desk.retry('blocked');
      line.show({ verdict });
    });

  return {
    /**
     * Goes on where this window, or one of this machine that is no more, has left off.
     * @param unsent what those windows had not sent
     * @param me who sits here
     */
    start: (unsent: readonly Change[], isAlive: (slot: string) => boolean, me: string | null) =>
      exclusively(async () => {
        board.put(unsent);
        await board.refresh().catch(() => {
          // While the server is away, what the browser has is the newest there is.
        });
        const isLeft = (each: { slot: string; machine: string }) =>
          each.slot === slot || (each.machine === machine && !isAlive(each.slot));
        const lines = board.entries().filter(isOf('line'));
        const left = lines.findLast(({ key, data }) => key !== line.key && isLeft(data));
        await line.resume(left, me).catch(error => line.show({ failure: error, isReady: true }));
        await follow(isAlive).catch(() => {
          // Tried again.
        });
      }),
    /**
     * What others have done, what waited for the server, and what windows of this machine have left that were closed meanwhile.
     * @param unsent what those windows had not sent
     */
    follow: (unsent: readonly Change[], isAlive: (slot: string) => boolean) =>
      exclusively(async () => {
        board.put(unsent);
        await follow(isAlive);
      }),
    /** What was typed. */
    setLine: (next: Line) => {
      if (!line.state().isSending) line.set(next, [], true);
    },
    choosePart: async (part: number | null) => {
      line.set({ ...line.state().line, part }, [], true);
      if (part === null) return;
      const { unit } = await partOf(client, part);
      const { line: present } = line.state();
      if (present.part === part && present.unit === null) line.set({ ...present, unit }, [], true);
    },
    /** @throws what the server refuses; the line stays */
    save: () =>
      exclusively(async () => {
        const [known = null] = await line.settled();
        const id = isComplete(line.state().line) ? await line.save() : known;
        if (id !== null) await desk.retry('blocked');
        return id;
      }),
    clear: () =>
      act(async () => {
        line.clear();
        return null;
      }),
    /** The line is as it should be, or it is corrected first. */
    confirmLine: (isRight: boolean) =>
      act(async () => {
        if (!isRight) line.show({ question: null });
        else {
          line.confirm();
          await line.save().catch(() => {
            // The line says why.
          });
        }
        return null;
      }),
    answer: (open: OpenScan, said: Answers) =>
      act(() => desk.answer(open, said, { ...ALONE, ...open.data.answers }, desk.begin(open.data.text))),
    /** The code belongs to this part from now on, and the scan that brought it goes on. */
    learn: (open: OpenScan, part: number) =>
      act(async () => {
        const { code } = open.data.details;
        if (code !== undefined)
          await client.call('x.parts.barcodes', { params: { id: part }, body: { code } });
        return desk.take(scanOf(open), { ...ALONE, ...open.data.answers }, open, desk.begin(open.data.text));
      }),
    leaveOut: (open: OpenScan, reason: string) =>
      act(() => desk.leave(open, reason, desk.begin(open.data.text))),
    /** The scan goes to another receipt, and waits there. */
    moveTo: (open: OpenScan, other: number) =>
      act(async () => {
        const data = {
          ...open.data,
          outcome: 'question' as const,
          why: 'moved' as const,
          slot: '',
          machine: '',
        };
        await board.claim([{ key: open.key, data, moves_to: other }], [open.key]);
        return null;
      }),
    /** Goes on with a line that was left at another place. */
    takeOver: (left: Entry<StoredOf<'line'>>, me: string | null) =>
      act(async () => {
        if (isComplete(line.state().line)) await line.save();
        if (!isBegun(line.state().line)) await line.adopt(left, me);
        return null;
      }),
    /** A line that was left at another place is not received. */
    dropLine: ({ key, data }: Entry<StoredOf<'line'>>, reason: string) =>
      act(async () => {
        const { part, lot, accepted, rejected } = data.line;
        const details = { part, lot, quantity: amount(accepted) + amount(rejected) };
        const told = { text: '', why: 'blocked' as const, details, at: now(), reason };
        const left: Change = { key: `left ${newKey()}`, data: { kind: 'left', ...told } };
        await board.claim([{ key, data: null }, left], [key]);
        return null;
      }),
    /** Before the receipt is closed: saves the line that is complete. @throws what the server refuses */
    finish: async () => {
      await desk.scans.idle();
      await exclusively(async () => {
        await line.settled();
        if (isComplete(line.state().line)) await line.save();
        await desk.retry('blocked');
        await board.flush();
        await board.refresh();
      });
    },
  };

  async function follow(isAlive: (slot: string) => boolean): Promise<void> {
    await line.settled();
    await board.refresh();
    // What waits in this window is in its queue.
    const left = board
      .entries()
      .filter(isOf('scan'))
      .filter(
        ({ data }) =>
          ['away', 'waiting'].includes(data.why) &&
          data.slot !== slot &&
          data.machine === machine &&
          !isAlive(data.slot),
      );
    board.put(left.map(({ key, data }) => ({ key, data: { ...data, why: 'away', slot } })));
    await desk.retry('away');
  }
}
